import Testing

@testable import Surface
@testable import Web

/// Who may ask, and who may change.
struct GateTests {
  private func request(_ method: HTTPRequest.Method, _ fields: [String: String]) -> HTTPRequest {
    HTTPRequest(method: method, path: "/", query: [:], host: .thisMachine, fields: fields)
  }

  @Test("The machine's own names and addresses are admitted, and no name that a stranger can own")
  func hosts() {
    let gate = Gate(machine: "Box", names: ["studio.example"])
    let known = [
      "localhost", "localhost:8000", "box", "BOX:80", "box.local", "box.lan:8000", "box.home.arpa",
      "box.internal",
      "192.168.1.20", "192.168.1.20:8000", "[fe80::1]", "[fe80::1]:8000", "studio.example",
      "Studio.Example:8000",
    ]
    for host in known { #expect(gate.isKnown(host), "\(host)") }
    let unknown = [
      "", "evil.example", "box.example", "box.local.evil.example", "evil.box.local", "localhost.evil.example",
      "box:", "box:8000:1", "box:99999", "[fe80::1", "[fe80::1]x", "[]", "fe80::1", "1.2.3",
      "1.2.3.4.evil.example",
      "box.local:8000@evil.example", "user@box",
    ]
    for host in unknown { #expect(!gate.isKnown(host), "\(host)") }
  }

  @Test("A foreign page is refused, pipit's own page and programs are not")
  func origins() {
    let gate = Gate(machine: "box")
    let cases: [(HTTPRequest.Method, [String: String], Int?)] = [
      (.get, ["host": "box:8000"], nil), (.get, [:], 421), (.get, ["host": "evil.example"], 421),
      (.get, ["host": "box:8000", "origin": "http://box:8000"], nil),
      (.get, ["host": "box:8000", "origin": "http://box"], 403),
      (.get, ["host": "box:8000", "origin": "http://box:8001"], 403),
      (.get, ["host": "box:8000", "origin": "https://box:8000"], 403),
      (.get, ["host": "box:8000", "origin": "null"], 403),
      (.put, ["host": "box:8000"], 403), (.put, ["host": "box:8000", "x-pipit": "1"], nil),
      (.put, ["host": "box:8000", "content-type": "application/json"], nil),
      (.put, ["host": "box:8000", "content-type": "text/plain"], 403),
      (.post, ["host": "box:8000", "content-type": "application/x-www-form-urlencoded"], 403),
      (.delete, ["host": "box:8000", "x-pipit": "1", "origin": "http://evil.example"], 403),
    ]
    for (method, fields, status) in cases {
      #expect(gate.refusal(of: request(method, fields))?.status == status, "\(method) \(fields)")
    }
  }

  @Test("The key of a WebSocket is answered as the standard's example says")
  func handshake() throws {
    #expect(Handshake.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    let good = [
      "upgrade": "websocket", "connection": "keep-alive, Upgrade", "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    ]
    #expect(try Handshake.key(of: request(.get, good)) != nil)
    #expect(try Handshake.key(of: request(.get, ["host": "box"])) == nil)
    for (field, value, status) in [
      ("connection", "close", 400), ("sec-websocket-key", "short", 400), ("sec-websocket-version", "8", 426),
    ] {
      var wrong = good
      wrong[field] = value
      do throws(Handshake.Refused) {
        _ = try Handshake.key(of: request(.get, wrong))
        Issue.record("\(field) is taken")
      } catch {
        #expect(error.answer.status == status)
      }
    }
  }

  @Test("A connection that sends a byte now and then ends all the same")
  func deadline() {
    let connection = HTTPConnection(5, .thisMachine, now: 1000)
    #expect(connection.deadline == 1000 + HTTPConnection.headTime)
    connection.begin(.body, now: 2000)
    connection.isActive(now: 3000)
    #expect(connection.deadline == 2000 + HTTPConnection.bodyTime)
    connection.begin(.answered, now: 3000)
    #expect(connection.deadline == nil)
  }

  @Test("A queue of connections that nobody accepts is noticed at the second look, and its end too")
  func queue() {
    var queue = ListenQueue()
    let step = ListenQueue.interval
    // One that moves, however long it is.
    for time in 0..<5 { #expect(queue.look(Int64(time) * step, accepted: time) { 9 } == nil) }
    #expect(queue.look(5 * step - 1, accepted: 4) { 9 } == nil, "not before it is time")
    #expect(queue.look(5 * step, accepted: 4) { 9 } == .stands(9) && queue.looksAt == 6 * step)
    #expect(queue.look(6 * step, accepted: 4) { 10 } == .stands(10))
    #expect(queue.look(7 * step, accepted: 5) { 9 } == .moves)
    #expect(queue.look(8 * step, accepted: 5) { 0 } == nil && queue.looksAt == .max)
    #expect(queue.look(9 * step, accepted: 5) { 1 } == nil)
    #expect(queue.look(10 * step, accepted: 5) { 1 } == .stands(1))
    #expect(queue.look(11 * step, accepted: 5) { 0 } == .moves)
  }
}
