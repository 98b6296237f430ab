import Glibc

/// The time of CLOCK_MONOTONIC, nanoseconds. Any thread.
public func monotonic() -> Int64 { nanoseconds(CLOCK_MONOTONIC) }

/// The time of CLOCK_REALTIME, seconds since 1970; it jumps when the clock is set. Any thread.
public func wallTime() -> Int64 { nanoseconds(CLOCK_REALTIME) / 1_000_000_000 }

/// The processor time of the calling thread (CLOCK_THREAD_CPUTIME_ID), nanoseconds.
public func threadTime() -> Int64 { nanoseconds(CLOCK_THREAD_CPUTIME_ID) }

/// Sleeps until `moment`, nanoseconds of `monotonic()`.
public func sleep(until moment: Int64) {
  var time = timespec(tv_sec: Int(moment / 1_000_000_000), tv_nsec: Int(moment % 1_000_000_000))
  while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
}

private func nanoseconds(_ clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
