import CLiblo

/// An argument as it came in, brought down to what a knob or a command can take.
enum Argument: Equatable {
  /// `i f h d T F`; finite.
  case number(Double)
  /// `s S`
  case string(String)

  /// The one argument of a message.
  var number: Double? {
    if case .number(let number) = self { return number }
    return nil
  }

  /// Nil, with the reason, for what nothing here takes: other types, NaN, infinities.
  static func read(
    _ types: UnsafePointer<CChar>?, _ values: UnsafeMutablePointer<UnsafeMutablePointer<lo_arg>?>?,
    _ count: Int
  ) -> Result<[Argument], Refusal> {
    var arguments: [Argument] = []
    // No address takes more than two; whoever sends a thousand need not have them all read.
    for index in 0..<min(count, 3) {
      guard let types else { break }
      let type = UInt8(bitPattern: types[index])
      let raw = values?[index].map { UnsafeRawPointer($0) }
      guard let argument = Argument(type, raw) else {
        return .failure(Refusal("cannot take the type '\(Character(Unicode.Scalar(type)))'"))
      }
      if case .number(let number) = argument, !number.isFinite {
        return .failure(Refusal("takes no NaN and no infinity"))
      }
      arguments.append(argument)
    }
    return .success(arguments)
  }

  private init?(_ type: UInt8, _ raw: UnsafeRawPointer?) {
    switch (type, raw) {
    case (UInt8(ascii: "T"), _): self = .number(1)
    case (UInt8(ascii: "F"), _): self = .number(0)
    // Arguments lie at multiples of four bytes, whatever their size.
    case (UInt8(ascii: "i"), let raw?): self = .number(Double(raw.loadUnaligned(as: Int32.self)))
    case (UInt8(ascii: "h"), let raw?): self = .number(Double(raw.loadUnaligned(as: Int64.self)))
    case (UInt8(ascii: "f"), let raw?): self = .number(Double(raw.loadUnaligned(as: Float.self)))
    case (UInt8(ascii: "d"), let raw?): self = .number(raw.loadUnaligned(as: Double.self))
    case (UInt8(ascii: "s"), let raw?), (UInt8(ascii: "S"), let raw?):
      self = .string(String(cString: raw.assumingMemoryBound(to: CChar.self)))
    default: return nil
    }
  }
}

/// Why a message was not taken, as a sentence without its subject.
struct Refusal: Error {
  let why: String
  init(_ why: String) { self.why = why }
}
