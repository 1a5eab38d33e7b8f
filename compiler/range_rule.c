/* The frozen range rule, one function per name in the range column of ops.def. `range` and `unit` print
   these numbers into programs, so a rule may never change within an edition. Float arithmetic rounds
   monotonically, so rounding the ends to float like the operation itself does gives a sound interval with
   no extra margin. */
#include <math.h>
#include <string.h>

#include "range.h"
#include "../runtime/num.h"

Range range_interval(double low, double high) { return (Range){ low, high, false }; }

Range range_full(int kind)
{
	switch (kind) {
	case KIND_BOOL: return range_interval(0, 1);
	case KIND_INT: return range_interval(INT32_MIN, INT32_MAX);
	case KIND_UINT: return range_interval(0, UINT32_MAX);
	default: return (Range){ -INFINITY, INFINITY, true };
	}
}

Bounds range_bounds(Range r)
{
	const double largest = NUM_FLOAT_MAX;
	double low = fmax(fmin(r.low, largest), -largest), high = fmax(fmin(r.high, largest), -largest);
	Bounds b = { (float)low, (float)high };
	if ((double)b.low > low)
		b.low = nextafterf(b.low, -INFINITY);
	if ((double)b.high < high)
		b.high = nextafterf(b.high, INFINITY);
	return b;
}

bool range_is_finite(Range r)
{
	return !r.nan && r.low >= -(double)NUM_FLOAT_MAX && r.high <= (double)NUM_FLOAT_MAX;
}

Range range_hull(Range a, Range b)
{
	return (Range){ fmin(a.low, b.low), fmax(a.high, b.high), a.nan || b.nan };
}

static Range ends(double a, double b, double c, double d, bool nan)
{
	double low = INFINITY, high = -INFINITY, all[4] = { a, b, c, d };
	for (int i = 0; i < 4; i++) {
		if (isnan(all[i])) {            /* 0 * inf and its like: what lies beside it is 0 */
			nan = true;
			all[i] = 0;
		}
		low = fmin(low, all[i]);
		high = fmax(high, all[i]);
	}
	return (Range){ low, high, nan };
}

static Range whole(double low, double high, int kind)
{
	Range f = range_full(kind);
	return low >= f.low && high <= f.high ? range_interval(low, high) : f;
}

static bool contains(Range r, double x) { return r.low <= x && r.high >= x; }

/* The rules: range_<column>(operands, same: both operands are one value, kind of the result). */

#define RULE(name) static Range range_##name(const Range *a, bool same, int kind)
#define UNUSED (void)a; (void)same; (void)kind

RULE(same) { UNUSED; return a[0]; }
RULE(select) { UNUSED; return a[0].low == a[0].high ? a[0].low != 0 ? a[1] : a[2] : range_hull(a[1], a[2]); }
RULE(bool) { UNUSED; return range_interval(0, 1); }

RULE(fadd)
{
	UNUSED;
	bool nan = a[0].nan || a[1].nan || (a[0].low == -INFINITY && a[1].high == INFINITY) || (a[0].high == INFINITY && a[1].low == -INFINITY);
	double low = (float)a[0].low + (float)a[1].low, high = (float)a[0].high + (float)a[1].high;
	return (Range){ isnan(low) ? -INFINITY : low, isnan(high) ? INFINITY : high, nan };
}

RULE(fneg) { UNUSED; return (Range){ -a[0].high, -a[0].low, a[0].nan }; }

RULE(fsub)
{
	Range b[2] = { a[0], range_fneg(a + 1, false, kind) };
	return range_fadd(b, same, kind);
}

RULE(fmul)
{
	UNUSED;
	float l = (float)a[0].low, h = (float)a[0].high, m = (float)a[1].low, n = (float)a[1].high;
	bool infinite = l == -INFINITY || h == INFINITY, infinite2 = m == -INFINITY || n == INFINITY;
	Range r = ends((double)(l * m), (double)(l * n), (double)(h * m), (double)(h * n), a[0].nan || a[1].nan);
	if ((infinite && contains(a[1], 0)) || (infinite2 && contains(a[0], 0)))
		r.nan = true;
	if (same) {
		r.low = contains(a[0], 0) ? 0 : fmin((double)(l * l), (double)(h * h));
		r.high = fmax((double)(l * l), (double)(h * h));
		r.nan = a[0].nan;
	}
	return r;
}

