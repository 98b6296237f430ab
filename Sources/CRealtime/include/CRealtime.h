// The only C functions that the render path may call: each declaration is guaranteed to be free of locks, allocation
// and system calls. Atomics are functions and not macros, so that ThreadSanitizer sees them.
#ifndef CREALTIME_H
#define CREALTIME_H

#include <stdint.h>

#define REALTIME __attribute__((swift_attr("@_noLocks")))

// Words shared between threads. Loads acquire, stores release; exchange and add are sequentially consistent.
uint64_t rt_load(const uint64_t *_Nonnull cell) REALTIME;
void rt_store(uint64_t *_Nonnull cell, uint64_t value) REALTIME;
uint64_t rt_exchange(uint64_t *_Nonnull cell, uint64_t value) REALTIME;
/// Adds `value` and returns the sum.
uint64_t rt_add(uint64_t *_Nonnull cell, uint64_t value) REALTIME;
/// Raises the cell to `value` if that is larger. For a single writer.
void rt_raise(uint64_t *_Nonnull cell, uint64_t value) REALTIME;
/// Sequentially consistent load, on which the proof of the managed scene relies.
uint64_t rt_load_ordered(const uint64_t *_Nonnull cell) REALTIME;
void rt_fence(void) REALTIME;

/// Flushes denormals to zero on the calling thread: FTZ and DAZ on x86, FZ on Arm. Returns the control register of before.
uint64_t rt_flush_denormals(void) REALTIME;
/// Sets the control register to what `rt_flush_denormals` returned.
void rt_restore_denormals(uint64_t control) REALTIME;

// Functions of libm, linked by their symbol names.
float rt_exp2(float x) __asm__("exp2f") __attribute__((const)) REALTIME;
float rt_log2(float x) __asm__("log2f") __attribute__((const)) REALTIME;
float rt_sqrt(float x) __asm__("sqrtf") __attribute__((const)) REALTIME;
float rt_sin(float x) __asm__("sinf") __attribute__((const)) REALTIME;
float rt_cos(float x) __asm__("cosf") __attribute__((const)) REALTIME;
double rt_exp2_64(double x) __asm__("exp2") __attribute__((const)) REALTIME;
double rt_log2_64(double x) __asm__("log2") __attribute__((const)) REALTIME;
double rt_tan64(double x) __asm__("tan") __attribute__((const)) REALTIME;

// Shuffles of two vectors, one instruction each; Swift compiles its own to several instructions.
typedef float rt_four __attribute__((ext_vector_type(4)));
/// a0 b0 a1 b1.
static inline rt_four rt_low_pairs(rt_four a, rt_four b) REALTIME { return __builtin_shufflevector(a, b, 0, 4, 1, 5); }
/// a2 b2 a3 b3.
static inline rt_four rt_high_pairs(rt_four a, rt_four b) REALTIME { return __builtin_shufflevector(a, b, 2, 6, 3, 7); }
/// a0 a1 b0 b1.
static inline rt_four rt_low_halves(rt_four a, rt_four b) REALTIME { return __builtin_shufflevector(a, b, 0, 1, 4, 5); }
/// a2 a3 b2 b3.
static inline rt_four rt_high_halves(rt_four a, rt_four b) REALTIME { return __builtin_shufflevector(a, b, 2, 3, 6, 7); }
/// a0 a2 b0 b2.
static inline rt_four rt_even(rt_four a, rt_four b) REALTIME { return __builtin_shufflevector(a, b, 0, 2, 4, 6); }
/// a3 a2 a1 a0.
static inline rt_four rt_reversed(rt_four a) REALTIME { return __builtin_shufflevector(a, a, 3, 2, 1, 0); }
/// a1 a3 b1 b3.
static inline rt_four rt_odd(rt_four a, rt_four b) REALTIME { return __builtin_shufflevector(a, b, 1, 3, 5, 7); }

/// Converts to whole numbers, rounded towards 0, in one instruction; Swift uses one instruction for each lane. `x`
/// within ±2^31.
typedef int32_t rt_four_words __attribute__((ext_vector_type(4)));
static inline rt_four_words rt_whole(rt_four x) REALTIME { return __builtin_convertvector(x, rt_four_words); }
/// Converts one number to a whole number, rounded towards 0, without a range check. `x` within ±2^31.
static inline int32_t rt_whole_number(float x) REALTIME { return (int32_t)x; }

