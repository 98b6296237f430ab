import Control
import Surface
import System
import Web

/// Starts the server of the page as soon as its port is free. Control thread.
final class WebLink {
  private var retrying: RetryingServer<WebServer>?

  init(
    _ arguments: CommandArguments, state: String, _ surface: ControlSurface, _ instrument: Instrument,
    _ loop: PollLoop
  ) {
    let port = WebLink.port(arguments)
    if port == 0 { return }
    let names = (arguments[.webNames] ?? "").split { $0 == "," || $0 == " " }.filter { $0 != "none" }
    let oscPort = arguments.number(.oscPort)
    let replyPort = arguments.number(.replyPort)
    retrying = RetryingServer(loop: loop) { () throws(PortFailure) in
      try WebServer(
        port: port, surface: surface, loop: loop, state: state, page: Folders.page,
        names: names.map(String.init),
        version: version,
        oscPort: { instrument.health.oscPort == 0 ? oscPort : instrument.health.oscPort },
        replyPort: replyPort, accessPoint: Folders.accessPoint,
        faultChanged: { fault in
          guard let fault else { return instrument.notices.clear(about: .webPort) }
          // The server has logged it.
          instrument.notices.post(fault, about: .webPort, .problem, log: "")
        },
        log: Console.log)
    } started: { server in
      instrument.health.webPort = server.port
      instrument.notices.clear(about: .webPort)
      Console.log("page on TCP port \(server.port)")
    } failed: { failure in
      let (short, long) = failure.words(without: "page", option: "web-port", isPipit: false)
      instrument.notices.post(short, about: .webPort, .problem, log: long)
    }
  }

  /// The port of the page: its own, or the number of the port of OSC; 0 if it is off.
  static func port(_ arguments: CommandArguments) -> Int {
    arguments[.webPort] == nil ? arguments.number(.oscPort) : arguments.number(.webPort)
  }

  /// Closes the connections of browsers. To be called before the program ends.
  func finish() { retrying?.server?.finish() }
}