RULE(fdiv)
{
	UNUSED;
	float l = (float)a[0].low, h = (float)a[0].high, m = (float)a[1].low, n = (float)a[1].high;
	if (contains(a[1], 0)) {
		Range r = (Range){ -INFINITY, INFINITY, a[0].nan || a[1].nan || !range_is_finite(a[0]) };
		if (m >= 0 && l >= 0)
			r.low = 0;
		return r;
	}
	bool infinite = (l == -INFINITY || h == INFINITY) && (m == -INFINITY || n == INFINITY);
	return ends((double)(l / m), (double)(l / n), (double)(h / m), (double)(h / n), a[0].nan || a[1].nan || infinite);
}

RULE(fmod)
{
	UNUSED;
	/* near the largest float the quotient times b may overflow */
	double high = fmax(fabs(a[1].low), fabs(a[1].high));
	return high < 1e38 ? (Range){ 0, high, a[1].nan } : (Range){ 0, INFINITY, true };
}

RULE(fsqrt)
{
	UNUSED;
	return range_interval(a[0].low > 0 && !a[0].nan ? (double)sqrtf((float)a[0].low) : 0, a[0].high > 0 ? (double)sqrtf((float)a[0].high) : 0);
}

RULE(fabs)
{
	UNUSED;
	double x = fabs(a[0].low), y = fabs(a[0].high);
	return (Range){ contains(a[0], 0) ? 0 : fmin(x, y), fmax(x, y), a[0].nan };
}

RULE(ffloor) { UNUSED; return (Range){ floor(a[0].low), floor(a[0].high), a[0].nan }; }
RULE(fceil) { UNUSED; return (Range){ ceil(a[0].low), ceil(a[0].high), a[0].nan }; }
RULE(ftrunc) { UNUSED; return (Range){ trunc(a[0].low), trunc(a[0].high), a[0].nan }; }
RULE(fround) { UNUSED; return (Range){ (double)num_round((float)a[0].low), (double)num_round((float)a[0].high), a[0].nan }; }

/* a < b ? a : b gives b where either is NaN, and b where b is */
RULE(fmin)
{
	UNUSED;
	Range r = { fmin(a[0].low, a[1].low), fmin(a[0].high, a[1].high), a[1].nan };
	if (a[0].nan)
		r.high = fmax(r.high, a[1].high);
	if (a[1].nan)
		r = range_hull(r, a[1]);
	return r;
}

RULE(fmax)
{
	UNUSED;
	Range r = { fmax(a[0].low, a[1].low), fmax(a[0].high, a[1].high), a[1].nan };
	if (a[0].nan)
		r.low = fmin(r.low, a[1].low);
	if (a[1].nan)
		r = range_hull(r, a[1]);
	return r;
}

RULE(fbound)
{
	UNUSED;
	double m = NUM_LATTICE_LIMIT;
	return (Range){ fmax(fmin(a[0].low, m), -m), fmax(fmin(a[0].high, m), -m), a[0].nan };
}

RULE(fclean)
{
	UNUSED;
	double m = NUM_FLOAT_MAX;
	Range r = range_interval(fmin(fmax(a[0].low, -m), m), fmax(fmin(a[0].high, m), -m));
	return a[0].nan ? range_hull(r, range_interval(0, 0)) : r;
}

RULE(within)
{
	UNUSED;
	return (Range){ fmax(a[0].low, a[1].low), fmin(a[0].high, a[2].high), a[0].nan };
}

RULE(iadd) { UNUSED; return whole(a[0].low + a[1].low, a[0].high + a[1].high, kind); }
RULE(isub) { UNUSED; return whole(a[0].low - a[1].high, a[0].high - a[1].low, kind); }
RULE(ineg) { UNUSED; return whole(-a[0].high, -a[0].low, kind); }

RULE(imul)
{
	UNUSED;
	Range r = ends(a[0].low * a[1].low, a[0].low * a[1].high, a[0].high * a[1].low, a[0].high * a[1].high, false);
	return whole(r.low, r.high, kind);
}

