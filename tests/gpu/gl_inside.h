/* What the OpenGL files share. */
#ifndef NOISEC_TESTS_GPU_GL_INSIDE_H
#define NOISEC_TESTS_GPU_GL_INSIDE_H

#include "gl.h"
#include "log.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

struct Gl {
	EGLDisplay display;
	EGLContext context;
	GlApi api;
	char name[256];
	GLuint vertices;                /* an empty array object: vertices are made of their number */
};

bool gl_enter(Gl *gl, GpuLog *log);     /* makes the context current */

#endif
