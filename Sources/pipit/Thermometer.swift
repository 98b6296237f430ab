import Control
import System

/// Reads the temperature of the processor every few seconds, on a worker thread, since some sensors are slow. Control
/// thread.
final class Thermometer {
  private let worker: Worker
  private let host: Host
  private var dueAt = Int64.min
  /// The last temperature, degrees Celsius; nil if it is unknown.
  private(set) var celsius: Int?

  /// The time between two readings, nanoseconds.
  static let interval: Int64 = 10_000_000_000

  /// A thermometer for as long as `loop` runs.
  init(_ host: Host, _ worker: Worker, _ loop: PollLoop) {
    (self.host, self.worker) = (host, worker)
    loop.afterEachRound { [weak self] in self?.update($0) }
  }

  private func update(_ now: Int64) -> Int64? {
    if now < dueAt { return dueAt }
    dueAt = now + Thermometer.interval
    let host = host
    worker.run {
      host.temperature
    } then: { [weak self] in
      self?.celsius = $0
    }
    return dueAt
  }
}

extension Host {
  /// The temperature of the hottest thermal zone, degrees Celsius; nil if the machine reports none.
  var temperature: Int? {
    let zones = names("/sys/class/thermal").compactMap {
      line("/sys/class/thermal/\($0)/temp").flatMap { Int($0) }
    }
    return zones.max().map { ($0 + 500) / 1_000 }
  }
}
