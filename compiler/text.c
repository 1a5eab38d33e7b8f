/* Growing texts, and floats to and from decimal. Nothing here depends on the locale.
   Decimal conversion is exact: big integers, then one rounding straight to float. */
#include "cc.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

/* ---- growing texts ---- */

static void reserve(Text *text, size_t more)
{
	size_t needed = text->size + more + 1;
	if (needed <= text->capacity)
		return;
	size_t capacity = text->capacity ? text->capacity : 64;
	while (capacity < needed)
		capacity *= 2;
	text->data = arena_grow(text->arena, text->data, text->capacity, capacity);
	text->capacity = capacity;
}

void text_add_n(Text *text, const char *string, size_t size)
{
	reserve(text, size);
	if (size)
		memcpy(text->data + text->size, string, size);
	text->size += size;
	text->data[text->size] = '\0';
}

void text_add(Text *text, const char *string)
{
	text_add_n(text, string, strlen(string));
}

/* None of the conversions allowed here looks at the locale, so the library may do them. */
static void add_formatted(Text *text, const char *format, va_list arguments)
{
	va_list again;
	va_copy(again, arguments);
	int size = vsnprintf(NULL, 0, format, arguments);
	if (size > 0) {
		reserve(text, (size_t)size);
		vsnprintf(text->data + text->size, (size_t)size + 1, format, again);
		text->size += (size_t)size;
	}
	va_end(again);
}

void text_format(Text *text, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	add_formatted(text, format, arguments);
	va_end(arguments);
}

const char *text_vprint(Arena *arena, const char *format, va_list arguments)
{
	Text text = { .arena = arena };
	add_formatted(&text, format, arguments);
	return text.data ? text.data : "";
}

const char *text_print(Arena *arena, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	const char *result = text_vprint(arena, format, arguments);
	va_end(arguments);
	return result;
}

/* ---- big integers: just enough for floats ----

   The largest that occurs is below 10^121 * 5^39 * 2^300, which has fewer than 800 bits. */

enum { BIG_WORDS = 32 };

typedef struct Big {
	int words;
	uint32_t word[BIG_WORDS];               /* least significant first; the last one is not 0 */
} Big;

static void big_multiply_add(Big *big, uint32_t factor, uint32_t addend)
{
	uint64_t carry = addend;
	for (int i = 0; i < big->words; i++) {
		carry += (uint64_t)big->word[i] * factor;
		big->word[i] = (uint32_t)carry;
		carry >>= 32;
	}
	if (carry)
		big->word[big->words++] = (uint32_t)carry;
}

static void big_multiply_power(Big *big, uint32_t base, int exponent)
{
	for (; exponent > 0; exponent--)
		big_multiply_add(big, base, 0);
}

static void big_shift_left(Big *big, int bits)
{
	int whole = bits / 32;
	if (big->words == 0)
		return;
	big_multiply_add(big, UINT32_C(1) << bits % 32, 0);
	memmove(big->word + whole, big->word, (size_t)big->words * sizeof *big->word);
	memset(big->word, 0, (size_t)whole * sizeof *big->word);
	big->words += whole;
}

static int big_compare(const Big *a, const Big *b)
{
	if (a->words != b->words)
		return a->words < b->words ? -1 : 1;
	for (int i = a->words; i-- > 0;)
		if (a->word[i] != b->word[i])
			return a->word[i] < b->word[i] ? -1 : 1;
	return 0;
}

static uint32_t big_divide_by_ten(Big *big)
{
	uint64_t rest = 0;
	for (int i = big->words; i-- > 0;) {
		rest = rest << 32 | big->word[i];
		big->word[i] = (uint32_t)(rest / 10);
		rest %= 10;
	}
	while (big->words > 0 && big->word[big->words - 1] == 0)
		big->words--;
	return (uint32_t)rest;
}

/* ---- reading ---- */

/* A float is `significand` * 2^`exponent`. */
static void split_float(uint32_t bits, uint32_t *significand, int *exponent)
{
	uint32_t field = bits >> 23;
	*significand = (bits & 0x7fffff) | (field ? 0x800000 : 0);
	*exponent = (int)(field ? field : 1) - 150;
}

