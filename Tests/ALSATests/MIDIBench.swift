import CALSA
import EngineHarness
import MIDI
import Scenes
import Synth
import System
@testable import ALSA

/// The reader of the MIDI thread without the thread and without a kernel: keyboards of the test's own, and an engine that
/// plays what they send.
final class MIDIBench {
  let alsa = TestSequencer()
  let player = Player(.with([("/amp/release", 0.005)]))
  let sequencer: Sequencer
  let reader: MIDIReader
  private let wake: WakePipe
  private let lines = Lines()
  private let wakes = Mutex([UInt64]())

  /// Two keyboards.
  static let one = Device.Address(client: 20, port: 0)
  static let two = Device.Address(client: 24, port: 0)

  init?(mpe: MPESetting = .auto, devices: DeviceTable = DeviceTable()) {
    guard let wake = WakePipe() else { return nil }
    self.wake = wake
    let (lines, wakes, link) = (lines, wakes, player.link)
    sequencer = Sequencer(
      link: player.link, version: "1.2.3", mpe: mpe, devices: devices,
      wakeControl: { wakes.withLock { $0.append(link.midi.given) } }, log: { lines.add($0) })
    reader = MIDIReader(port: alsa, sequencer: sequencer)
  }

  /// A bench with both keyboards connected, of which the engine was told.
  static func ofTwo(mpe: MPESetting = .auto) -> MIDIBench? {
    guard let bench = MIDIBench(mpe: mpe) else { return nil }
    bench.plug(one)
    bench.plug(two)
    return bench.read() ? bench : nil
  }

  var link: Link { player.link }
  /// What was logged.
  var log: [String] { lines.all }
  /// How often the control thread was woken.
  var wakeCount: Int { wakes.withLock { $0.count } }
  /// How many events the engine had been given when the control thread was woken last.
  var eventsAtWake: UInt64 { wakes.withLock { $0.last ?? 0 } }

  static func port(_ place: Device.Address, _ client: String? = nil) -> OfferedPort {
    let name = client ?? "Keys \(place.client)"
    return OfferedPort(
      identity: PortIdentity(client: name, port: "\(name) MIDI 1", index: Int(place.port)),
      capabilities: UInt32(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ),
      type: UInt32(SND_SEQ_PORT_TYPE_MIDI_GENERIC))
  }

  /// A keyboard is plugged in.
  func plug(_ place: Device.Address, isAnnounced: Bool = true) {
    alsa.plug(place, Self.port(place), isAnnounced: isAnnounced)
  }

  /// A keyboard sends a message.
  func send(_ bytes: UInt8..., from place: Device.Address = one) { alsa.send(bytes, from: place) }

  /// One round of the MIDI thread, so many nanoseconds later. False when the sequencer failed.
  @discardableResult
  func read(after nanoseconds: Int64 = 0) -> Bool {
    alsa.now += nanoseconds
    wake.wake()
    return reader.read(orWake: wake)
  }

  /// Changes what is set for a device.
  func set(_ place: Device.Address, _ body: (inout DeviceSettings) -> Void) {
    guard let device = sequencer.devices[place] else { return }
    var settings = device.settings
    body(&settings)
    sequencer.set(device.id, settings)
  }

  /// The events that wait for the engine, taken out.
  func takeEvents() -> [Event] { Self.take(link.midi) }
  /// The events that wait for the control thread, taken out.
  func takeCommands() -> [Event] { Self.take(link.commands) }

  private static func take(_ ring: EventRing) -> [Event] {
    var events: [Event] = []
    while let event = ring.peek() {
      events.append(event.pointee)
      ring.drop()
    }
    return events
  }

  /// The ring takes no more.
  func fillRing() {
    while link.midi.push(Event(frame: 0, kind: .wheel, source: 30)) {}
  }

  /// Voices that sound a tenth of a second later.
  var voices: Int {
    player.play(4_800)
    return player.voices
  }
}
