/* The uniform block of complete shaders: where std140 puts the params, in the order of the file, and the seed
   behind them. A bool is stored as a uint. What the printer writes and what hosts are told rest on this. */
#include "cc.h"

static uint32_t round_up(uint32_t x, uint32_t to) { return (x + to - 1) / to * to; }

static void place(UniformBlock *block, BlockMember m, TypeInfo type)
{
	static const uint32_t alignment[5] = { 0, 4, 8, 16, 16 };
	m.kind = type.kind == KIND_BOOL ? KIND_UINT : type.kind;
	m.width = type.width;
	m.offset = round_up(block->size, alignment[type.width]);
	block->size = m.offset + 4u * type.width;
	block->member[block->members++] = m;
}

void layout_block(Arena *arena, const Program *p, UniformBlock *out)
{
	*out = (UniformBlock){ .member = arena_alloc(arena, (p->uniforms + 1) * sizeof *out->member) };
	for (uint32_t i = 0; i < p->uniforms; i++)
		place(out, (BlockMember){ .uniform = &p->uniform[i] }, p->uniform[i].type);
	place(out, (BlockMember){ .uniform = NULL }, (TypeInfo){ KIND_UINT, 1, NULL });
	out->room = round_up(out->size, 16);
}
