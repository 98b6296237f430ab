import Layout
import MIDI
import Playback
import Recording
import Scenes
import Song
import Surface
import System

/// A parsed command line: options by name, and operands.
struct CommandArguments {
  /// The command that was called.
  let command: Subcommand
  /// The arguments that are not options.
  private(set) var operands: [String] = []
  // The given values; the last one counts if an option is repeated.
  private var values: [String: String] = [:]

  /// The names of options in code; each one is a row of `Option.all`.
  enum Name: String {
    case device, rate, period, periods, outputs, mpe, ump, setupChannel = "setup-channel",
      setupEdits = "setup-edits", oscPort = "osc-port", replyPort = "reply-port",
      webPort = "web-port", webNames = "web-names", allow
    case state, presets, recordings, recordFormat = "record-format", recordLast = "record-last", config
    case input, output, preset, bank, keys, programs, tuning, strict, length, block, format, size, light,
      markdown,
      wide,
      values, name, report, help, version
  }

  /// Parses `words`. `named` tells whether the command was given explicitly. Throws for the first invalid word.
  init(_ words: ArraySlice<String>, of command: Subcommand, named: Bool) throws {
    self.command = command
    let page = named ? "pipit \(command.name) --help" : "pipit --help"
    let prefix = named ? "\(command.name): " : ""
    var rest = words
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      } else if word.hasPrefix("--") {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = command.rows.first(where: { $0.name == name }) else {
          let near = nearest(to: name, among: command.options).map { " (did you mean '--\($0)'?)" } ?? ""
          throw CommandError.usage(prefix + "unknown option '--\(name)'" + near, page)
        }
        try take(option, parts.count > 1 ? String(parts[1]) : nil, "--" + name)
      } else if word.hasPrefix("-"), word.count > 1, command.operand == nil || Double(word) == nil {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
          guard let option = command.rows.first(where: { $0.letter == letter }) else {
            throw CommandError.usage(prefix + "unknown option '-\(letter)'", page)
          }
          // If the option takes a value, the rest of the word is its value.
          let value = option.placeholder == nil || letters.isEmpty ? nil : String(letters)
          if value != nil { letters = "" }
          try take(option, value, "-\(letter)")
        }
      } else {
        operands.append(word)
      }
    }

    func take(_ option: Option, _ attached: String?, _ spelling: String) throws {
      if option.placeholder == nil {
        if attached != nil { throw CommandError.usage(prefix + "option '\(spelling)' takes no value", page) }
        values[option.name] = ""
        return
      }
      guard let value = attached ?? rest.popFirst() else {
        throw CommandError.usage(prefix + "option '\(spelling)' needs a value", page)
      }
      if let problem = option.problem(in: value) {
        throw CommandError(prefix + "\(spelling) \(problem)", .usage)
      }
      values[option.name] = value
    }

    // Help is shown even if required operands are missing.
    if values["help"] != nil || values["version"] != nil { return }
    let wanted = command.operands
    if operands.count > wanted.upperBound {
      throw CommandError.usage(prefix + "unexpected argument '\(operands[wanted.upperBound])'", page)
    }
    if operands.count < wanted.lowerBound, let operand = command.operand {
      throw CommandError.usage(prefix + "\(operand) is missing", page)
    }
  }

  /// The value of an option: the given one, or else its default; nil if it has neither.
  subscript(name: Name) -> String? {
    values[name.rawValue] ?? Option.all.first { $0.name == name.rawValue }?.initial
  }

  /// The value of an option that takes a number and has a default.
  func number(_ name: Name) -> Int { self[name].flatMap { Int($0) } ?? 0 }

  /// Adds the lines of a configuration file; values on the command line win.
  mutating func add(_ lines: [String: String]) { values.merge(lines) { mine, _ in mine } }
}

/// A command of the program. Parsing, help, the configuration file, completion and the manual come from this table.
struct Subcommand: Sendable {
  let name: String
  /// The operands, as the help shows them; nil if there are none.
  let operand: String?
  /// The permitted number of operands.
  let operands: ClosedRange<Int>
  let options: [String]
  let about: String
  /// Additional lines of the help page.
  let more: String
  let run: @Sendable (CommandArguments) throws -> Void

  init(
    _ name: String, _ operand: String? = nil, takes operands: ClosedRange<Int>? = nil, options: [String],
    _ about: String, more: String = "",
    run: @escaping @Sendable (CommandArguments) throws -> Void
  ) {
    self.name = name
    self.operand = operand
    let most = operand == nil ? 0 : 1
    self.operands = operands ?? (operand?.hasPrefix("[") ?? true ? 0 : 1)...most
    self.options = options + ["help", "version"]
    self.about = about
    self.more = more
    self.run = run
  }

  /// The rows of the command's options.
  var rows: [Option] { options.compactMap { name in Option.all.first { $0.name == name } } }
}

/// An option of the command line, and a line of the configuration file with its name.
struct Option: Sendable {
  /// The type of an option's value.
  enum ValueType: Sendable {
    /// No value.
    case none
    /// Any text. The help shows the associated word.
    case text(String)
    /// A whole number in a range. The help shows the associated word.
    case number(String, ClosedRange<Int>)
    /// Networks, in the format of `AllowedNetworks`.
    case networks
    /// The outputs of the parts, in the format of `PartOutputs`.
    case outputs
    /// The MPE mode of devices, in the format of `MPESetting`.
    case mpe
    /// One of several words.
    case choice([String])
  }

  let name: String
  let letter: Character?
  let value: ValueType
  /// The default as it is written; nil if there is none or `about` describes it.
  let initial: String?
  let about: String

