/* What calls of noisec.h and noisert.h return. Numbers are stable. */
#ifndef NZ_STATUS_H
#define NZ_STATUS_H

typedef enum nz_status {
	NZ_OK = 0,
	NZ_ERROR_SOURCE,                        /* the source has errors: see nz_get_diagnostics */
	NZ_ERROR_ARGUMENT,                      /* an argument or option names something that does not exist or cannot be */
	NZ_ERROR_MEMORY,                        /* an allocation failed, or the memory given is too small */
	NZ_ERROR_PROGRAM,                       /* bytes that are not a valid program */
	NZ_ERROR_INTERNAL                       /* a bug of ours */
} nz_status;

#endif
