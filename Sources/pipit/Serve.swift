import ALSA
import Control
import Glibc
import MIDI
import OSC
import Parameters
import Playback
import Presets
import Scenes
import Storage
import Surface
import Synth
import System
import Tuning
import Wavetables

/// `pipit serve`: assembles and starts the instrument, in the order of these lines.
enum Serve {
  static func run(_ given: CommandArguments) throws {
    let file = Configuration.read(given)
    var arguments = given
    arguments.add(file.values)
    let state = try Folders.state(arguments)
    Console.log("version \(version), state in \(state)")
    let lock: StateLock
    do throws(StateLock.Held) { lock = try StateLock(state) } catch { throw CommandError("serve: \(error)") }
    defer { withExtendedLifetime(lock) {} }
    // A folder that the user has named may be used for other files too.
    if arguments[.state] == nil { StateFolder.close(state) }

    // Before any thread is started, because threads inherit the signal mask.
    Signals.ignoreOthers()
    Signals.block()
    ProcessMemory.trimHeap()
    guard let loop = PollLoop() else { throw CommandError("serve: the system has no file descriptor left") }
    let library = Library(
      database: Folders.database(state), factory: Folders.presets(arguments), log: Console.log)
    let link = Link(.initial, kit: library.kit)
    for folder in [
      state, Folders.songs(state), Folders.tunings(state), Folders.wavetables(state),
      Folders.pads(state, arguments)[0],
    ] {
      NewFile.removeAbandoned(in: folder)
    }
    let tunings = Folders.tunings(state)
    // Makes the folder for tuning files. If this fails, there are no tunings.
    mkdir(tunings, 0o755)
    // Likewise for wavetables.
    mkdir(Folders.wavetables(state), 0o755)
    let instrument = Instrument(
      link: link, library: library, tunings: TuningFolder(tunings),
      wavetables: WavetableFolder(Folders.wavetables(state)), log: Console.log)
    let setupChannel = arguments.number(.setupChannel)
    instrument.setups.channel = setupChannel > 0 ? setupChannel - 1 : nil
    instrument.setups.edits = Setups.Edits(rawValue: arguments[.setupEdits] ?? "") ?? .discard
    instrument.join(loop)

    let waker = loop.waker
    var memory = CardMemory(reading: instrument.library.documents.text(.cards))
    let device = arguments[.device] ?? "auto"
    memory.start(device: device, rate: arguments.number(.rate), period: arguments.number(.period))
    let output = AudioOutput(
      device: .init(device), rate: arguments.number(.rate),
      period: arguments.number(.period), periods: arguments.number(.periods),
      outputs: PartOutputs(arguments[.outputs] ?? "") ?? PartOutputs(), link: link, remembering: memory,
      onStateChange: { waker.wake() }, log: Console.log)
    try output.start()
    instrument.health.state = state
    let cardLink = CardLink(output, instrument, loop)
    let recorderLink = RecorderLink(arguments, state: state, instrument, loop)
    let songs = Folders.songs(state)
    mkdir(songs, 0o755)
    let songPlayer = SongPlayer(folders: [songs, Folders.presets(arguments) + "/songs"], instrument, loop)
    let box = BoxLink(given, arguments, state: state, recordings: recorderLink.files, instrument, loop)
    let notifier = SystemdNotifier(NotifySocket(), instrument.health, link.meters)
    loop.afterEachRound { notifier.update($0) }
    let padFolders = Folders.pads(state, arguments)
    // Makes the folder for the player's own files. If this fails, there are none.
    mkdir(padFolders[0], 0o755)
    var devices = DeviceTable(reading: instrument.library.documents.text(.devices) ?? "")
    devices.use(PadFiles.maps(in: padFolders, log: Console.log))
    let sequencer = Sequencer(
      link: link, version: version, mpe: MPESetting(arguments[.mpe] ?? "") ?? .auto,
      ump: arguments[.ump] != "off",
      devices: devices, wakeControl: { waker.wake() }, log: Console.log)
    instrument.health.midi = { [sequencer] in sequencer.protocolVersion }
    try sequencer.start()
    let deviceLink = DeviceLink(sequencer, instrument, loop)

    // Audio is already running, even if a later step fails.
    for problem in file.problems { Console.log(.warning("\(problem)")) }
    if file.locksOut { Console.log(.warning(Configuration.Contents.lockedOut)) }
    if let text = file.short { instrument.notices.post(text, about: .configuration, .problem, log: "") }
    let port = arguments.number(.oscPort)
    let replyPort = arguments.number(.replyPort)
    let access = AllowedNetworks(arguments[.allow] ?? "") ?? .thisMachine
    let surface = ControlSurface(instrument, allow: access, log: Console.log)
    surface.join(loop)
    deviceLink.pads = surface.pads
    let local = LocalServer(port: port, surface: surface, loop: loop)
    let osc = RetryingServer(loop: loop) { () throws(PortFailure) in
      try Server(port: port, replyPort: replyPort, surface: surface, loop: loop, log: Console.log)
    } started: { server in
      instrument.health.oscPort = server.port
      instrument.notices.clear(about: .port)
      Console.log("OSC on UDP port \(server.port) of \(hostName()), feedback to port \(replyPort)")
    } failed: { failure in
      let (short, long) = failure.words(without: "tablet", option: "osc-port", isPipit: local.isTaken)
      instrument.notices.post(short, about: .port, .problem, log: long)
    }
    let web = WebLink(arguments, state: state, surface, instrument, loop)
    var addresses = AddressLog(port: { instrument.health.oscPort }, log: Console.log)
    loop.afterEachRound { addresses.update($0) }

    try Signals.upon { waker.stop() }
    loop.run()

    Console.log("stopping")
    notifier.stop()
    sequencer.stop()
    output.stop()
    recorderLink.finish()
    osc.server?.finish()
    web.finish()
    surface.finish()
    if !instrument.finish(within: 5) { throw CommandError("serve: not everything could be saved") }
    withExtendedLifetime((osc, local, cardLink, deviceLink, songPlayer, box)) {}
  }
}

