/* JSON, indented, as it is written: no tree is kept. Texts become valid UTF-8 whatever they hold. */
#include "cc.h"

void json_next(Json *j)
{
	text_add(j->out, j->filled ? ",\n" : "\n");
	for (int i = 0; i < j->depth; i++)
		text_add(j->out, "  ");
	j->filled = true;
}

/* Bytes of the well-formed code point at `s`, 0 if there is none (RFC 3629). */
static size_t code_point(const unsigned char *s)
{
	size_t size = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
	for (size_t i = 1; i < size; i++)
		if (s[i] < 0x80 || s[i] > 0xbf)
			return 0;
	bool wrong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f);
	return wrong ? 0 : size;
}

void json_string(Json *j, const char *value)
{
	text_add(j->out, "\"");
	for (const unsigned char *s = (const unsigned char *)(value ? value : ""); *s; ) {
		size_t size = code_point(s);
		if (size == 0)
			text_add(j->out, "\xef\xbf\xbd");
		else if (*s == '"' || *s == '\\')
			text_format(j->out, "\\%c", *s);
		else if (*s == '\n')
			text_add(j->out, "\\n");
		else if (*s == '\t')
			text_add(j->out, "\\t");
		else if (*s < ' ' || *s == 127)
			text_format(j->out, "\\u00%x%x", *s / 16u, *s % 16u);
		else
			text_add_n(j->out, (const char *)s, size);
		s += size ? size : 1;
	}
	text_add(j->out, "\"");
}

void json_key(Json *j, const char *name)
{
	json_next(j);
	json_string(j, name);
	text_add(j->out, ": ");
}

void json_open(Json *j, const char *bracket)
{
	text_add(j->out, bracket);
	j->depth++;
	j->filled = false;
}

void json_close(Json *j, const char *bracket)
{
	j->depth--;
	if (j->filled) {
		text_add(j->out, "\n");
		for (int i = 0; i < j->depth; i++)
			text_add(j->out, "  ");
	}
	text_add(j->out, bracket);
	j->filled = true;
}

void json_put_text(Json *j, const char *name, const char *value) { json_key(j, name); json_string(j, value); }
void json_put_whole(Json *j, const char *name, uint32_t value) { json_key(j, name); text_format(j->out, "%u", (unsigned)value); }
void json_put_truth(Json *j, const char *name, bool value) { json_key(j, name); text_add(j->out, value ? "true" : "false"); }
