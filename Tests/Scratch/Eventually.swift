import System

/// Waits until a condition holds, asking again every ten milliseconds, for a minute at most: longer than a busy machine
/// needs for anything that a test waits for. Returns whether it held.
public func eventually(within seconds: Double = 60, _ condition: () throws -> Bool) rethrows -> Bool {
  let end = monotonic() + Int64(seconds * 1e9)
  while try !condition() {
    if monotonic() >= end { return false }
    sleep(until: monotonic() + 10_000_000)
  }
  return true
}
