import Glibc
import Parameters
import Scenes

/// One value of the instrument's health. Its address is `/status/` and the name.
public struct StatusValue: Sendable {
  /// The value, with its type.
  public enum Value: Sendable, Equatable {
    /// A count, or 1 for yes and 0 for no.
    case whole(Int)
    /// A number in the unit that `about` states.
    case number(Double)
    /// Text.
    case words(String)
  }

  /// Words separated by slashes.
  public let name: String
  /// One sentence for people, with the unit of the value.
  public let about: String
  /// When clients receive the value.
  public let delivery: Delivery
  /// The type of the value, which never changes.
  public let type: ValueType
  private let read: @Sendable (Health) -> Value
  private let write: (@Sendable (Health) -> String)?

  /// The type of a value.
  public enum ValueType: Sendable { case whole, number, words }

  /// When clients receive a value.
  public enum Delivery: Sendable {
    /// Only on request.
    case onRequest
    /// At each change, once a second at most.
    case eachSecond
    /// At each change, twenty times a second at most: a meter.
    case asMeter
    /// As a meter, to clients over a lossless transport: a peak that is measured while the monitor has viewers.
    case whileWatched
  }

  private init(
    _ name: String, delivery: Delivery = .onRequest, _ about: String, _ type: ValueType = .whole,
    text: (@Sendable (Health) -> String)? = nil, _ read: @escaping @Sendable (Health) -> Value
  ) {
    (self.name, self.delivery, self.about, self.type, self.read) = (name, delivery, about, type, read)
    write = text
  }

  /// The current value. Control thread.
  public func value(_ health: Health) -> Value { read(health) }

  /// The current value as text for a label. Control thread.
  public func text(_ health: Health) -> String {
    if let write { return write(health) }
    switch read(health) {
    case .whole(let number): return "\(number)"
    case .number(let number): return decimals(Float(number), 1)
    case .words(let words): return words
    }
  }

