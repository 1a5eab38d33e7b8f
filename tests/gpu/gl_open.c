/* A context without a window, on the software rasterizer even where there is a graphics card: its arithmetic is the
   same everywhere. */
#define _POSIX_C_SOURCE 200809L
#include "gl_inside.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* epoxy aborts where a library is missing; it is asked for before. */
static bool have_libraries(GlApi api, GpuLog *log)
{
	if (!epoxy_has_egl()) {
		gpu_log_add(log, "libEGL is not installed (Debian: libegl1 libegl-mesa0)\n");
		return false;
	}
	const char *names[2][2] = { { "libOpenGL.so.0", "libGL.so.1" }, { "libGLESv2.so.2", NULL } };
	for (int i = 0; i < 2; i++) {
		void *library = names[api == GL_ES_30][i] ? dlopen(names[api == GL_ES_30][i], RTLD_LAZY) : NULL;
		if (library) {
			dlclose(library);
			return true;
		}
	}
	gpu_log_add(log, "%s is not installed (Debian: %s)\n", names[api == GL_ES_30][0], api == GL_ES_30 ? "libgles2" : "libopengl0");
	return false;
}

static bool egl_failed(GpuLog *log, const char *call)
{
	gpu_log_add(log, "%s: EGL error %04x\n", call, (unsigned)eglGetError());
	return false;
}

bool gl_enter(Gl *gl, GpuLog *log)
{
	return eglMakeCurrent(gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, gl->context) || egl_failed(log, "eglMakeCurrent");
}

static bool make_context(Gl *gl, GpuLog *log)
{
	bool es = gl->api == GL_ES_30;
	EGLint wanted[] = { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, es ? 0 : 3,
		es ? EGL_NONE : EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE };
	if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) {
		gpu_log_add(log, "EGL has no surfaceless platform\n");
		return false;
	}
	gl->display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	if (!gl->display || !eglInitialize(gl->display, NULL, NULL))
		return egl_failed(log, "eglInitialize");
	if (!eglBindAPI(es ? EGL_OPENGL_ES_API : EGL_OPENGL_API))
		return egl_failed(log, "eglBindAPI");
	gl->context = eglCreateContext(gl->display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
	if (gl->context == EGL_NO_CONTEXT)
		return egl_failed(log, "eglCreateContext");
	return gl_enter(gl, log);
}

Gl *gl_open(GlApi api, char **log)
{
	GpuLog text = { 0 };
	Gl *gl = NULL;
	setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
	setenv("GALLIVM_PERF", "nopt", 0);      /* else llvmpipe works for minutes on one long shader */
	if (have_libraries(api, &text) && (gl = calloc(1, sizeof *gl)) != NULL) {
		gl->api = api;
		if (make_context(gl, &text)) {
			snprintf(gl->name, sizeof gl->name, "%s, %s", (const char *)glGetString(GL_RENDERER), (const char *)glGetString(GL_VERSION));
			glGenVertexArrays(1, &gl->vertices);
		} else {
			gl_close(gl);
			gl = NULL;
		}
	}
	gpu_log_give(&text, log);
	return gl;
}

/* The display is shared by all contexts of the process and stays. */
void gl_close(Gl *gl)
{
	if (!gl)
		return;
	if (gl->context != EGL_NO_CONTEXT) {
		eglMakeCurrent(gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
		eglDestroyContext(gl->display, gl->context);
	}
	free(gl);
}

const char *gl_name(const Gl *gl)
{
	return gl->name;
}
