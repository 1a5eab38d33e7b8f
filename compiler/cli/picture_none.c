/* Stands in for picture.c where noisec is built without libpng. */
#include "picture.h"

int picture_write(const Picture *p, const char *path)
{
	(void)p;
	return complain(STATUS_FILE, "cannot write '%s': this noisec was built without libpng", path);
}