static float float_from_bits(uint32_t bits)
{
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

/* Significant digits kept: halfway points of floats have fewer, so what follows only breaks ties. */
enum { MAX_DIGITS = 120 };

/* The sign of numerator/denominator * 2^scale - significand * 2^exponent. */
static int compare_with(const Big *numerator, const Big *denominator, int scale, uint32_t significand, int exponent)
{
	Big a = *numerator, b = *denominator;
	big_multiply_add(&b, significand, 0);
	while (b.words > 0 && b.word[b.words - 1] == 0)
		b.words--;
	if (scale > exponent)
		big_shift_left(&a, scale - exponent);
	else
		big_shift_left(&b, exponent - scale);
	return big_compare(&a, &b);
}

/* Positive floats are ordered like their bits: look for the largest one that is not above the decimal,
   then decide between it and the next by the point halfway. */
static uint32_t nearest_bits(const Big *digits, int exponent)
{
	Big numerator = *digits, denominator = { 1, { 1 } };
	big_multiply_power(&numerator, 5, exponent);
	big_multiply_power(&denominator, 5, -exponent);
	uint32_t low = 0, high = 0x7f800000;    /* low <= decimal < high, infinity taken as 2^128 */
	uint32_t significand;
	int binary;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		split_float(middle, &significand, &binary);
		if (compare_with(&numerator, &denominator, exponent, significand, binary) >= 0)
			low = middle;
		else
			high = middle;
	}
	split_float(low, &significand, &binary);
	int above = compare_with(&numerator, &denominator, exponent, 2 * significand + 1, binary - 1);
	return above > 0 || (above == 0 && (low & 1)) ? high : low;
}

/* Most decimals: both operands are exact doubles, so one operation rounds once (W. Clinger, "How to read
   floating point numbers accurately", 1990). The decimal lies on the same side of every halfway point of
   floats as that double, unless the double is such a point, or the float a denormal one: then false. */