// Hides the origin of a vector from the compiler, without an instruction. Otherwise the compiler moves shuffles and
// lane accesses past the arithmetic that follows, and repeats them.
#if defined(__aarch64__)
#define RT_HIDE(x) __asm__("" : "+w"(x))
#elif defined(__x86_64__)
#define RT_HIDE(x) __asm__("" : "+x"(x))
#else
#define RT_HIDE(x)
#endif
/// Returns `x`, with its origin hidden from the compiler.
static inline rt_four rt_opaque(rt_four x) REALTIME {
  RT_HIDE(x);
  return x;
}

// Converts both channels of four frames to interleaved frames in double precision, and back, with whole vectors,
// which Swift would split into elements.
typedef double rt_two_doubles __attribute__((ext_vector_type(2)));
typedef float rt_two __attribute__((ext_vector_type(2)));
/// Returns `x`, with its origin hidden from the compiler.
static inline rt_two_doubles rt_opaque_two(rt_two_doubles x) REALTIME {
  RT_HIDE(x);
  return x;
}
static inline void rt_to_frames(rt_four l, rt_four r, double *_Nonnull frames) REALTIME {
  rt_four low = rt_low_pairs(l, r), high = rt_high_pairs(l, r);
  rt_two_doubles *to = (rt_two_doubles *)frames;
  to[0] = __builtin_convertvector(low.lo, rt_two_doubles);
  to[1] = __builtin_convertvector(low.hi, rt_two_doubles);
  to[2] = __builtin_convertvector(high.lo, rt_two_doubles);
  to[3] = __builtin_convertvector(high.hi, rt_two_doubles);
}
static inline rt_four rt_two_frames(const double *_Nonnull frames) REALTIME {
  const rt_two_doubles *from = (const rt_two_doubles *)frames;
  rt_two a = __builtin_convertvector(from[0], rt_two), b = __builtin_convertvector(from[1], rt_two);
  return __builtin_shufflevector(a, b, 0, 2, 1, 3);
}

#ifdef __x86_64__
// Single instructions of amd64 that Swift cannot express. They return `b` if one of the two is NaN.
static inline rt_four rt_larger(rt_four a, rt_four b) REALTIME { return __builtin_ia32_maxps(a, b); }
static inline rt_four rt_smaller(rt_four a, rt_four b) REALTIME { return __builtin_ia32_minps(a, b); }
/// The sign bits of the four lanes, one bit each.
static inline int32_t rt_highest_bits(rt_four x) REALTIME { return __builtin_ia32_movmskps(x); }
#endif
#ifdef __aarch64__
// Single instructions of 64-bit Arm that Swift cannot express.
typedef float rt_lanes __attribute__((ext_vector_type(8)));
static inline rt_lanes rt_larger(rt_lanes a, rt_lanes b) REALTIME { return __builtin_elementwise_max(a, b); }
static inline rt_lanes rt_smaller(rt_lanes a, rt_lanes b) REALTIME { return __builtin_elementwise_min(a, b); }
static inline rt_four rt_larger_four(rt_four a, rt_four b) REALTIME { return __builtin_elementwise_max(a, b); }
static inline rt_four rt_smaller_four(rt_four a, rt_four b) REALTIME { return __builtin_elementwise_min(a, b); }
/// 1 / `x` without a division, which takes 30 cycles on a Raspberry Pi 4: the processor's estimate with 8 bits and
/// two of its Newton steps. Relative error 1.2e-7, for `x` within 1e±37.
static inline rt_four rt_inverse(rt_four x) REALTIME {
  rt_four y, step;
  __asm__("frecpe %0.4s, %1.4s" : "=w"(y) : "w"(x));
  __asm__("frecps %0.4s, %1.4s, %2.4s" : "=w"(step) : "w"(x), "w"(y));
  y *= step;
  __asm__("frecps %0.4s, %1.4s, %2.4s" : "=w"(step) : "w"(x), "w"(y));
  return y * step;
}
static inline rt_lanes rt_inverse_lanes(rt_lanes x) REALTIME {
  rt_four low = rt_inverse(x.lo), high = rt_inverse(x.hi);
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
#endif

#endif
