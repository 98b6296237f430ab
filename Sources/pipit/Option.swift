import Layout
import MIDI
import Recording
import Song
import Surface
import Synth
import Playback

/// One option of the command line: also a line of the configuration file, with the same name.
struct Option: Sendable {
  /// What an option takes.
  enum ValueType: Sendable {
    /// Nothing.
    case none
    /// Any text; the help shows it as this word.
    case text(String)
    /// A whole number in a range; the help shows it as this word.
    case number(String, ClosedRange<Int>)
    /// Networks, as `AllowedNetworks` reads them.
    case networks
    /// Outputs part by part, as `PartOutputs` reads them.
    case outputs
    /// Whether devices play by MPE, as `MPESetting` reads it.
    case mpe
    /// One of some words.
    case choice([String])
  }

  let name: String
  let letter: Character?
  let value: ValueType
  /// The default, as it is written; nil when there is none or `about` tells it.
  let initial: String?
  let about: String

  // swift-format-ignore
  static let all: [Option] = [
    // name                letter  value                            initial   about
    Option("device",       nil, .text("NAME"),                      "auto",   "sound card as ALSA names it, 'auto' for the first that plays, 'clock' for none"),
    Option("rate",         nil, .number("R", Limits.rates),         "48000",  "sample rate in Hz"),
    Option("period",       nil, .number("N", Limits.periods  ),   "128",    "frames rendered at a time; fewer answer sooner, more are safer"),
    Option("periods",      nil, .number("N", Limits.periodCounts),  "2",      "periods that the card's buffer holds; fewer answer sooner, more are safer"),
    Option("outputs",      nil, .outputs,                           "1-2",    "outputs of the card part by part, as 1-2,1-2,3-4; parts that are not named are on 1-2"),
    Option("mpe",          nil, .mpe,                               "auto",   "MPE, a channel for each finger: 'auto' when a device says so, 'off', 'lower' or 'upper' for all, with members and range as lower-15-24"),
    Option("ump",          nil, .choice(["auto", "off"]),           "auto",   "keyboards of MIDI 2.0: 'auto' hears them as such where the kernel has it, 'off' as those of MIDI 1.0"),
    Option("osc-port",     nil, .number("PORT", 1...65_535),        "8000",   "UDP port that hears OSC"),
    Option("reply-port",   nil, .number("PORT", 1...65_535),        "9000",   "UDP port of a tablet that feedback goes to"),
    Option("allow",        nil, .networks,                          "private", "who may send OSC: networks as 192.168.1.0/24,10.0.0.7, 'private' for all private ones, 'any'"),
    Option("state",        nil, .text("DIR"),                       nil,      "folder of your presets (default: $STATE_DIRECTORY, or pipit in $XDG_STATE_HOME)"),
    Option("presets",      nil, .text("DIR"),                       nil,      "folder of the factory presets"),
    Option("recordings",   nil, .text("DIR"),                       nil,      "folder of what is recorded (default: recordings in the state folder)"),
    Option("record-format", nil, .choice(SoundFile.Format.allCases.map { $0.rawValue }), "flac", "how it is recorded: FLAC of 24 bits, or WAV of 32-bit float"),
    Option("record-last",  nil, .number("SECONDS", 0...3_600),      "0",      "seconds kept in memory for /record/last; 120 take 64 MB at 48 kHz"),
    Option("config",       nil, .text("FILE"),                      nil,      "configuration file (default: /etc/pipit/pipit.conf when it is there)"),
    Option("input",        nil, .text("NAME"),                      nil,      "input as ALSA names it (default: that of the card that plays)"),
    Option("output",       "o", .text("FILE"),                      nil,      "file to write"),
    Option("preset",       nil, .text("NAME"),                      nil,      "play every channel with this preset, whatever programs the song asks for"),
    Option("bank",         nil, .text("BANK"),                      nil,      "list one bank: 0 to 127, or 'gm' for General MIDI's programs and the presets that play them"),
    Option("programs",     nil, .choice(SongPrograms.allCases.map { $0.rawValue }), "auto", "what programs mean: 'gm' General MIDI's sounds and drums on channel 10, 'pipit' its own banks, 'auto' the first where the song says so or selects no bank"),
    Option("tuning",       nil, .text("FILE"),                      nil,      "tuning of all keys: a Scala file, .scl (with the .kbm of its name beside it) or .kbm"),
    Option("strict",       nil, .none,                              nil,      "refuse a song that is not as the standard has it, instead of playing what can be read"),
    Option("length",       nil, .number("SECONDS", 1...Limits.songSeconds), "\(Limits.renderedSeconds)", "as much of a song is rendered at the most"),
    Option("block",        nil, .number("N", 1...Limits.period),    "256",    "frames rendered at a time; the result is the same"),
    Option("format",       nil, .choice(WAVFormat.allCases.map { $0.rawValue }), "s16", "how samples are written: 16 or 24 bits, or 32-bit float"),
    Option("size",         nil, .choice(Size.allCases.map { $0.rawValue }), "tablet", "what it is shown on"),
    Option("markdown",     nil, .none,                              nil,      "as a Markdown table"),
    Option("wide",         nil, .none,                              nil,      "a row in each line, however wide the terminal is"),
    Option("values",       nil, .none,                              nil,      "as name=value lines, for scripts"),
    Option("help",         "h", .none,                              nil,      "show this and end"),
    Option("version",      "V", .none,                              nil,      "show the version and end"),
  ]

  private init(
    _ name: String, _ letter: Character?, _ value: ValueType, _ initial: String?, _ about: String
  ) {
    self.name = name
    self.letter = letter
    self.value = value
    self.initial = initial
    self.about = about
  }

  /// What is wrong with a value; nil when nothing is.
  func problem(in text: String) -> String? {
    switch value {
    case .none: return nil
    case .text: return text.isEmpty ? "must not be empty" : nil
    case .number(_, let range):
      if let number = Int(text), range.contains(number) { return nil }
      return "must be a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'"
    case .networks:
      return AllowedNetworks(text) == nil
        ? "must be networks as 192.168.1.0/24, 'private' or 'any', not '\(text)'" : nil
    case .outputs:
      let pairs = (1...Limits.outputPairs).map { "\(2 * $0 - 1)-\(2 * $0)" }
      return PartOutputs(text) == nil
        ? "must be \(pairs.joined(separator: ", ")) for each part from the first on, \(Limits.parts) at most, as 1-2,1-2,3-4, not '\(text)'"
        : nil
    case .mpe:
      return MPESetting(text) == nil
        ? "must be auto, off, lower or upper, those with 1 to 15 members and 1 to 96 semitones as lower-15-24, not '\(text)'"
        : nil
    case .choice(let words):
      return words.contains(text) ? nil : "must be \(words.joined(separator: ", ")), not '\(text)'"
    }
  }

  /// The word for its value in the help; nil when it takes none.
  var placeholder: String? {
    switch value {
    case .none: nil
    case .networks: "NETWORKS"
    case .outputs: "OUTPUTS"
    case .mpe: "MPE"
    case .text(let word), .number(let word, _): word
    case .choice(let words): words.joined(separator: "|")
    }
  }
}
