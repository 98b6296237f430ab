import CLiblo
import Control
import System

/// Asks a running pipit on this machine how it is.
public enum Question {
  private final class Answers {
    var values: [(name: String, value: String)] = []
  }

  /// The figures by name, in the order of `StatusValue.all`; nil when nobody answers on UDP `port` within `seconds`.
  public static func health(port: Int, within seconds: Double) -> [(name: String, value: String)]? {
    guard let server = lo_server_new_with_proto(nil, Int32(LO_UDP), { _, _, _ in }),
      let pipit = lo_address_new("127.0.0.1", "\(port)"), let question = lo_message_new()
    else { return nil }
    defer {
      lo_message_free(question)
      lo_address_free(pipit)
      lo_server_free(server)
    }
    let answers = Answers()
    lo_server_add_method(
      server, nil, nil,
      { path, types, values, count, _, answers in
        guard let path, let types, let answers, count == 1, let raw = values?[0].map({ UnsafeRawPointer($0) })
        else { return 0 }
        let prefix = "/status/"
        let address = String(cString: path)
        let value: String
        switch UInt8(bitPattern: types[0]) {
        case UInt8(ascii: "i"): value = "\(raw.load(as: Int32.self))"
        case UInt8(ascii: "f"): value = "\(Double((raw.load(as: Float.self) * 100).rounded()) / 100)"
        case UInt8(ascii: "s"): value = String(cString: raw.assumingMemoryBound(to: CChar.self))
        default: return 0
        }
        guard address.hasPrefix(prefix) else { return 0 }
        Unmanaged<Answers>.fromOpaque(answers).takeUnretainedValue().values
          .append((String(address.dropFirst(prefix.count)), value))
        return 0
      }, Unmanaged.passUnretained(answers).toOpaque())
    lo_send_message_from(pipit, server, "/status", question)
    let end = monotonic() + Int64(seconds * 1e9)
    while answers.values.count < StatusValue.all.count {
      let left = end - monotonic()
      if left <= 0 { break }
      lo_server_recv_noblock(server, Int32(left / 1_000_000) + 1)
    }
    return withExtendedLifetime(answers) { answers.values.isEmpty ? nil : answers.values }
  }
}
