/* Shared by range.c, which walks functions, and range_rule.c, which has a rule per row of ops.def. */
#ifndef NOISEC_RANGE_H
#define NOISEC_RANGE_H

#include "cc.h"

Range range_interval(double low, double high);
Range range_full(int kind);                                     /* anything of this kind */
Range range_apply(Op, const Range *operands, bool same, int kind);      /* same: both operands are one value */

#endif