  /// All status values.
  // swift-format-ignore
  public static let all: [StatusValue] = [
    StatusValue("well",         "1 when there is no problem.") { .whole($0.isWell ? 1 : 0) },
    StatusValue("complaint",    "The problems; empty when there is none.", .words) { .words($0.complaint) },
    StatusValue("playing",      "The card or the clock that plays, with rate and period.", .words) { .words($0.playing()) },
    StatusValue("port",         "The UDP port for OSC; 0 while it is taken or not permitted.") { .whole($0.oscPort) },
    StatusValue("web/port",     "The TCP port of the page and of OSCQuery; 0 while it is off, taken or not permitted.") { .whole($0.webPort) },
    StatusValue("process",      "The process ID.") { _ in .whole(Int(getpid())) },
    StatusValue("state",        "The folder of presets and session.", .words) { .words($0.state) },
    StatusValue("card",         "1 while a sound card plays.") { .meter($0, .card) },
    StatusValue("midi",         "The MIDI version that keyboards are read with, 2 or 1; 0 without a sequencer.") { .whole($0.midi()) },
    StatusValue("realtime",     "1 when the audio thread has real-time priority.") { .meter($0, .realtime) },
    StatusValue("load",         delivery: .eachSecond, "Time that the audio thread spends rendering, in percent, in steps of five.", text: { "\($0.load) %" }) { .whole($0.load) },
    StatusValue("load/median",  "Render time of a block in percent of its deadline: the median.", .number) { .load($0, 0.5) },
    StatusValue("load/p99",     "Render time of a block in percent of its deadline: the 99th percentile.", .number) { .load($0, 0.99) },
    StatusValue("load/p9999",   "Render time of a block in percent of its deadline: the 99.99th percentile.", .number) { .load($0, 0.9999) },
    StatusValue("load/worst",   "Render time of the slowest block in percent of its deadline.", .number) { .number(Double($0.link.load.worst) / 100) },
    StatusValue("late/median",  "Wake-up latency of the audio thread in microseconds: the median.", .number) { .late($0, 0.5) },
    StatusValue("late/p99",     "Wake-up latency of the audio thread in microseconds: the 99th percentile.", .number) { .late($0, 0.99) },
    StatusValue("late/p9999",   "Wake-up latency of the audio thread in microseconds: the 99.99th percentile.", .number) { .late($0, 0.9999) },
    StatusValue("late/worst",   "Worst wake-up latency of the audio thread in microseconds.", .number) { .number(Double($0.link.lateness.worst) / 1000) },
    StatusValue("late/key",     "Worst delay of a key beyond the constant latency, in frames.") { .meter($0, .lateKey) },
    StatusValue("blocks",       "Blocks rendered.") { .meter($0, .blocks) },
    StatusValue("xruns",        delivery: .eachSecond, "Xruns: blocks that were too late.") { .whole($0.xruns) },
    StatusValue("xruns/last",   "Seconds since the last xrun; -1 without one.", .number) { .number($0.sinceXrun) },
    StatusValue("voices",       delivery: .eachSecond, "Voices that sound.") { .whole($0.voices) },
    StatusValue("voices/limit", delivery: .eachSecond, "Voices that may sound; fewer than all if the machine is too slow.") { .whole($0.limit) },
    StatusValue("voices/most",  "Most voices at once.") { .meter($0, .mostVoices) },
    StatusValue("voices/stolen", "Voices stolen by others.") { .meter($0, .stolen) },
    StatusValue("voices/shed",  "Voices ended because the machine was too slow.") { .meter($0, .shed) },
    StatusValue("sounds",       "Sounds that play or ring on, including those that recalls have replaced.") { .meter($0, .sounds) },
    StatusValue("keys",         delivery: .eachSecond, "1 when a keyboard was played in the last second.") { .whole($0.plays ? 1 : 0) },
    StatusValue("peak",         delivery: .asMeter, "Output peak in dBFS. It falls by 20 dB a second to -60. The text holds the highest peak of two seconds.", .number, text: { .decibels($0.levels.peak.held) }) { .number($0.levels.peak.level) },
    StatusValue("left",         delivery: .whileWatched, "Peak of output 1 in dBFS, measured while a page shows meters; otherwise -60. It falls by 20 dB a second.", .number) { .number($0.levels.left.level) },
    StatusValue("right",        delivery: .whileWatched, "Peak of output 2 in dBFS, like /status/left.", .number) { .number($0.levels.right.level) },
    StatusValue("reduction",    delivery: .asMeter, "Gain reduction of the limiter in decibels. It falls by 20 dB a second to 0. The text holds the highest value of two seconds.", .number, text: { .decibels($0.levels.reduction.held) }) { .number($0.levels.reduction.level) },
    StatusValue("temperature",  "Temperature of the processor in degrees Celsius; -1 if it is unknown.") { .whole($0.temperature() ?? -1) },
    StatusValue("events/dropped", "Events dropped because a ring was full.") { .whole(Int($0.link.dropped)) },
    StatusValue("osc/dropped", "OSC messages dropped because their sender sent too many, and answers dropped because the network was busy.") { .whole($0.oscDropped) },
    StatusValue("scenes/retired", "Old scenes that wait to be freed; returns to 0.") { .whole($0.link.scene.retiredCount) },
    StatusValue("effects/ringing", "Old effects that ring on; returns to 0.") { .whole($0.link.scene.ringingCount) },
    StatusValue("faults",       "Times that the output was NaN and the engine was reset.") { .meter($0, .faults) },
    StatusValue("pagefaults",   "Page faults of the audio thread since its first block.") { .meter($0, .pageFaults) },
  ]
}

extension StatusValue.Value {
  fileprivate static func meter(_ health: Health, _ figure: Meters.Figure) -> StatusValue.Value {
    .whole(Int(health.link.meters[figure]))
  }

  fileprivate static func load(_ health: Health, _ share: Double) -> StatusValue.Value {
    .number(Double(health.link.load.counts.value(share: share)) / 100)
  }

  fileprivate static func late(_ health: Health, _ share: Double) -> StatusValue.Value {
    .number(Double(health.link.lateness.counts.value(share: share)) / 1000)
  }
}

extension String {
  fileprivate static func decibels(_ number: Double) -> String { decimals(Float(number), 1) + " dB" }
}
