import CLiblo
import Surface

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
