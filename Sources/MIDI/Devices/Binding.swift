/// A binding of a control of a device: the message that it sends, the address of a knob or a command, the range, and
/// the mode.
public struct Binding: Hashable, Sendable {
  /// The kind of a message; the raw value is its name in texts.
  public enum Kind: String, CaseIterable, Sendable {
    case controller = "cc"
    /// A parameter of the manufacturer (NRPN).
    case parameter = "nrpn"
    case note
    case keyPressure = "keypressure"
    case pressure
    case bend
    case program
  }

  /// How the control moves its address; the raw value is its name in texts.
  public enum Mode: String, CaseIterable, Sendable {
    /// To the position of the control, at once.
    case jump
    /// Only once the control has passed the position of the knob.
    case pickup
    /// By the same share of the remaining range as the control moves of its own, until both are at one position.
    case scale
    /// By steps in two's complement: values from 1 up are steps up, values from 127 down are steps down.
    case twos
    /// By steps from 64.
    case offset
    /// By steps: values from 1 are steps up, values from 65 are steps down.
    case sign
    /// By steps: values from 1 are steps down, values from 65 are steps up.
    case signReversed = "signreversed"
    /// From one end to the other with each press.
    case toggle
    /// To the next choice with each press.
    case cycle
    /// Each press runs the command.
    case press

    /// Whether the message carries steps instead of a position.
    public var isRelative: Bool { [.twos, .offset, .sign, .signReversed].contains(self) }

    /// The number of steps, up or down, that a value of 0…127 stands for; 0 in a mode without steps.
    public func steps(_ number: UInt8) -> Int {
      let number = Int(number & 127)
      switch self {
      case .twos: return number < 64 ? number : number - 128
      case .offset: return number - 64
      case .sign: return number < 64 ? number : 64 - number
      case .signReversed: return number < 64 ? -number : number - 64
      default: return 0
      }
    }
  }

  /// The message of the control.
  public var kind: Kind
  /// The number of the message, 0…127, or 0…16,383 for a parameter; 0 for a message without a number.
  public var number: UInt16
  /// Its channel 0…15; nil for any.
  public var channel: UInt8?
  /// Whether the value is received, and sent back, in two halves of seven bits.
  public var isFine = false
  /// The OSC address that the control moves.
  public var target: String
  /// The positions of the knob, normalized to 0…1, at both ends of the control; the first may be above the second.
  public var (low, high): (Float, Float) = (0, 1)
  /// The number of choices that the knob had when both ends were set; nil for a knob without choices, or if it is not
  /// known.
  public var choices: Int?
  public var mode: Mode

  /// A binding over the whole range of the knob.
  public init(_ kind: Kind, _ number: UInt16 = 0, channel: UInt8? = nil, to target: String, _ mode: Mode) {
    (self.kind, self.number, self.channel, self.target, self.mode) = (kind, number, channel, target, mode)
  }

  /// Whether a movement is one of this control.
  public func isMoved(by movement: Movement) -> Bool {
    kind == movement.kind && number == movement.number && (channel == nil || channel == movement.channel)
  }

  /// Whether another binding is for the same control.
  public func hasControl(of other: Binding) -> Bool {
    (kind, number, channel) == (other.kind, other.number, other.channel)
  }

  /// Whether both bindings have a channel in common.
  func meets(_ other: Binding) -> Bool { channel == nil || other.channel == nil || channel == other.channel }

  // MARK: - As text

  /// The control for people, as `cc 21 on channel 1`.
  public var control: String {
    let hasNumber = kind != .pressure && kind != .bend
    let words = hasNumber ? "\(kind.rawValue) \(number)" : kind.rawValue
    return words + (channel.map { " on channel \($0 + 1)" } ?? "")
  }

