import CNettle

/// The handshake of a WebSocket (RFC 6455, section 4.2).
enum Handshake {
  /// The value of `Sec-WebSocket-Accept`: the SHA-1 of the key and a fixed text, in base 64.
  static func accept(_ key: String) -> String {
    var context = sha1_ctx()
    nettle_sha1_init(&context)
    let text = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
    nettle_sha1_update(&context, text.count, text)
    var digest = [UInt8](repeating: 0, count: 20)
    nettle_sha1_digest(&context, digest.count, &digest)
    var encoded = [CChar](repeating: 0, count: 28)
    nettle_base64_encode_raw(&encoded, digest.count, digest)
    return String(decoding: encoded.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The key of a request that asks for a WebSocket; nil for any other request. Throws the answer to a wrong one.
  static func key(of request: HTTPRequest) throws(Refused) -> String? {
    guard request.lists("websocket", in: "upgrade") else { return nil }
    guard request.method == .get, request.lists("upgrade", in: "connection"),
      let key = request["sec-websocket-key"], key.utf8.count == 24
    else { throw Refused(answer: HTTPResponse(400, "this is no request for a WebSocket")) }
    guard request["sec-websocket-version"] == "13" else {
      throw Refused(
        answer: HTTPResponse(426, "pipit speaks version 13 of WebSocket").with("Sec-WebSocket-Version", "13"))
    }
    return key
  }

  /// A wrong request, with its answer.
  struct Refused: Error { let answer: HTTPResponse }
}
