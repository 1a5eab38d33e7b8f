/* Runs fragment shaders on OpenGL or OpenGL ES without a window: EGL on Mesa's software rasterizer. A draw has as many
   points as asked for; each reads its own words from a texture and writes words to render targets, so that bits arrive
   as they are. Assumes one thread at a time. Logs as in gpu.h. */
#ifndef NOISEC_TESTS_GPU_GL_H
#define NOISEC_TESTS_GPU_GL_H

#include "gpu.h"

typedef struct Gl Gl;                   /* an open context */
typedef struct GlProgram GlProgram;

typedef enum GlApi { GL_CORE_33, GL_ES_30 } GlApi;

/* NULL where EGL, a driver or a context of that version is missing; the log says which. The context is made current,
   and every call below makes its own current again. */
Gl *gl_open(GlApi api, char **log);
void gl_close(Gl *gl);                  /* NULL is allowed */
const char *gl_name(const Gl *gl);      /* renderer and version; lives as long as the context */

enum { GL_ROW = 1024, GL_TARGETS = 8 };

/* Word j of point i is the red of texel (i % GL_ROW, i / GL_ROW * stride + j) of `uniform usampler2D given`. Point i is
   the fragment at pixel (i % GL_ROW, i / GL_ROW), and the vertex of that number: with vertex NULL a triangle covers all
   of them; else points are drawn, and `uniform ivec2 size` has how many pixels there are. */
GlProgram *gl_program_create(Gl *gl, const char *vertex, const char *fragment, char **log);
void gl_program_destroy(GlProgram *program);

typedef struct GlUniform {
	char name[128];
	char kind;                      /* f, i or u (also for bool) */
	unsigned width;
	uint32_t word[4];               /* a bool is 0 or 1 */
} GlUniform;

typedef struct GlDraw {
	const GlUniform *uniforms;
	size_t n_uniforms;
	const uint32_t *given;          /* stride words a point */
	unsigned stride;
	size_t points;
	unsigned targets;               /* up to GL_TARGETS, four words a point each */
	bool floats;                    /* the targets are float vectors, not uint vectors */
} GlDraw;

/* Writes 4 * points words for each target to `out`, target after target. */
GpuStatus gl_program_draw(GlProgram *program, const GlDraw *draw, uint32_t *out, char **log);

#endif