  /// Kind, number, channel from 1 or `any`, mode, both ends, bits, address: `cc 21 1 pickup 0 1 7 /filter/cutoff`; and
  /// for a knob with choices their number, `cc 22 1 cycle 0 1 7 /play/mode 3`.
  public var text: String {
    let channelWord = channel.map { "\($0 + 1)" } ?? "any"
    return
      "\(kind.rawValue) \(number) \(channelWord) \(mode.rawValue) \(low) \(high) \(isFine ? 14 : 7) \(target)"
      + (choices.map { " \($0)" } ?? "")
  }

  /// Reads the format of `text`; nil for any other. Does not check that the address exists.
  public init?(_ text: String) { try? self.init(reading: text) }

  /// Reads the format of `text`. The error names the first wrong word and the words that are allowed instead.
  public init(reading text: String) throws(BindingError) {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 8 || words.count == 9 else {
      throw BindingError(
        description:
          "takes eight words, not \(words.count): kind, number, channel, mode, low, high, bits, address, "
          + "as cc 21 any pickup 0 1 7 /filter/cutoff")
    }
    func part<Value>(_ name: String, _ word: String, _ value: Value?) throws(BindingError) -> Value {
      if let value { return value }
      throw BindingError(description: "takes as \(name) \(Self.takes(name)), not \"\(word.prefix(40))\"")
    }
    let kind = try part("kind", words[0], Kind(rawValue: words[0]))
    let most: UInt16 = kind == .parameter ? 16_383 : 127
    let number = try part("number", words[1], UInt16(words[1]).flatMap { $0 <= most ? $0 : nil })
    let mode = try part("mode", words[3], Mode(rawValue: words[3]))
    let isAddress = words[7].hasPrefix("/") && words[7].utf8.count <= 100
    self.init(kind, number, to: try part("address", words[7], isAddress ? words[7] : nil), mode)
    if words[2] != "any" { channel = try part("channel", words[2], Self.channel(words[2])) }
    low = try part("low", words[4], Self.normalized(words[4]))
    high = try part("high", words[5], Self.normalized(words[5]))
    isFine = try part("bits", words[6], ["7": false, "14": true][words[6]])
    if words.count == 9 {
      let number = UInt16(words[8]).flatMap { $0 > 0 ? Int($0) : nil }
      choices = try part("number of choices", words[8], number)
    }
  }

  /// The values that each part of a binding may have, in words.
  public static func takes(_ name: String) -> String {
    switch name {
    case "kind": Kind.allCases.map(\.rawValue).joined(separator: ", ")
    case "number": "0…127, or 0…16383 for nrpn"
    case "channel": "1…16 or any"
    case "mode": Mode.allCases.map(\.rawValue).joined(separator: ", ")
    case "low", "high": "0…1"
    case "bits": "7 or 14"
    case "number of choices": "1…65535, or nothing"
    default: "one that begins with /, 100 letters at most"
    }
  }

  /// A channel 0…15, written from 1.
  private static func channel(_ word: String) -> UInt8? {
    UInt8(word).flatMap { (1...16).contains($0) ? $0 - 1 : nil }
  }

  /// A normalized position, 0…1.
  private static func normalized(_ word: String) -> Float? {
    Float(word).flatMap { (0...1).contains($0) ? $0 : nil }
  }

  /// The settings that can be changed later, by the names that `set` takes.
  public static let names = ["mode", "low", "high", "channel"]

  /// Sets a field by its name in texts. Returns false, and sets nothing, if the name or the value is unknown.
  public mutating func set(_ name: String, to value: String) -> Bool {
    switch name {
    case "mode":
      guard let found = Mode(rawValue: value) else { return false }
      mode = found
    case "low", "high":
      guard let position = Self.normalized(value) else { return false }
      if name == "low" { low = position } else { high = position }
    case "channel" where value == "any": channel = nil
    case "channel":
      guard let number = Self.channel(value) else { return false }
      channel = number
    default: return false
    }
    return true
  }
}

/// Why a line is not a binding, as a sentence without its subject.
public struct BindingError: Error, CustomStringConvertible {
  /// The reason.
  public let description: String
}
