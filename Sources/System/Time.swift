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

/// A time in seconds since 1970 as date, hour and minute, such as `2026-11-26 06:40`: in the time zone of this machine,
/// or in UTC. Any thread.
public func dateAndMinute(_ seconds: Int, inUTC: Bool = false) -> String {
  dateText(seconds, "%Y-%m-%d %H:%M", inUTC: inUTC)
}

/// A time in seconds since 1970 in a format of `strftime`, at most 63 bytes: in the time zone that this machine has now,
/// or in UTC. Any thread.
public func dateText(_ seconds: Int, _ format: String, inUTC: Bool = false) -> String {
  var (time, parts) = (time_t(seconds), tm())
  // Without tzset, localtime_r keeps the time zone of its first call.
  if !inUTC { tzset() }
  _ = inUTC ? gmtime_r(&time, &parts) : localtime_r(&time, &parts)
  var text = [CChar](repeating: 0, count: 64)
  let count = strftime(&text, text.count, format, &parts)
  return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

private func nanoseconds(_ clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
