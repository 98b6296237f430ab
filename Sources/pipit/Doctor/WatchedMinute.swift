import Control

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
