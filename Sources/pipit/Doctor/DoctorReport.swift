import Control
import Glibc
import System

/// `pipit doctor --report FILE`: one text file that a person can send with a question. It holds the machine, the
/// checks, the configuration and a minute of the running instrument.
enum DoctorReport {
  /// How long the instrument is watched, seconds.
  static let watched = 60

  /// Writes the report. Waits for `watched` seconds if an instrument runs; main thread only.
  /// - Parameters:
  ///   - path: The file; `-` is standard output.
  ///   - findings: The results of the checks.
  ///   - settings: The values of the configuration files by option name.
  ///   - port: The OSC port of the instrument.
  static func write(to path: String, findings: [Finding], settings: [String: String], port: Int) throws {
    var text =
      "pipit \(version), report of \(dateAndMinute(Int(wallTime()), inUTC: true)) UTC\n\n"
      + Host().description + "\nChecks\n\n" + findings.map(\.line).joined()
    text += "\nConfiguration\n\n" + lines(of: settings)
    if Status.figures(port: port) != nil {
      Console.log("doctor: watching pipit for \(watched) seconds; play as you do on stage")
      let readings = (0...watched).compactMap { second -> WatchedMinute.Reading? in
        if second > 0 { sleep(1) }
        return Status.figures(port: port).map { figures in
          .init(figures: figures.map { ($0.name, $0.value) }, clock: Host().processorClock)
        }
      }
      text += "\nPlaying\n\n" + WatchedMinute(readings: readings).description
    } else {
      text += "\nPlaying\n\nno pipit answers on OSC port \(port)\n"
    }
    do throws(FileError) {
      let file = try NewFile(path)
      try file.write(Array(text.utf8))
      try file.finish()
    } catch { throw CommandError("doctor: \(error)") }
    if path != "-" { Console.print("\(path): read it, then send it\n") }
  }

  /// The values as lines of a configuration file.
  static func lines(of settings: [String: String]) -> String {
    if settings.isEmpty { return "all as by default\n" }
    return settings.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)\n" }.joined()
  }
}

/// A minute of the running instrument in a report of the doctor.
struct WatchedMinute: CustomStringConvertible {
  /// One reading of the status.
  struct Reading {
    /// The status values by name, as `Status.figures`.
    let figures: [(name: String, value: String)]
    /// The lowest clock frequency of the processors in MHz; nil if it is unknown.
    let clock: Int?

    subscript(name: String) -> Double? {
      figures.first { $0.name == name }.flatMap { Double($0.value) }
    }
  }

  /// The readings, one a second, the oldest first.
  let readings: [Reading]

  /// The changes within the minute, then all status values of the last reading.
  var description: String {
    guard let first = readings.first, let last = readings.last else { return "pipit stopped answering\n" }
    func all(_ name: String) -> [Double] { readings.compactMap { $0[name] } }
    func grown(_ name: String) -> Int { Int(clamping: (last[name] ?? 0) - (first[name] ?? 0)) }
    let loads = all("load")
    let mean = loads.isEmpty ? 0 : loads.reduce(0, +) / Double(loads.count)
    let clocks = readings.compactMap(\.clock)
    let temperatures = all("temperature").filter { $0 >= 0 }
    var lines = [
      "watched      \(readings.count - 1) s",
      "late blocks  \(grown("xruns")) of \(grown("blocks"))",
      "load         mean \(Int(clamping: mean.rounded())) %, highest \(Int(clamping: loads.max() ?? 0)) %",
      "voices       at most \(Int(clamping: all("voices").max() ?? 0)) in a reading, stolen \(grown("voices/stolen")), shed \(grown("voices/shed"))",
    ]
    if let low = temperatures.min(), let high = temperatures.max() {
      lines.append("temperature  \(Int(clamping: low)) to \(Int(clamping: high)) degrees Celsius")
    }
    if let low = clocks.min(), let high = clocks.max() { lines.append("clock        \(low) to \(high) MHz") }
    if readings.count < DoctorReport.watched + 1 { lines.append("pipit did not answer each time") }
    lines += ["", "Status since the start", ""]
    return (lines + last.figures.map { "\($0.name)=\($0.value)" }).map { $0 + "\n" }.joined()
  }
}