RULE(idiv)
{
	UNUSED;
	if (contains(a[1], 0))
		return range_full(kind);
	Range r = ends(a[0].low / a[1].low, a[0].low / a[1].high, a[0].high / a[1].low, a[0].high / a[1].high, false);
	return whole(floor(r.low), floor(r.high), kind);
}

RULE(imod)
{
	UNUSED;
	double high = fmax(a[1].high - 1, 0), low = fmin(a[1].low + 1, 0);
	return range_interval(low, high);
}

RULE(iabs)
{
	UNUSED;
	double x = fabs(a[0].low), y = fabs(a[0].high);
	return whole(contains(a[0], 0) ? 0 : fmin(x, y), fmax(x, y), kind);
}

RULE(imin) { UNUSED; return range_interval(fmin(a[0].low, a[1].low), fmin(a[0].high, a[1].high)); }
RULE(imax) { UNUSED; return range_interval(fmax(a[0].low, a[1].low), fmax(a[0].high, a[1].high)); }
RULE(iany) { UNUSED; return range_full(KIND_INT); }
RULE(uany) { UNUSED; return range_full(KIND_UINT); }
#define range_uadd range_iadd
#define range_usub range_isub
#define range_umul range_imul
#define range_umin range_imin
#define range_umax range_imax
RULE(uand) { UNUSED; return range_interval(0, fmin(a[0].high, a[1].high)); }
RULE(udiv) { UNUSED; return range_interval(0, a[1].low >= 1 ? floor(a[0].high / a[1].low) : a[0].high); }
RULE(umod) { UNUSED; return range_interval(0, a[1].high >= 1 ? a[1].high - 1 : 0); }

RULE(ushr)
{
	UNUSED;
	return a[1].low == a[1].high && a[1].low < 32 ? range_interval(floor(a[0].low / exp2(a[1].low)), floor(a[0].high / exp2(a[1].low))) : range_interval(0, a[0].high);
}

RULE(ftoi)
{
	UNUSED;
	Range r = range_interval(fmax(trunc(a[0].low), INT32_MIN), fmin(trunc(a[0].high), INT32_MAX));
	r.low = fmin(r.low, INT32_MAX);
	r.high = fmax(r.high, INT32_MIN);
	return a[0].nan ? range_hull(r, range_interval(0, 0)) : r;
}

RULE(ftou)
{
	UNUSED;
	Range r = range_interval(fmin(fmax(trunc(a[0].low), 0), UINT32_MAX), fmax(fmin(trunc(a[0].high), UINT32_MAX), 0));
	return a[0].nan ? range_hull(r, range_interval(0, 0)) : r;
}

/* the raw conversions give any value for NaN and beyond the ends */
static bool converts(Range a, double low, double high) { return !a.nan && a.low > low - 1 && a.high < high + 1; }
RULE(rawint) { return converts(a[0], INT32_MIN, INT32_MAX) ? range_ftoi(a, same, kind) : range_full(KIND_INT); }
RULE(rawuint) { return converts(a[0], 0, UINT32_MAX) ? range_ftou(a, same, kind) : range_full(KIND_UINT); }

RULE(itou) { UNUSED; return a[0].low >= 0 ? a[0] : range_full(KIND_UINT); }
RULE(itof) { UNUSED; return range_interval((double)(float)a[0].low, (double)(float)a[0].high); }
#define range_utof range_itof
RULE(btof) { UNUSED; return a[0]; }
#define range_btoi range_btof
#define range_btou range_btof

/* bits of floats of one sign rise with the float, so ends map to ends while they stay finite */
RULE(bitsf)
{
	UNUSED;
	if (a[0].high < 0x7f800000u)
		return range_interval((double)num_from_bits((uint32_t)a[0].low), (double)num_from_bits((uint32_t)a[0].high));
	return range_full(KIND_FLOAT);
}

typedef Range Rule(const Range *, bool, int);

static Rule *const rules[OP_COUNT] = {
#define OP(ID, NAME, R, A, B, C, FLAGS, MEANING, SHADER, VSHADER, RANGE, DOC) [OP_##ID] = range_##RANGE,
#include "../runtime/ops.def"
#undef OP
};

Range range_apply(Op op, const Range *operands, bool same, int kind)
{
	return rules[op](operands, same, kind);
}