static bool quick_bits(const Big *digits, int exponent, uint32_t *bits)
{
	static const double power[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13,
		1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
	const int most = sizeof power / sizeof *power - 1;
	uint64_t whole = digits->words > 0 ? digits->word[0] : 0, pattern;
	if (digits->words > 1)
		whole |= (uint64_t)digits->word[1] << 32;
	if (digits->words > 2 || whole > UINT64_C(1) << 53 || exponent < -most || exponent > most)
		return false;
	double value = exponent < 0 ? (double)whole / power[-exponent] : (double)whole * power[exponent];
	memcpy(&pattern, &value, sizeof pattern);
	if (value < (double)FLT_MIN || value > (double)FLT_MAX || (pattern & 0x1fffffff) == 0x10000000)
		return false;
	float nearest = (float)value;
	memcpy(bits, &nearest, sizeof *bits);
	return true;
}

/* Reads an optional '-', digits with an optional point, and an optional exponent, and stops at the first
   byte that fits nowhere. Too large becomes infinity, too small 0. */
float text_read_float(const char *string, size_t size)
{
	const char *at = string, *end = string + size;
	bool negative = at < end && *at == '-';
	if (negative)
		at++;

	Big digits = { 0 };
	int count = 0, exponent = 0;
	bool fraction = false, rest = false;
	for (; at < end; at++) {
		if (*at == '.' && !fraction) {
			fraction = true;
			continue;
		}
		if (*at < '0' || *at > '9')
			break;
		uint32_t digit = (uint32_t)(*at - '0');
		if (count < MAX_DIGITS) {
			big_multiply_add(&digits, 10, digit);
			count += digits.words > 0;
			exponent -= fraction;
		} else {
			rest |= digit != 0;
			exponent += !fraction;
		}
	}
	if (rest) {
		big_multiply_add(&digits, 10, 1);
		count++;
		exponent--;
	}

	if (at + 1 < end && (*at == 'e' || *at == 'E')) {
		at++;
		bool below = *at == '-';
		if (*at == '-' || *at == '+')
			at++;
		int written = 0;
		for (; at < end && *at >= '0' && *at <= '9'; at++)
			if (written < 100000000)
				written = written * 10 + (*at - '0');
		exponent += below ? -written : written;
	}

	/* The decimal lies in [10^(magnitude-1), 10^magnitude). */
	int magnitude = count + exponent;
	uint32_t bits;
	if (digits.words == 0 || magnitude < -45)
		bits = 0;
	else if (magnitude > 39)
		bits = 0x7f800000;
	else if (!quick_bits(&digits, exponent, &bits))
		bits = nearest_bits(&digits, exponent);
	return float_from_bits(bits | (negative ? 0x80000000u : 0));
}

/* ---- writing ---- */

enum { SHORTEST_DIGITS = 9 };                   /* always enough for a float */

/* A decimal: 0.d1d2d3… * 10^point. */
typedef struct Decimal {
	char digit[MAX_DIGITS];
	int digits, point;
} Decimal;

static Decimal exact_decimal(uint32_t bits)
{
	uint32_t significand;
	int exponent;
	split_float(bits, &significand, &exponent);
	Big big = { 1, { significand } };
	if (exponent >= 0)
		big_shift_left(&big, exponent);
	else
		big_multiply_power(&big, 5, -exponent);         /* m / 2^k = m * 5^k / 10^k */
	char reversed[160];
	int count = 0;
	while (big.words > 0)
		reversed[count++] = (char)('0' + big_divide_by_ten(&big));
	Decimal decimal = { .point = count + (exponent < 0 ? exponent : 0) };
	int zeros = 0;
	while (zeros < count && reversed[zeros] == '0')
		zeros++;
	while (count > zeros)
		decimal.digit[decimal.digits++] = reversed[--count];
	return decimal;
}

/* Cuts to `digits` digits, then adds one in the last place if `up`. */
static Decimal cut_decimal(const Decimal *exact, int digits, bool up)
{
	Decimal cut = { .digits = digits, .point = exact->point };
	for (int i = 0; i < digits; i++)
		cut.digit[i] = i < exact->digits ? exact->digit[i] : '0';
	if (!up)
		return cut;
	int i = digits - 1;
	while (i >= 0 && cut.digit[i] == '9')
		cut.digit[i--] = '0';
	if (i >= 0) {
		cut.digit[i]++;
	} else {
		cut.digit[0] = '1';
		cut.point++;
	}
	return cut;
}

static bool reads_back(const Decimal *decimal, uint32_t bits)
{
	Big digits = { 0 };
	for (int i = 0; i < decimal->digits; i++)
		big_multiply_add(&digits, 10, (uint32_t)(decimal->digit[i] - '0'));
	int exponent = decimal->point - decimal->digits;
	uint32_t read;
	if (!quick_bits(&digits, exponent, &read))
		read = nearest_bits(&digits, exponent);
	return read == bits;
}

static Decimal shortest_decimal(uint32_t bits)
{
	Decimal exact = exact_decimal(bits);
	for (int digits = 1; digits < SHORTEST_DIGITS; digits++) {
		/* Both neighbours are tried, the nearer one first: below a power of two floats lie closer, so
		   the nearer decimal may miss where the other one hits. */
		bool up = digits < exact.digits && exact.digit[digits] >= '5';
		Decimal cut = cut_decimal(&exact, digits, up);
		if (reads_back(&cut, bits))
			return cut;
		cut = cut_decimal(&exact, digits, !up);
		if (reads_back(&cut, bits))
			return cut;
	}
	return cut_decimal(&exact, SHORTEST_DIGITS,
		exact.digits > SHORTEST_DIGITS && exact.digit[SHORTEST_DIGITS] >= '5');
}

static void add_zeros(Text *text, int count)
{
	while (count-- > 0)
		text_add_n(text, "0", 1);
}

void text_float(Text *text, float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	if (bits >> 31)
		text_add(text, "-");
	bits &= 0x7fffffff;
	if (bits == 0) {
		text_add(text, "0.0");
		return;
	}
	Decimal d = shortest_decimal(bits);
	while (d.digits > 1 && d.digit[d.digits - 1] == '0')
		d.digits--;
	size_t digits = (size_t)d.digits;
	if (d.point > 9 || d.point < -4) {
		text_add_n(text, d.digit, 1);
		if (digits > 1) {
			text_add(text, ".");
			text_add_n(text, d.digit + 1, digits - 1);
		}
		text_format(text, "e%d", d.point - 1);
	} else if (d.point <= 0) {
		text_add(text, "0.");
		add_zeros(text, -d.point);
		text_add_n(text, d.digit, digits);
	} else if (d.digits <= d.point) {
		text_add_n(text, d.digit, digits);
		add_zeros(text, d.point - d.digits);
		text_add(text, ".0");
	} else {
		text_add_n(text, d.digit, (size_t)d.point);
		text_add(text, ".");
		text_add_n(text, d.digit + d.point, digits - (size_t)d.point);
	}
}
