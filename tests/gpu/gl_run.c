/* Programs and draws. Every object of a draw is made and freed by it. */
#include "gl_inside.h"

#include <stdlib.h>
#include <string.h>

struct GlProgram {
	Gl *gl;
	GLuint id;
	bool points;                    /* it has a vertex shader of its own */
};

/* three vertices around the whole of clip space */
static const char cover_core[] = "#version 330 core\nvoid main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1); }\n";
static const char cover_es[] = "#version 300 es\nvoid main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }\n";

static GLuint compile(GLenum stage, const char *text, GpuLog *log)
{
	GLuint shader = glCreateShader(stage);
	GLint fine = 0, size = 0;
	glShaderSource(shader, 1, &text, NULL);
	glCompileShader(shader);
	glGetShaderiv(shader, GL_COMPILE_STATUS, &fine);
	glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &size);
	char *said = size > 1 ? calloc((size_t)size + 1, 1) : NULL;
	if (said) {
		glGetShaderInfoLog(shader, size, NULL, said);
		gpu_log_add(log, "%s%s\n", fine ? "WARNING: " : "ERROR: ", said);
		free(said);
	}
	if (!fine) {
		glDeleteShader(shader);
		shader = 0;
	}
	return shader;
}

static GLuint link_program(GLuint vertex, GLuint fragment, GpuLog *log)
{
	GLuint id = glCreateProgram();
	GLint fine = 0;
	char said[4096] = "";
	glAttachShader(id, vertex);
	glAttachShader(id, fragment);
	glLinkProgram(id);
	glGetProgramiv(id, GL_LINK_STATUS, &fine);
	glGetProgramInfoLog(id, sizeof said, NULL, said);
	if (said[0])
		gpu_log_add(log, "%s%s\n", fine ? "WARNING: " : "ERROR: ", said);
	if (!fine) {
		glDeleteProgram(id);
		id = 0;
	}
	return id;
}

GlProgram *gl_program_create(Gl *gl, const char *vertex, const char *fragment, char **log)
{
	GpuLog text = { 0 };
	GlProgram *p = gl_enter(gl, &text) ? calloc(1, sizeof *p) : NULL;
	if (p) {
		GLuint v = compile(GL_VERTEX_SHADER, vertex ? vertex : gl->api == GL_ES_30 ? cover_es : cover_core, &text);
		GLuint f = v ? compile(GL_FRAGMENT_SHADER, fragment, &text) : 0;
		*p = (GlProgram){ .gl = gl, .points = vertex != NULL, .id = f ? link_program(v, f, &text) : 0 };
		glDeleteShader(v);
		glDeleteShader(f);
		if (!p->id) {
			free(p);
			p = NULL;
		}
	}
	gpu_log_give(&text, log);
	return p;
}

void gl_program_destroy(GlProgram *p)
{
	if (!p)
		return;
	GpuLog ignored = { 0 };
	if (gl_enter(p->gl, &ignored))
		glDeleteProgram(p->id);
	free(ignored.s);
	free(p);
}

static void set_uniform(GLuint program, const GlUniform *u)
{
	GLint at = glGetUniformLocation(program, u->name);
	GLfloat f[4];
	GLint i[4];
	memcpy(f, u->word, sizeof f);
	memcpy(i, u->word, sizeof i);
	if (at < 0)
		return;                         /* the program does not depend on it */
	switch (u->width << 8 | (unsigned char)u->kind) {
	case 1 << 8 | 'f': glUniform1fv(at, 1, f); break;
	case 2 << 8 | 'f': glUniform2fv(at, 1, f); break;
	case 3 << 8 | 'f': glUniform3fv(at, 1, f); break;
	case 4 << 8 | 'f': glUniform4fv(at, 1, f); break;
	case 1 << 8 | 'i': glUniform1iv(at, 1, i); break;
	case 2 << 8 | 'i': glUniform2iv(at, 1, i); break;
	case 3 << 8 | 'i': glUniform3iv(at, 1, i); break;
	case 4 << 8 | 'i': glUniform4iv(at, 1, i); break;
	case 1 << 8 | 'u': glUniform1uiv(at, 1, u->word); break;
	case 2 << 8 | 'u': glUniform2uiv(at, 1, u->word); break;
	case 3 << 8 | 'u': glUniform3uiv(at, 1, u->word); break;
	default: glUniform4uiv(at, 1, u->word); break;
	}
}

