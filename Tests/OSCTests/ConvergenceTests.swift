import Glibc
import Parameters
import Presets
import Scenes
import Scratch
import Synth
import Testing
@testable import Control
@testable import OSC
@testable import OSCPackets
@testable import Surface

/// What a tablet shows is what sounds, over a network that loses a fifth of everything: the real surface and the real
/// bytes, on times of the test's own.
struct ConvergenceTests {
  /// Other runs: `PIPIT_SEED=7 packaging/test --filter ConvergenceTests`, or `PIPIT_SEEDS=200` for the first 200.
  private static var seeds: [UInt64] {
    let count = getenv("PIPIT_SEEDS").flatMap { UInt64(String(cString: $0)) } ?? 2
    return SeededRandom.chosenSeed.map { [$0] } ?? Array(1...count)
  }

  @Test(
    "After 1,000 gestures of two tablets, MIDI and recalls, both show the truth within five seconds of quiet",
    arguments: seeds)
  func picture(seed: UInt64) throws {
    let studio = try Studio(seed)
    while studio.tablets[0].gestures + studio.tablets[1].gestures < 1_000 {
      // The last thing done on one of the tablets is lost to the last word: pipit can never know of it.
      studio.relays[0].isDeaf = studio.tablets[0].gestures >= 490
      for tablet in studio.tablets {
        tablet.gesture()
        tablet.move(studio.now)
      }
      if studio.random.chance(0.3) { studio.turnKeyboard() }
      studio.run(milliseconds: 20)
    }
    while studio.tablets.contains(where: \.isTouched) {
      for tablet in studio.tablets { tablet.move(studio.now) }
      studio.run(milliseconds: 10)
    }
    let last = studio.now
    studio.run(milliseconds: 5_000)
    // A notice goes by itself when its moment is over.
    for (place, wrong) in studio.wrong.enumerated() {
      let wrong = wrong.filter { studio.changedAt <= last || !$0.hasPrefix("/notice ") }
      #expect(wrong.isEmpty, "seed \(seed), tablet \(place): \(wrong.prefix(5)) of \(wrong.count)")
    }
    // The last round, and then nothing at all.
    studio.run(milliseconds: 10_000)
    #expect(studio.wrong == [[], []], "seed \(seed): \(studio.wrong)")
    let second: Int64 = 1_000_000_000
    for relay in studio.relays {
      #expect(relay.lost > 200)
      #expect(relay.sent.allSatisfy { $0 < max(last, studio.changedAt) + 6 * second })
      for (packet, later) in zip(relay.sent, relay.sent.dropFirst(50)) { #expect(later - packet >= second) }
    }
  }
}

/// An instrument with eight presets, two tablets on a bad network, and a keyboard.
private final class Studio {
  let relays: [Relay]
  let tablets: [FakeTouchOSC]
  var random: SeededRandom
  private(set) var now: Int64 = 0
  /// When something has last changed that tablets show.
  private(set) var changedAt: Int64 = 0
  private let link = Link(.initial)
  private let control: Instrument
  private let surface: ControlSurface
  private let transport: RelayTransport

  init(_ seed: UInt64) throws {
    var random = SeededRandom(seed)
    relays = [2, 3].map { Relay(host: 0x7F00_0000 | $0, random: SeededRandom(random.next())) }
    tablets = relays.map { FakeTouchOSC($0, random: SeededRandom(random.next())) }
    transport = RelayTransport(relays)
    control = Instrument(
      link: link, library: Library(database: nil, factory: nil, log: { _ in }), log: { _ in })
    surface = ControlSurface(control, log: { _ in })
    for index in 0..<8 {
      for row in Table.rows.indices where Table.rows[row].field.scope == .patch {
        let range = Table.rows[row].kind.range
        control.set(ParameterID(row: row, part: 0), to: .random(in: range, using: &random))
      }
      try control.presets.save(part: 0, named: "Preset \(index)")
    }
    self.random = random
    control.listen { [unowned self] _ in changedAt = now }
  }

  /// Lets time pass, as the control thread's loop does, which is up to a millisecond late.
  func run(milliseconds: Int) {
    for _ in 0..<milliseconds {
      now += 1_000_000
      transport.now = now
      for (relay, tablet) in zip(relays, tablets) {
        for (bytes, toPipit) in relay.arrived(now) {
          if toPipit { receive(bytes, from: relay.peer) } else { tablet.receive(bytes, now) }
        }
      }
      _ = control.update(now)
      _ = control.healthWatch.updateHealth(now)
      _ = surface.sendDue(now)
      while link.control.peek() != nil { link.control.drop() }
    }
  }

  private func receive(_ bytes: [UInt8], from peer: Peer) {
    var bytes = bytes
    transport.received(peer, bytes: bytes.count)
    let isOSC = bytes.withUnsafeMutableBytes { bytes in
      Packet.read(bytes) {
        transport.received($0, from: peer)
        surface.receive($0.address, $0.arguments, from: peer, over: transport, now: now)
      }
    }
    #expect(isOSC)
  }

  /// What a player does at the keyboard: knobs of its own, and programs.
  func turnKeyboard() {
    let controllers = Table.rows.compactMap(\.controller)
    let isProgram = random.chance(0.2)
    let number =
      isProgram ? .random(in: 0..<8, using: &random) : controllers.randomElement(using: &random) ?? 0
    link.commands.push(
      Event(
        frame: 0, kind: isProgram ? .program : .controller, note: number,
        value: isProgram ? 1 : .random(in: 0...1, using: &random)))
  }

  /// What each tablet shows that is not so.
  var wrong: [[String]] {
    let map = surface.feedback.map
    return tablets.map { tablet in
      (0..<map.groups.shared).filter { !map.peaks.contains($0) }.compactMap { entry in
        let (address, truth) = (map.text(entry), Tablet.Value(map.value(entry, control)))
        let shown = tablet.picture[address]
        return shown == truth ? nil : "\(address) shows \(shown.map { "\($0)" } ?? "nothing"), is \(truth)"
      }
    }
  }
}

extension Tablet.Value {
  fileprivate init(_ value: OSCValue) {
    switch value {
    case .float(let number): self = .float(number)
    case .int(let number): self = .int(number)
    case .string(let text): self = .string(text)
    case .truth(let isTrue): self = .int(isTrue ? 1 : 0)
    }
  }
}
