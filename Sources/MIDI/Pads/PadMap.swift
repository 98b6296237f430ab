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
