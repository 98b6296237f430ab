// Atomics and processor state for the render path.
#include "CRealtime.h"

uint64_t rt_load(const uint64_t *cell) { return __atomic_load_n(cell, __ATOMIC_ACQUIRE); }
void rt_store(uint64_t *cell, uint64_t value) { __atomic_store_n(cell, value, __ATOMIC_RELEASE); }
uint64_t rt_exchange(uint64_t *cell, uint64_t value) { return __atomic_exchange_n(cell, value, __ATOMIC_SEQ_CST); }
uint64_t rt_add(uint64_t *cell, uint64_t value) { return __atomic_add_fetch(cell, value, __ATOMIC_SEQ_CST); }
uint64_t rt_load_ordered(const uint64_t *cell) { return __atomic_load_n(cell, __ATOMIC_SEQ_CST); }
void rt_fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

void rt_raise(uint64_t *cell, uint64_t value) {
  if (__atomic_load_n(cell, __ATOMIC_RELAXED) < value) __atomic_store_n(cell, value, __ATOMIC_RELEASE);
}

uint64_t rt_flush_denormals(void) {
  uint64_t control = 0;
#if defined(__x86_64__)
  control = __builtin_ia32_stmxcsr();
  rt_restore_denormals(control | 0x8040u);
#elif defined(__aarch64__)
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  rt_restore_denormals(control | (1ull << 24));
#endif
  return control;
}

void rt_restore_denormals(uint64_t control) {
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr((unsigned)control);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(control));
#endif
}
