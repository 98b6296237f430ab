import ALSA
import Control
import Glibc
import OSC
import Parameters
import Presets
import Surface
import Synth
import System

/// The instrument itself, put together from its parts: read downward, this is how it starts.
enum Serve {
  static func run(_ arguments: Arguments) throws {
    let arguments = try Configuration.completed(arguments)
    let state = try Folders.state(arguments)
    Output.log("version \(version), state in \(state)")

    // Before any thread is started: all of them inherit it.
    Signals.block()
    guard let loop = PollLoop() else { throw Complaint("serve: the system has no descriptor left") }
    let library = Library(
      database: Folders.database(state), factory: Folders.presets(arguments), log: Output.log)
    let link = Link(.initial)
    let control = Control(link: link, library: library, log: Output.log)
    control.join(loop)

    let port = arguments.number(.oscPort)
    guard let access = Access(arguments[.allow] ?? "private") else {
      throw Complaint("serve: 'allow' names no network", status: 2)
    }
    let server = try Server(
      port: port, replyPort: arguments.number(.replyPort), access: access, surface: ControlSurface(control),
      loop: loop,
      log: Output.log)
    Output.log(
      "OSC on UDP port \(server.port) of \(hostName), feedback to port \(arguments.number(.replyPort))")

    let output = AudioOutput(
      device: .init(arguments[.device] ?? "auto"), rate: arguments.number(.rate),
      period: arguments.number(.period), link: link, log: Output.log)
    try output.start()
    control.health.playing = { output.playing }
    control.health.waitsForCard = { output.waitsForCard }
    let liveness = Liveness(Systemd(), control.health, link.meters)
    loop.afterEachRound { liveness.turn($0) }
    let waker = loop.waker
    let sequencer = Sequencer(link: link, wakeControl: { waker.wake() }, log: Output.log)
    try sequencer.start()

    try Signals.upon { waker.stop() }
    loop.run()

    Output.log("stopping")
    liveness.end()
    sequencer.stop()
    output.stop()
    server.finish()
    if !control.finish(within: 5) { throw Complaint("serve: not everything could be saved") }
    withExtendedLifetime(server) {}
  }

  private static var hostName: String {
    var bytes = [CChar](repeating: 0, count: 256)
    gethostname(&bytes, bytes.count - 1)
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
