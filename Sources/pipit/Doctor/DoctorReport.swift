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
