/* Memory of one compilation: chunks that are freed together, and the table of interned names.
   Chunks come from the caller's allocator, zeroed, and no byte is handed out twice, so every allocation is zeroed.
   Only the scratch memory is used again and again: a stack beside the rest, zeroed by hand.
   Leaves out freeing single allocations. */
#include "cc.h"

#include <stdlib.h>
#include <string.h>

#ifndef ARENA_CHUNK_SIZE                        /* the test of failing allocations makes them many */
#define ARENA_CHUNK_SIZE (256 * 1024)
#endif

enum { ALIGNMENT = 16, CHUNK_SIZE = ARENA_CHUNK_SIZE, FIRST_TABLE_SIZE = 256 };

typedef struct Chunk {
	struct Chunk *next;
	size_t used, capacity;
	_Alignas(ALIGNMENT) unsigned char data[];
} Chunk;

typedef struct Name {                           /* an interned text, behind its hash */
	uint32_t hash, size;
	char text[];
} Name;

struct Arena {
	nz_allocator memory;
	jmp_buf guard;
	bool guarded;
	Chunk *chunks;                          /* the first is the one in use */
	Chunk *scratch, *scratch_top;           /* the first chunk of the stack, and the one in use */
	Name **table;                           /* open addressing; the size is a power of two */
	size_t table_size, table_used;
};

static void *take(const nz_allocator *memory, size_t size)
{
	if (!memory->allocate)
		return calloc(1, size);
	void *block = memory->allocate(memory->user, size);
	return block ? memset(block, 0, size) : NULL;
}

static void give_back(const nz_allocator *memory, void *block)
{
	if (memory->release)
		memory->release(memory->user, block);
	else
		free(block);
}

static Chunk *chunk_new(const nz_allocator *memory, size_t capacity)
{
	if (capacity > SIZE_MAX - sizeof(Chunk))
		return NULL;
	Chunk *chunk = take(memory, sizeof *chunk + capacity);
	if (chunk)
		chunk->capacity = capacity;
	return chunk;
}

Arena *arena_new_in(const nz_allocator *memory)
{
	Arena *arena = take(memory, sizeof *arena);
	if (!arena)
		return NULL;
	arena->memory = *memory;
	arena->chunks = chunk_new(memory, CHUNK_SIZE);
	if (!arena->chunks) {
		give_back(memory, arena);
		return NULL;
	}
	return arena;
}

Arena *arena_new(void)
{
	return arena_new_in(&(nz_allocator){ 0 });
}

static void free_chunks(const nz_allocator *memory, Chunk *chunk)
{
	for (Chunk *next; chunk; chunk = next) {
		next = chunk->next;
		give_back(memory, chunk);
	}
}

void arena_free(Arena *arena)
{
	if (!arena)
		return;
	nz_allocator memory = arena->memory;
	free_chunks(&memory, arena->chunks);
	free_chunks(&memory, arena->scratch);
	give_back(&memory, arena);
}

jmp_buf *arena_guard(Arena *arena)
{
	arena->guarded = true;
	return &arena->guard;
}

static _Noreturn void exhausted(Arena *arena)
{
	if (!arena->guarded)
		abort();
	longjmp(arena->guard, 1);
}

