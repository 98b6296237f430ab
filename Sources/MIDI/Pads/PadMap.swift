/// The pads of a controller model, as a text file describes them.
public struct PadMap: Equatable, Sendable {
  /// The name of the file.
  public let name: String
  /// The names of the model, in lower case; `*` stands for any letters.
  public internal(set) var models: [String] = []
  /// USB vendors and products of the model, as `1235:0113`.
  public internal(set) var usb: [String] = []
  /// The port of the device, from 0; nil for every port.
  public internal(set) var port: Int?
  /// System exclusive messages, F0 and F7 included: those sent when the device appears, and when pipit leaves it.
  public internal(set) var hello: [[UInt8]] = []
  public internal(set) var bye: [[UInt8]] = []
  /// The pads, each control once.
  public internal(set) var pads: [Pad] = []

  init(name: String) { self.name = name }

  /// Whether a port is one of this model's.
  public func fits(_ device: PortIdentity) -> Bool {
    if let port, port != device.index { return false }
    if usb.contains(device.usb) { return true }
    let names = [device.client, device.port, device.name].map { $0.lowercased() }
    return models.contains { model in names.contains { PadMap.isMatch(model.utf8[...], $0.utf8[...]) } }
  }

  /// Whether a pattern, in which `*` stands for any letters, matches a whole name. Takes time in proportion to the
  /// product of their lengths at most.
  static func isMatch(_ pattern: Substring.UTF8View, _ name: Substring.UTF8View) -> Bool {
    let star = UInt8(ascii: "*")
    var (pattern, name) = (pattern, name)
    // The position after the last star, to return to if the words after the star do not match here.
    var retry: (pattern: Substring.UTF8View, name: Substring.UTF8View)?
    while let letter = name.first {
      if pattern.first == star {
        pattern = pattern.dropFirst()
        retry = (pattern, name)
      } else if pattern.first == letter {
        (pattern, name) = (pattern.dropFirst(), name.dropFirst())
      } else if let last = retry {
        retry = (last.pattern, last.name.dropFirst())
        (pattern, name) = (last.pattern, last.name.dropFirst())
      } else {
        return false
      }
    }
    return pattern.allSatisfy { $0 == star }
  }
}

/// Why a file of pads cannot be used: the file, the line and the reason, as a sentence.
public struct PadError: Error, CustomStringConvertible, Equatable {
  /// The sentence.
  public let description: String

  init(_ file: String, _ line: Int, _ reason: String) { description = "\(file), line \(line): \(reason)" }
}

/// A pad or button of a controller: which message it sends, which address it is for, and which light each state has.
public struct Pad: Hashable, Sendable {
  /// The action of a press at the address.
  public enum Action: Hashable, Sendable {
    /// Sends 1, and 0 when the pad is released.
    case press
    /// Sets a value.
    case set(Double)
    /// Sets a value, or 0 if the value is not 0.
    case toggle(Double)
    /// Sets a value while the pad is down, and then restores the value from before.
    case hold(Double)
  }

  /// The states of a light; the raw value is their word in a pad map.
  public enum State: String, CaseIterable, Sendable {
    /// The pad's target is chosen, or is played now.
    case current
    /// The pad's target is not empty, and not chosen.
    case filled
    /// The pad's target is empty.
    case empty
    /// The address has no state.
    case plain
    /// The pad is down.
    case down
  }

  /// A light as the device takes it: the value of the message, and its MIDI channel 0…15.
  public struct Light: Hashable, Sendable {
    /// Velocity or controller value 0…127, which means a colour.
    public let value: UInt8
    /// MIDI channel 0…15, which means how bright or whether it flashes.
    public let channel: UInt8

    /// A light.
    public init(_ value: UInt8, channel: UInt8 = 0) { (self.value, self.channel) = (value, channel) }

    /// No light.
    public static let off = Light(0)
  }