static GLuint new_texture(void)
{
	GLuint texture;
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	return texture;
}

static GLuint give_words(const GlDraw *draw, GLsizei rows)
{
	size_t size = (size_t)GL_ROW * (size_t)rows * draw->stride;
	uint32_t *texel = calloc(size + 1, sizeof *texel);
	GLuint texture = new_texture();
	for (size_t i = 0; texel && i < draw->points; i++)
		for (size_t j = 0; j < draw->stride; j++)
			texel[(i / GL_ROW * draw->stride + j) * GL_ROW + i % GL_ROW] = draw->given[i * draw->stride + j];
	glTexImage2D(GL_TEXTURE_2D, 0, GL_R32UI, GL_ROW, rows * (GLsizei)draw->stride, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, texel);
	free(texel);
	return texture;
}

static void read_target(const GlDraw *draw, unsigned target, GLsizei width, GLsizei rows, uint32_t *out)
{
	uint32_t *pixel = calloc((size_t)width * (size_t)rows * 4, sizeof *pixel);
	glReadBuffer(GL_COLOR_ATTACHMENT0 + target);
	if (pixel)
		glReadPixels(0, 0, width, rows, draw->floats ? GL_RGBA : GL_RGBA_INTEGER, draw->floats ? GL_FLOAT : GL_UNSIGNED_INT, pixel);
	for (size_t i = 0; pixel && i < draw->points; i++)
		memcpy(out + 4 * (target * draw->points + i), pixel + 4 * (i / GL_ROW * (size_t)width + i % GL_ROW), 16);
	free(pixel);
}

GpuStatus gl_program_draw(GlProgram *p, const GlDraw *draw, uint32_t *out, char **log)
{
	GpuLog text = { 0 };
	GLsizei width = draw->points < GL_ROW ? (GLsizei)draw->points : GL_ROW, rows = (GLsizei)((draw->points + GL_ROW - 1) / GL_ROW);
	GLuint frame, target[GL_TARGETS], given;
	GLenum buffers[GL_TARGETS];
	bool fine = gl_enter(p->gl, &text);
	if (fine) {
		glUseProgram(p->id);
		glBindVertexArray(p->gl->vertices);
		glGenFramebuffers(1, &frame);
		glBindFramebuffer(GL_FRAMEBUFFER, frame);
		for (unsigned t = 0; t < draw->targets; t++) {
			target[t] = new_texture();
			if (draw->floats)
				glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, width, rows, 0, GL_RGBA, GL_FLOAT, NULL);
			else
				glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32UI, width, rows, 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT, NULL);
			buffers[t] = GL_COLOR_ATTACHMENT0 + t;
			glFramebufferTexture2D(GL_FRAMEBUFFER, buffers[t], GL_TEXTURE_2D, target[t], 0);
		}
		glDrawBuffers((GLsizei)draw->targets, buffers);
		given = give_words(draw, rows);         /* stays bound to unit 0, which `given` reads */
		for (size_t i = 0; i < draw->n_uniforms; i++)
			set_uniform(p->id, &draw->uniforms[i]);
		glUniform2i(glGetUniformLocation(p->id, "size"), width, rows);
		glViewport(0, 0, width, rows);
		fine = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
		if (fine && p->points)
			glDrawArrays(GL_POINTS, 0, (GLsizei)draw->points);
		else if (fine)
			glDrawArrays(GL_TRIANGLES, 0, 3);
		for (unsigned t = 0; fine && t < draw->targets; t++)
			read_target(draw, t, width, rows, out);
		GLenum error = glGetError();
		if (!fine || error != GL_NO_ERROR) {
			gpu_log_add(&text, "the draw failed: GL error %04x, framebuffer status %04x\n", (unsigned)error, (unsigned)glCheckFramebufferStatus(GL_FRAMEBUFFER));
			fine = false;
		}
		glDeleteTextures(1, &given);
		glDeleteTextures((GLsizei)draw->targets, target);
		glDeleteFramebuffers(1, &frame);
	}
	gpu_log_give(&text, log);
	return fine ? GPU_OK : GPU_NO_DEVICE;
}
