import Glibc
import Scratch
import Testing
@testable import Scenes
@testable import Synth

/// Players who do anything at all, beside a simple model of the keys: nothing hangs, and nothing is doubled.
///
/// PIPIT_ARP_SECONDS sets the seconds that are played; an hour is 3600.
@Suite("Arpeggios under random playing") struct ArpModelTests {
  private static let seconds = getenv("PIPIT_ARP_SECONDS").flatMap { Int(String(cString: $0)) } ?? 30

  /// Two keyboards, the second of which is MPE.
  private final class Stage {
    let spy: ArpSpy
    var model = ArpKeysModel()
    var random: SeededRandom

    init(seed: UInt64, _ knobs: [(String, Float)]) {
      spy = ArpSpy(knobs)
      random = SeededRandom(seed)
      spy.player.send(.mpeZone, source: 1, note: 15, value: 48)
      spy.run(1)
    }

    private func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private func set(_ address: String, _ value: Int, recalls: Bool = false) {
      spy.run(1)
      spy.set(address, Float(value), recalls: recalls)
      spy.run(1)
      spy.engine.releaseEntries()
    }

    func step() {
      let (source, key) = (below(2), 60 + below(8))
      let channel = source == 0 ? 0 : 1 + below(3)
      switch below(100) {
      case 0..<35:
        spy.press(key, source: source, target: UInt8(channel))
        model.press(source, channel, key)
      case 35..<70:
        spy.lift(key, source: source, target: UInt8(channel))
        model.lift(source) { $0.channel == channel && $0.key == key }
      case 70..<78:
        let isDown = below(2) == 0
        spy.pedal(isDown, source: source)
        model.change { $0.pedals[source] = isDown }
      case 78..<80:
        spy.player.send(.sourceGone, source: source)
        model.remove(source)
        model.change { $0.pedals[source] = false }
      case 80:
        spy.player.send(.panic)
        model.keys = []
        model.change { $0.pedals = [false, false] }
      case 81:
        spy.player.send(.allSoundOff, source: source)
        model.remove(source)
      case 82:
        spy.player.send(.allNotesOff, source: source)
        model.lift(source)
      case 83:
        spy.player.send(.resetControllers, source: source)
        model.change { $0.pedals[source] = false }
      case 84..<87:
        let latch = below(3)
        set("/arp/latch", latch)
        model.change { $0.latch = latch }
      case 87:
        let pedal = below(3)
        set("/arp/pedal", pedal)
        model.change { $0.pedal = pedal }
      case 88: set("/play/mode", below(3))
      case 89: set("/arp/mode", below(12))
      case 90: set("/arp/octaves", 1 + below(2))
      case 91: set("/arp/gate", [1, 2].randomElement(using: &random) ?? 1)
      case 92..<94:
        spy.player.send(.clearArp)
        model.keys.removeAll()
      case 94..<96:
        for _ in 0..<(1 + below(20)) { set("/filter/cutoff", 100 + below(5_000), recalls: true) }
      case 96:
        set("/arp/on", 0, recalls: true)
        model.change { $0.isOn = false }
      case 97, 98:
        set("/arp/on", 1, recalls: true)
        model.change { $0.isOn = true }
      default:
        spy.player.send(.bend, source: source, target: UInt8(channel), value: 0.3)
        spy.player.send(.keyPressure, source: source, target: UInt8(channel), note: key, value: 0.5)
      }
    }

    var words: [String] {
      let entries = spy.arp().entries
      return (0..<entries.count).map { place in
        let (note, isDown) = (entries[place].pointee.note, entries[place].pointee.isDown)
        return "\(note.source):\(note.target):\(note.struck):\(isDown)"
      }.sorted()
    }

    private var steps: [Note] {
      spy.player.voiceNumbers.map { spy.engine.note($0) }
        .filter { $0.held & Note.byStep != 0 }
    }

    /// Whether each note of a step has one voice and one end.
    var isSound: Bool {
      let gates = spy.arp().gates
      let ids = (0..<gates.count).map { gates[$0].pointee.id }
      return Set(steps.map(\.key)).count == steps.count && Set(ids).count == ids.count
        && steps.allSatisfy { ids.contains($0.id) }
    }

    func letGo() {
      set("/arp/latch", 0)
      for source in 0..<2 {
        spy.pedal(false, source: source)
        for channel in 0..<4 {
          for key in 60..<68 { spy.lift(key, source: source, target: UInt8(channel)) }
        }
        spy.run(1)
      }
    }
  }

  @Test(
    "Under random playing, the keys of an arpeggio match a simple model and no note hangs",
    arguments: 0..<3)
  func randomPlaying(seed: Int) {
    let stage = Stage(
      seed: UInt64(seed), [("/arp/gate", seed == 1 ? 1.5 : 0.8), ("/play/restrike", Float(seed % 2))])
    var most = 0
    while stage.spy.now < ArpModelTests.seconds * 16_000 {
      stage.step()
      stage.spy.run(1 + Int.random(in: 0..<600, using: &stage.random))
      most = max(most, stage.words.count)
      #expect(stage.words == stage.model.words && stage.isSound, "at \(stage.spy.now)")
      if stage.words != stage.model.words { return }
      let struck = Set(stage.spy.takeKeys())
      #expect(struck.isSubset(of: Set(60..<92)))
    }
    #expect(most > 6)
    stage.letGo()
    stage.spy.run(12_000)
    #expect(stage.spy.player.voiceNumbers.isEmpty && stage.spy.player.groups == 0)
    #expect(stage.spy.engine.arps.used == 0 && stage.spy.player.link.meters[.refused] == 0)
  }
}
