import Layout
import Surface
import System

/// The page, OSCQuery and WebSockets on one TCP port, in the loop of the control thread.
public final class WebServer {
  /// The port that it listens on.
  public var port: Int { http.port }
  let http: HTTPServer
  private let transport: WebTransport
  private let routes: Routes

  /// Listens on `port` (0 for any free one) of every IPv4 address, from the next round of `loop` on.
  /// - Parameters:
  ///   - surface: The surface that receives the messages. It must have joined the loop before.
  ///   - state: The folder on whose disk files wait while they are received.
  ///   - page: The folder of the page's files, which are read when they are first asked for.
  ///   - names: More names of this machine, beside its own in a local network.
  ///   - oscPort: The UDP port of OSC, as it is now.
  ///   - accessPoint: The file that describes the Wi-Fi network of this machine while it is open (`AccessPoint`).
  ///   - faultChanged: Called with the reason when browsers wait and get no answer, and with nil when that is over.
  public init(
    port: Int, surface: ControlSurface, loop: PollLoop, state: String, page: String, names: [String] = [],
    version: String,
    oscPort: @escaping () -> Int, replyPort: Int, accessPoint: String,
    faultChanged: @escaping (String?) -> Void = { _ in }, log: @escaping (String) -> Void
  ) throws(PortFailure) {
    let transport = WebTransport(surface, loop: loop, log: log)
    let worker = Worker(loop)
    let routes = Routes(
      surface, loop: loop, worker: worker, page: page, version: version, oscPort: oscPort,
      replyPort: replyPort, accessPoint: accessPoint)
    let gate = Gate(machine: hostName(), names: names)
    (self.transport, self.routes) = (transport, routes)
    http = try HTTPServer(
      port: port, loop: loop, worker: worker, folder: state, admits: { surface.admits($0) },
      refusal: { gate.refusal(of: $0) },
      bodyLimit: { routes.bodyLimit($0) },
      handle: { request in
        do throws(Handshake.Refused) {
          if let key = try Handshake.key(of: request) { return .upgrade(key: key) }
        } catch { return .now(error.answer) }
        return routes.answer(request)
      },
      upgrade: { _, _ in { upgraded in transport.take(upgraded) } }, faultChanged: faultChanged, log: log)
    routes.webPort = http.port
  }

  /// Closes all connections. To be called before the program ends.
  public func finish() {
    transport.finish()
    http.stop()
  }
}