  /// Note or controller.
  public let kind: Binding.Kind
  /// The note or the controller, 0…127.
  public let number: UInt16
  /// The MIDI channel that it sends on, 0…15; nil for any.
  public let channel: UInt8?
  /// The address that it is for. Whether it exists is not checked here.
  public let address: String
  /// The action of a press.
  public let action: Action
  /// The lights of its states.
  public let lights: [State: Light]
  /// The line of the file, from 1.
  public let line: Int

  /// The light of a state: a state that the file does not name has none.
  public func light(_ state: State) -> Light { lights[state] ?? .off }

  /// Whether a movement is one of this pad.
  public func isMoved(by movement: Movement) -> Bool {
    kind == movement.kind && number == movement.number && (channel == nil || channel == movement.channel)
  }

  /// Whether a binding is for this pad.
  public func isBound(by binding: Binding) -> Bool {
    kind == binding.kind && number == binding.number
      && (channel == nil || binding.channel == nil || channel == binding.channel)
  }
}

// The reading of a file of pads. It is strict: a wrong line is an error with its number, and the file is not used.

extension PadMap {
  /// The most pads of a file.
  public static let mostPads = 512
  /// The most bytes of a file.
  public static let mostBytes = 65_536
  /// The most system exclusive messages of `hello` or `bye`, and the most bytes of one.
  static let (mostMessages, mostMessageBytes) = (16, 512)

  /// Reads the text of a file with a name such as `launchpad-mini-mk3.txt`.
  public init(reading text: String, name: String) throws(PadError) {
    self.init(name: name)
    var reader = PadReader()
    var number = 0
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      // Spaces, tabs, and the carriage return before a newline.
      let words = line.split { [32, 9, 13].contains($0) }.map { String(Substring($0)) }
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      do throws(PadReader.Wrong) {
        try reader.read(first, Array(words.dropFirst()), number, into: &self)
      } catch { throw PadError(name, number, error.reason) }
    }
    if models.isEmpty, usb.isEmpty {
      throw PadError(name, number, "the file names no model; 'device Launchpad*' or 'usb 1235:0113' does")
    }
  }
}

/// Reads line by line; `channel` and `state` set the channel and the lights of the pads below them.
private struct PadReader {
  struct Wrong: Error { let reason: String }

  private struct Control: Hashable {
    let kind: Binding.Kind
    let number: UInt16
  }
  private var channel: UInt8?
  private var lights: [Pad.State: Pad.Light] = [:]
  private var lines: [Control: [(channel: UInt8?, line: Int)]] = [:]

  mutating func read(_ word: String, _ words: [String], _ line: Int, into map: inout PadMap) throws(Wrong) {
    switch word {
    case "device":
      let name = words.joined(separator: " ").lowercased()
      guard name.contains(where: { $0 != "*" && $0 != " " }) else { throw takes("device", "a name") }
      map.models.append(name)
    case "usb":
      let (id, parts) = (words.first ?? "", (words.first ?? "").split(separator: ":"))
      guard words.count == 1, id.utf8.count == 9, parts.count == 2,
        parts.allSatisfy({ $0.utf8.count == 4 && $0.utf8.allSatisfy(isHexadecimal) })
      else { throw takes("usb", "vendor and product as 1235:0113") }
      map.usb.append(id.lowercased())
    case "port":
      guard words.count == 1, let number = Int(words[0]), (1...256).contains(number) else {
        throw takes("port", "a number from 1")
      }
      map.port = number - 1
    case "hello": try add(words, word, to: &map.hello)
    case "bye": try add(words, word, to: &map.bye)
    case "channel":
      guard words.count == 1, words[0] == "any" || Self.channel(words[0]) != nil else {
        throw takes("channel", "1…16 or any")
      }
      channel = Self.channel(words[0])
    case "state": try readState(words)
    case "pad": try readPad(words, line, into: &map)
    default:
      let known = "device, usb, port, hello, bye, channel, state, pad or #"
      throw Wrong(reason: "a line begins with \(known), not \(quote(word))")
    }
  }

