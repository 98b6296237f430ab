import Dispatch
import Glibc
import MIDI
import Scenes
import Synth
import System
import Testing
@testable import ALSA

/// The MIDI thread itself, with sequencers of the test's own. It is woken rather than waited for.
@Suite("The MIDI thread") struct SequencerTests {
  /// Sequencers that are opened one after the other, and what is told of them.
  private final class Openings: @unchecked Sendable {
    let opened = DispatchSemaphore(value: 0)
    let closed = DispatchSemaphore(value: 0)
    private let clients: Mutex<[TestBox]>
    let versions = Mutex<[Int]>([])
    struct TestBox: @unchecked Sendable { let client: TestSequencer }

    init(_ clients: [TestSequencer]) { self.clients = Mutex(clients.map { TestBox(client: $0) }) }

    func next() -> TestSequencer? {
      defer { opened.signal() }
      return clients.withLock { $0.isEmpty ? nil : $0.removeFirst().client }
    }
  }

  private func sequencer(_ link: Link, _ openings: Openings, _ lines: Lines) -> Sequencer {
    let sequencer = Sequencer(link: link, wakeControl: {}, log: { lines.add($0) })
    sequencer.open = { _ throws(ALSAError) in
      guard let client = openings.next() else { throw ALSAError("Opening the ALSA sequencer", code: ENOENT) }
      client.closes = { openings.closed.signal() }
      return client
    }
    return sequencer
  }

  private func wait(_ semaphore: DispatchSemaphore) -> Bool {
    semaphore.wait(timeout: .now() + 60) == .success
  }

  @Test("ends all notes when the sequencer fails, and looks for another one")
  func failure() throws {
    let (link, lines) = (Link(.initial), Lines())
    let (first, second) = (TestSequencer(), TestSequencer())
    let pipe = try #require(WakePipe())
    pipe.wake()
    for client in [first, second] {
      client.offered[MIDIBench.one] = MIDIBench.port(MIDIBench.one)
      client.descriptor = pipe.descriptor
    }
    first.send([0x90, 60, 100], from: MIDIBench.one)
    first.fail(ENODEV)
    second.isUMP = false
    let openings = Openings([first, second])
    let sequencer = sequencer(link, openings, lines)
    for client in [first, second] {
      client.reads = { [unowned sequencer] in
        let version = sequencer.protocolVersion
        openings.versions.withLock { if $0.last != version { $0.append(version) } }
      }
    }
    second.fail(ENODEV)
    try sequencer.start()
    #expect(wait(openings.opened) && wait(openings.closed))
    var kinds: [Event.Kind] = []
    while let event = link.midi.peek() {
      if event.pointee.kind != .mpeZone { kinds.append(event.pointee.kind) }
      link.midi.drop()
    }
    #expect(kinds == [.noteOn, .sourceGone])
    #expect(
      sequencer.devices.devices.map(\.address) == [nil] && sequencer.devices.devices.map(\.source) == [nil])
    sequencer.routeAgain()
    #expect(wait(openings.opened) && wait(openings.closed))
    sequencer.stop()
    #expect(openings.versions.withLock { $0 } == [2, 1] && sequencer.protocolVersion == 0)
    #expect(first.connected == [MIDIBench.one] && second.connected == [MIDIBench.one])
  }

  @Test("says once that there is no sequencer, after two seconds of looking, and goes on")
  func none() throws {
    let (link, lines) = (Link(.initial), Lines())
    let openings = Openings([])
    let sequencer = sequencer(link, openings, lines)
    try sequencer.start()
    for search in 1...12 {
      #expect(wait(openings.opened))
      // What is said of the search before it is there by now.
      let count = lines.all.filter { $0.contains("no MIDI until there is") }.count
      #expect(search > 10 ? count == 1 : search < 9 ? count == 0 : count < 2)
      sequencer.routeAgain()
    }
    sequencer.stop()
    #expect(lines.all.count == 1)
  }
}