  // swift-format-ignore
  static let all: [Option] = [
    // name                letter  value                            initial   about
    Option("device",       nil, .text("NAME"),                      "auto",   "sound card by its ALSA name; 'auto' takes the first that plays, 'clock' plays without one"),
    Option("rate",         nil, .number("R", Limits.rates),         "48000",  "sample rate in Hz"),
    Option("period",       nil, .number("N", Limits.periods  ),   "128",    "frames in a block; fewer lower the latency, more prevent gaps"),
    Option("periods",      nil, .number("N", Limits.periodCounts),  "2",      "blocks in the card's buffer; fewer lower the latency, more prevent gaps"),
    Option("outputs",      nil, .outputs,                           "1-2",    "card outputs of part 1, 2 and so on, as 1-2,1-2,3-4; 1-2 for all further parts"),
    Option("mpe",          nil, .mpe,                               "auto",   "MPE: 'auto' if a keyboard asks for it, 'off', or 'lower' or 'upper' for all; with members and bend range as lower-15-24"),
    Option("setup-channel", nil, .number("CHANNEL", 0...Limits.channels), "0",   "MIDI channel whose program changes recall setups, and reach no part; 0 is off"),
    Option("setup-edits",  nil, .choice(["discard", "keep"]),       "discard", "what becomes of edits when another setup is recalled: 'discard' keeps them as an earlier version, 'keep' saves them"),
    Option("ump",          nil, .choice(["auto", "off"]),           "auto",   "MIDI 2.0: 'auto' uses it if the kernel supports it, 'off' uses MIDI 1.0 only"),
    Option("osc-port",     nil, .number("PORT", 1...65_535),        "8000",   "UDP port on which pipit receives OSC"),
    Option("reply-port",   nil, .number("PORT", 1...65_535),        "9000",   "UDP port on which tablets receive OSC"),
    Option("web-port",     nil, .number("PORT", 0...65_535),        nil,      "TCP port of the page and of OSCQuery; 0 is off (default: the number of osc-port)"),
    Option("web-names",    nil, .text("NAMES"),                     "none",   "more names by which browsers reach this machine, separated by commas"),
    Option("allow",        nil, .networks,                          "private", "networks that may send OSC, as 192.168.1.0/24,10.0.0.7; 'private' for all private networks, 'any' for all"),
    Option("state",        nil, .text("DIR"),                       nil,      "folder of your presets (default: $STATE_DIRECTORY, or pipit in $XDG_STATE_HOME)"),
    Option("presets",      nil, .text("DIR"),                       nil,      "folder of the factory presets"),
    Option("recordings",   nil, .text("DIR"),                       nil,      "folder of recordings (default: recordings in the state folder)"),
    Option("record-format", nil, .choice(SoundFile.Format.allCases.map { $0.rawValue }), "flac", "format of recordings: 24-bit FLAC or 32-bit float WAV"),
    Option("record-last",  nil, .number("SECONDS", 0...3_600),      "0",      "seconds that 'pipit record last' can save; 120 take 64 MB of memory at 48 kHz"),
    Option("config",       nil, .text("FILE"),                      nil,      "configuration file (default: /etc/pipit/pipit.conf if it exists)"),
    Option("input",        nil, .text("NAME"),                      nil,      "input by its ALSA name (default: that of the card that plays)"),
    Option("output",       "o", .text("FILE"),                      nil,      "file to write"),
    Option("preset",       nil, .text("NAME"),                      nil,      "play every channel with this preset and ignore program changes"),
    Option("bank",         nil, .text("BANK"),                      nil,      "list one bank: 0 to 127, or 'gm' for General MIDI"),
    Option("keys",         nil, .none,                              nil,      "play the notes as keys: presets with an arpeggiator, a sequence or a chord play it"),
    Option("programs",     nil, .choice(SongPrograms.allCases.map { $0.rawValue }), "auto", "meaning of program changes: 'gm' General MIDI, 'pipit' banks of pipit, 'auto' as the song says"),
    Option("tuning",       nil, .text("FILE"),                      nil,      "tuning: a Scala file, .scl (with the .kbm of the same name, if any) or .kbm"),
    Option("strict",       nil, .none,                              nil,      "refuse a damaged song instead of playing what can be read"),
    Option("length",       nil, .number("SECONDS", 1...Limits.songSeconds), "\(Limits.renderedSeconds)", "length of the song to render at most"),
    Option("block",        nil, .number("N", 1...Limits.period),    "256",    "frames in a block; does not change the result"),
    Option("format",       nil, .choice(WAVFormat.allCases.map { $0.rawValue }), "s16", "sample format: 16 or 24 bits, or 32-bit float"),
    Option("size",         nil, .choice(Size.allCases.map { $0.rawValue }), "tablet", "device that shows the layout"),
    Option("light",        nil, .none,                              nil,      "light colours, for daylight"),
    Option("markdown",     nil, .none,                              nil,      "print a Markdown table"),
    Option("wide",         nil, .none,                              nil,      "print each row in one line, however wide the terminal is"),
    Option("name",         nil, .none,                              nil,      "show the address with the name of this machine, which works on other days too"),
    Option("values",       nil, .none,                              nil,      "print name=value lines, for scripts"),
    Option("report",       nil, .text("FILE"),                      nil,      "write a report for a question: the machine, the checks and a minute of the running pipit"),
    Option("help",         "h", .none,                              nil,      "show this help and exit"),
    Option("version",      "V", .none,                              nil,      "show the version and exit"),
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

  /// The problem with a value; nil if it is valid.
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

  /// The placeholder of the value in the help; nil if the option takes none.
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
