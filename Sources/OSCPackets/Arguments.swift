import CLiblo
import Surface

extension OSCArgument {
  /// An argument of a message that liblo has read.
  init(_ message: lo_message, at index: Int) {
    let type = lo_message_get_types(message).map { UInt8(bitPattern: $0[index]) } ?? 0
    let raw = lo_message_get_argv(message)?[index].map { UnsafeRawPointer($0) }
    switch (type, raw) {
    case (UInt8(ascii: "T"), _): self = .number(1)
    case (UInt8(ascii: "F"), _): self = .number(0)
    // Arguments are aligned to four bytes, whatever their size.
    case (UInt8(ascii: "i"), let raw?): self = .number(Double(raw.loadUnaligned(as: Int32.self)))
    case (UInt8(ascii: "h"), let raw?): self = .number(Double(raw.loadUnaligned(as: Int64.self)))
    case (UInt8(ascii: "f"), let raw?): self = .number(Double(raw.loadUnaligned(as: Float.self)))
    case (UInt8(ascii: "d"), let raw?): self = .number(raw.loadUnaligned(as: Double.self))
    case (UInt8(ascii: "s"), let raw?), (UInt8(ascii: "S"), let raw?):
      self = .string(String(cString: raw.assumingMemoryBound(to: CChar.self)))
    default: self = .other(Character(Unicode.Scalar(type)))
    }
  }
}

extension OSCMessage {
  /// The message as liblo's type; the caller frees it, or the bundle that it is added to. Nil without memory.
  public func encoded() -> lo_message? {
    guard let message = lo_message_new() else { return nil }
    value.add(to: message)
    return message
  }
}

extension OSCValue {
  fileprivate func add(to message: lo_message) {
    switch self {
    case .float(let value): lo_message_add_float(message, value)
    case .int(let value): lo_message_add_int32(message, Int32(clamping: value))
    case .string(let text): lo_message_add_string(message, text)
    case .truth(true): lo_message_add_true(message)
    case .truth(false): lo_message_add_false(message)
    }
  }
}

/// A bundle of messages that take effect at once; the caller frees it with its messages. Nil without memory.
public func encodedBundle(_ messages: [OSCMessage]) -> lo_bundle? {
  guard let bundle = lo_bundle_new(lo_timetag(sec: 0, frac: 1)) else { return nil }
  for message in messages {
    if let encoded = message.encoded() { lo_bundle_add_message(bundle, message.address, encoded) }
  }
  return bundle
}

extension OSCMessage {
  /// The bytes of a packet with messages; nil without memory.
  public static func packet(_ messages: [OSCMessage]) -> [UInt8]? {
    guard let bundle = encodedBundle(messages) else { return nil }
    defer { lo_bundle_free_recursive(bundle) }
    return bytes(lo_bundle_length(bundle)) { _ = lo_bundle_serialise(bundle, $0, nil) }
  }

  /// The bytes of a packet with one message of any number of values; nil without memory.
  public static func packet(_ address: String, _ values: [OSCValue]) -> [UInt8]? {
    guard let message = lo_message_new() else { return nil }
    defer { lo_message_free(message) }
    for value in values { value.add(to: message) }
    return bytes(lo_message_length(message, address)) { _ = lo_message_serialise(message, address, $0, nil) }
  }

  private static func bytes(_ count: Int, _ write: (UnsafeMutableRawPointer) -> Void) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      if let base = buffer.baseAddress { write(base) }
      used = count
    }
  }
}