/// Notifies systemd: READY once audio runs, STATUS with the current card, and WATCHDOG while frames advance, so that
/// systemd restarts a process that no longer renders. Control thread.
final class SystemdNotifier {
  private let socket: NotifySocket
  private let health: Health
  private let meters: Meters
  private var isReady = false
  private var lastStatus = ""
  private var frames: UInt64 = 0
  private var notifiedAt = Int64.min / 2

  init(_ socket: NotifySocket, _ health: Health, _ meters: Meters) {
    (self.socket, self.health, self.meters) = (socket, health, meters)
  }

  /// Sends due notifications. Returns the time of the next call, nanoseconds.
  func update(_ now: Int64) -> Int64? {
    let frames = meters[.frames]
    if !isReady {
      // The first block takes at most a third of a second.
      if frames == 0 { return now + 5_000_000 }
      isReady = true
      socket.send("READY=1")
    }
    let status = health.waitsForCard() ? "Waiting for a sound card" : "Playing on \(health.playing())"
    if status != lastStatus {
      lastStatus = status
      socket.send("STATUS=\(status)")
    }
    guard let watchdog = socket.watchdog else { return nil }
    // Checked twice as often as a notification is due, so that a failed one is followed by another in time.
    if now - notifiedAt >= watchdog / 2, frames != self.frames {
      socket.send("WATCHDOG=1")
      self.frames = frames
      notifiedAt = now
    }
    return now + watchdog / 4
  }

  /// Sends STOPPING.
  func stop() { socket.send("STOPPING=1") }
}

/// The socket in `$NOTIFY_SOCKET`, to which a service sends its state as datagrams, after sd_notify(3). Without one,
/// nothing is sent.
struct NotifySocket {
  private let descriptor: Int32
  private var address = sockaddr_un()
  private var length: socklen_t = 0
  /// The watchdog interval within which WATCHDOG=1 must be sent, nanoseconds; nil if no watchdog is configured.
  let watchdog: Int64?

  /// Reads the environment variables of systemd.
  init() {
    let path = NotifySocket.variable("NOTIFY_SOCKET").map { Array($0.utf8) } ?? []
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    if let first = path.first, [UInt8(ascii: "/"), UInt8(ascii: "@")].contains(first), path.count < capacity {
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
      // The name of an abstract socket begins with a zero byte.
      if first == UInt8(ascii: "@") { address.sun_path.0 = 0 }
      length = socklen_t(MemoryLayout<sockaddr_un>.size - capacity + path.count)
    } else {
      descriptor = -1
    }
    let isMine = NotifySocket.variable("WATCHDOG_PID").map { $0 == "\(getpid())" } ?? true
    let microseconds = NotifySocket.variable("WATCHDOG_USEC").flatMap { Int64($0) } ?? 0
    watchdog = isMine && microseconds > 0 && microseconds < 1 << 50 ? microseconds * 1000 : nil
  }

  /// Sends a state, such as `READY=1`. Returns false if it could not be sent.
  @discardableResult
  func send(_ lines: String...) -> Bool {
    if descriptor < 0 { return false }
    var address = address
    let words = Array(lines.joined(separator: "\n").utf8)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, words, words.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), $0, length)
      }
    } == words.count
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
