import System

/// Waits until a condition is true, for a minute by default, which is longer than a busy machine needs for anything
/// that a test waits for. Checks every ten milliseconds. Returns whether the condition was true.
public func eventually(within seconds: Double = 60, _ condition: () throws -> Bool) rethrows -> Bool {
  let end = monotonic() + Int64(seconds * 1e9)
  while try !condition() {
    if monotonic() >= end { return false }
    sleep(until: monotonic() + 10_000_000)
  }
  return true
}