static size_t round_up(Arena *arena, size_t size)
{
	if (size > SIZE_MAX - ALIGNMENT)
		exhausted(arena);
	return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void *arena_alloc(Arena *arena, size_t size)
{
	size = round_up(arena, size ? size : 1);
	Chunk *chunk = arena->chunks;
	if (size > chunk->capacity - chunk->used) {
		/* A large piece gets a chunk to itself, behind the one in use, whose rest stays useful. */
		bool large = size > CHUNK_SIZE / 4;
		chunk = chunk_new(&arena->memory, large ? size : CHUNK_SIZE);
		if (!chunk)
			exhausted(arena);
		if (large) {
			chunk->next = arena->chunks->next;
			arena->chunks->next = chunk;
		} else {
			chunk->next = arena->chunks;
			arena->chunks = chunk;
		}
	}
	void *data = chunk->data + chunk->used;
	chunk->used += size;
	return data;
}

void *arena_grow(Arena *arena, void *old, size_t old_size, size_t new_size)
{
	if (!old)
		return arena_alloc(arena, new_size);
	if (new_size <= old_size)
		return old;
	size_t before = round_up(arena, old_size ? old_size : 1), after = round_up(arena, new_size);
	if (before == after)
		return old;
	Chunk *chunk = arena->chunks;
	bool last = chunk->used >= before && chunk->data + (chunk->used - before) == old;
	if (last && after - before <= chunk->capacity - chunk->used) {
		chunk->used += after - before;
		return old;
	}
	void *data = arena_alloc(arena, new_size);
	memcpy(data, old, old_size);
	return data;
}

/* ---- scratch memory ---- */

ArenaMark arena_mark(Arena *arena)
{
	return (ArenaMark){ arena->scratch_top, arena->scratch_top ? arena->scratch_top->used : 0 };
}

void arena_release(Arena *arena, ArenaMark mark)
{
	arena->scratch_top = mark.chunk ? mark.chunk : arena->scratch;
	if (arena->scratch_top)
		arena->scratch_top->used = mark.used;
}

/* The chunks behind the one in use are empty, or too small for what was asked. */
void *arena_scratch(Arena *arena, size_t size)
{
	size = round_up(arena, size ? size : 1);
	Chunk *top = arena->scratch_top;
	while (top && size > top->capacity - top->used) {
		if (!top->next || size > top->next->capacity) {
			Chunk *chunk = chunk_new(&arena->memory, size > CHUNK_SIZE ? size : CHUNK_SIZE);
			if (!chunk)
				exhausted(arena);
			chunk->next = top->next;
			top->next = chunk;
		}
		top = top->next;
		top->used = 0;
	}
	if (!top) {
		top = arena->scratch = chunk_new(&arena->memory, size > CHUNK_SIZE ? size : CHUNK_SIZE);
		if (!top)
			exhausted(arena);
	}
	arena->scratch_top = top;
	void *data = top->data + top->used;
	top->used += size;
	return memset(data, 0, size);
}

/* ---- names ---- */

static uint32_t hash_bytes(const char *text, size_t size)
{
	uint32_t hash = 2166136261u;            /* FNV-1a */
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ (unsigned char)text[i]) * 16777619u;
	return hash ^ hash >> 15;
}

static Name **find_slot(const Arena *arena, const char *text, size_t size, uint32_t hash)
{
	size_t mask = arena->table_size - 1;
	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		Name *name = arena->table[i];
		if (!name || (name->hash == hash && name->size == size && memcmp(name->text, text, size) == 0))
			return &arena->table[i];
	}
}

static void grow_table(Arena *arena)
{
	Name **old = arena->table;
	size_t old_size = arena->table_size;
	size_t new_size = old_size ? old_size * 2 : FIRST_TABLE_SIZE;
	/* Allocated before the fields change: running out of memory must leave a whole table. */
	Name **table = arena_alloc(arena, new_size * sizeof *table);
	arena->table = table;
	arena->table_size = new_size;
	for (size_t i = 0; i < old_size; i++)
		if (old[i])
			*find_slot(arena, old[i]->text, old[i]->size, old[i]->hash) = old[i];
}

const char *arena_intern(Arena *arena, const char *text, size_t size)
{
	if (arena->table_used >= arena->table_size / 2)
		grow_table(arena);
	uint32_t hash = hash_bytes(text, size);
	Name **slot = find_slot(arena, text, size, hash);
	if (!*slot) {
		Name *name = arena_alloc(arena, sizeof *name + size + 1);
		name->hash = hash;
		name->size = (uint32_t)size;
		memcpy(name->text, text, size);
		*slot = name;
		arena->table_used++;
	}
	return (*slot)->text;
}

uint32_t arena_hash(const char *interned)
{
	return ((const Name *)(const void *)(interned - offsetof(Name, text)))->hash;
}