  private func add(_ words: [String], _ word: String, to messages: inout [[UInt8]]) throws(Wrong) {
    let most = PadMap.mostMessageBytes
    let bytes = words.compactMap { word in
      word.utf8.count == 2 && word.utf8.allSatisfy(isHexadecimal) ? UInt8(word, radix: 16) : nil
    }
    guard bytes.count == words.count, (3...most).contains(bytes.count), bytes.first == 0xF0,
      bytes.last == 0xF7, bytes.dropFirst().dropLast().allSatisfy({ $0 < 0x80 })
    else { throw takes(word, "a system exclusive message as F0 00 20 29 F7, \(most) bytes at most") }
    if messages.count >= PadMap.mostMessages {
      throw Wrong(reason: "\(word) has \(PadMap.mostMessages) messages at most")
    }
    messages.append(bytes)
  }

  private mutating func readState(_ words: [String]) throws(Wrong) {
    guard (2...3).contains(words.count), let state = Pad.State(rawValue: words[0]) else {
      let names = Pad.State.allCases.map(\.rawValue).joined(separator: ", ")
      throw takes("state", "a state (\(names)), a value 0…127, and a channel 1…16 if it is not 1")
    }
    guard let value = UInt8(words[1]), value < 128 else {
      throw Wrong(reason: "a state takes a value 0…127, not \(quote(words[1]))")
    }
    guard let channel = words.count == 2 ? 0 : Self.channel(words[2]) else {
      throw Wrong(reason: "a state takes a channel 1…16, not \(quote(words[2]))")
    }
    lights[state] = Pad.Light(value, channel: channel)
  }

  private mutating func readPad(_ words: [String], _ line: Int, into map: inout PadMap) throws(Wrong) {
    guard (3...5).contains(words.count), words.count != 4 else {
      throw takes("pad", "note or cc, a number, an address, and perhaps set, toggle or hold with a value")
    }
    guard let kind = ["note": Binding.Kind.note, "cc": .controller][words[0]] else {
      throw Wrong(reason: "a pad is a note or a cc, not \(quote(words[0]))")
    }
    guard let number = UInt16(words[1]), number < 128 else {
      throw Wrong(reason: "a pad has a number 0…127, not \(quote(words[1]))")
    }
    if kind == .controller, [0, 6, 32, 38].contains(number) || (96...101).contains(number) || number >= 120 {
      throw Wrong(reason: "cc \(number) has a meaning of its own in MIDI and cannot be a pad")
    }
    guard words[2].hasPrefix("/"), words[2].utf8.count <= 100 else {
      throw Wrong(reason: "an address begins with / and has 100 letters at most, not \(quote(words[2]))")
    }
    var action = Pad.Action.press
    if words.count == 5 {
      guard let value = Double(words[4]), value.isFinite, abs(value) <= 1e6 else {
        throw Wrong(reason: "\(words[3]) takes a number, not \(quote(words[4]))")
      }
      switch words[3] {
      case "set": action = .set(value)
      case "toggle" where value != 0: action = .toggle(value)
      case "hold": action = .hold(value)
      default:
        throw Wrong(reason: "a press can set, hold, or toggle a value but 0, not \(quote(words[3]))")
      }
    }
    let control = Control(kind: kind, number: number)
    for (other, earlier) in lines[control] ?? [] where other == nil || channel == nil || other == channel {
      throw Wrong(reason: "\(words[0]) \(number) is used in line \(earlier) already")
    }
    if map.pads.count >= PadMap.mostPads { throw Wrong(reason: "a file has \(PadMap.mostPads) pads at most") }
    lines[control, default: []].append((channel, line))
    map.pads.append(
      Pad(
        kind: kind, number: number, channel: channel, address: words[2], action: action, lights: lights,
        line: line))
  }

  private static func channel(_ word: String) -> UInt8? {
    UInt8(word).flatMap { (1...16).contains($0) ? $0 - 1 : nil }
  }

  private func takes(_ word: String, _ what: String) -> Wrong { Wrong(reason: "\(word) takes \(what)") }

  private func quote(_ word: String) -> String { "\"\(word.prefix(40))\"" }
}

private func isHexadecimal(_ byte: UInt8) -> Bool {
  (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
}
