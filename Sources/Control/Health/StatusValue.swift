import Glibc
import Parameters
import Synth

/// One figure of the instrument's health, as it is asked for and shown. The address is `/status/` and the name.
public struct StatusValue: Sendable {
  /// A value of a figure.
  public enum Value: Sendable, Equatable {
    /// A count or a yes (1) or no (0).
    case whole(Int)
    /// A number in the unit that the sentence names.
    case number(Double)
    /// Words.
    case words(String)
  }

  /// Words separated by slashes.
  public let name: String
  /// One sentence for people, with the unit.
  public let about: String
  /// When clients are told of it.
  public let telling: Telling
  /// What its value is, always.
  public let type: ValueType
  private let read: @Sendable (Health) -> Value
  private let write: (@Sendable (Health) -> String)?

  /// What a value is.
  public enum ValueType: Sendable { case whole, number, words }

  /// When clients are told of a value.
  public enum Telling: Sendable {
    /// When they ask.
    case asked
    /// At each change, once a second at most.
    case eachSecond
    /// At each change, twenty times a second at most: a meter.
    case asMeter
  }

  private init(
    _ name: String, told telling: Telling = .asked, _ about: String, _ type: ValueType = .whole,
    text: (@Sendable (Health) -> String)? = nil, _ read: @escaping @Sendable (Health) -> Value
  ) {
    (self.name, self.telling, self.about, self.type, self.read) = (name, telling, about, type, read)
    write = text
  }

  /// The value now. Control thread.
  public func value(_ health: Health) -> Value { read(health) }

  /// The value now in words, as a label shows it. Control thread.
  public func text(_ health: Health) -> String {
    if let write { return write(health) }
    switch read(health) {
    case .whole(let number): return "\(number)"
    case .number(let number): return decimals(Float(number), 1)
    case .words(let words): return words
    }
  }

  /// Every figure.
  // swift-format-ignore
  public static let all: [StatusValue] = [
    StatusValue("well",         "1 when nothing is wrong.") { .whole($0.isWell ? 1 : 0) },
    StatusValue("complaint",    "What is wrong, empty when nothing is.", .words) { .words($0.complaint) },
    StatusValue("playing",      "What plays: the card or the clock, rate and period.", .words) { .words($0.playing()) },
    StatusValue("port",         "The UDP port that hears OSC; 0 while it is taken or not permitted.") { .whole($0.oscPort) },
    StatusValue("process",      "The number of its process.") { _ in .whole(Int(getpid())) },
    StatusValue("state",        "The folder of presets and session.", .words) { .words($0.state) },
    StatusValue("card",         "1 while a sound card plays.") { .meter($0, .card) },
    StatusValue("midi",         "2 where keyboards of MIDI 2.0 are heard as such, 1 where as those of MIDI 1.0; 0 while there is no sequencer.") { .whole($0.midi()) },
    StatusValue("realtime",     "1 when the audio thread has real-time priority.") { .meter($0, .realtime) },
    StatusValue("load",         told: .eachSecond, "Share of its time that the audio thread spends rendering, in percent, in steps of five.", text: { "\($0.load) %" }) { .whole($0.load) },
    StatusValue("load/median",  "What half of all blocks took at most, in percent of their deadline.", .number) { .load($0, 0.5) },
    StatusValue("load/p99",     "What 99 of 100 blocks took at most, in percent of their deadline.", .number) { .load($0, 0.99) },
    StatusValue("load/p9999",   "What 9,999 of 10,000 blocks took at most, in percent of their deadline.", .number) { .load($0, 0.9999) },
    StatusValue("load/worst",   "What the longest block took, in percent of its deadline.", .number) { .number(Double($0.link.load.worst) / 100) },
    StatusValue("late/median",  "How late the audio thread is woken: the median, in microseconds.", .number) { .late($0, 0.5) },
    StatusValue("late/p99",     "How late the audio thread is woken: 99 of 100 times at most, in microseconds.", .number) { .late($0, 0.99) },
    StatusValue("late/p9999",   "How late the audio thread is woken: 9,999 of 10,000 times at most, in microseconds.", .number) { .late($0, 0.9999) },
    StatusValue("late/worst",   "How late the audio thread was woken at worst, in microseconds.", .number) { .number(Double($0.link.lateness.worst) / 1000) },
    StatusValue("late/key",     "Frames by which a key was played too late at worst.") { .meter($0, .lateKey) },
    StatusValue("blocks",       "Blocks rendered.") { .meter($0, .blocks) },
    StatusValue("xruns",        told: .eachSecond, "Blocks that came too late.") { .whole($0.xruns) },
    StatusValue("xruns/last",   "Seconds since a block last came too late; -1 when none has.", .number) { .number($0.sinceXrun) },
    StatusValue("voices",       told: .eachSecond, "Voices that sound.") { .whole($0.voices) },
    StatusValue("voices/limit", told: .eachSecond, "Voices that may sound: fewer than all where the machine is too slow.") { .whole($0.limit) },
    StatusValue("voices/most",  "Most voices at once.") { .meter($0, .mostVoices) },
    StatusValue("voices/stolen", "Voices that gave way to others.") { .meter($0, .stolen) },
    StatusValue("voices/shed",  "Voices ended because the machine was too slow.") { .meter($0, .shed) },
    StatusValue("sounds",       "Sounds that play or ring on, those that recalls have replaced among them.") { .meter($0, .sounds) },
    StatusValue("keys",         told: .eachSecond, "1 when a keyboard was played in the last second.") { .whole($0.plays ? 1 : 0) },
    StatusValue("peak",         told: .asMeter, "The loudest sample that goes out, in decibels of full scale, falling 20 dB a second and at rest at -60; its text holds the highest of the last two seconds.", .number, text: { .decibels($0.levels.peak.held) }) { .number($0.levels.peak.level) },
    StatusValue("reduction",    told: .asMeter, "How much the limiter turns down what goes out, in decibels, falling 20 dB a second and at rest at 0; its text holds the highest of the last two seconds.", .number, text: { .decibels($0.levels.reduction.held) }) { .number($0.levels.reduction.level) },
    StatusValue("events/dropped", "Events that found no room.") { .whole(Int($0.link.dropped)) },
    StatusValue("osc/dropped", "Messages over OSC that were dropped because their sender sent more than can be acted on, and answers that found no room.") { .whole($0.oscDropped) },
    StatusValue("scenes/retired", "Old scenes that wait to be freed; returns to 0.") { .whole($0.link.scene.retiredCount) },
    StatusValue("effects/ringing", "Old effects that ring on; returns to 0.") { .whole($0.link.scene.ringingCount) },
    StatusValue("faults",       "Times that the sound was NaN and was begun afresh.") { .meter($0, .faults) },
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
