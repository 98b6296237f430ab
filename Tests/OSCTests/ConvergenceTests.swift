import Control
import Glibc
import Parameters
import Scratch
import Synth
import System
import Testing

@testable import Surface

/// What a tablet shows is what sounds, over a network that loses a fifth of everything.
struct ConvergenceTests {
  private let second: Int64 = 1_000_000_000

  /// Another run: `PIPIT_SEED=7 swift test --filter ConvergenceTests`.
  private var seed: UInt64 { getenv("PIPIT_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1 }

  @Test(
    "After 1,000 gestures of two tablets, MIDI and recalls, both show the truth within five seconds of quiet")
  func picture() throws {
    print("convergence: seed \(seed)")
    var random = SeededRandom(seed)
    let one = try Relay(host: 2, replyPort: 0, random: SeededRandom(random.next()))
    let other = try Relay(host: 3, replyPort: one.replyPort, random: SeededRandom(random.next()))
    let instrument = try Instrument(replyPort: one.replyPort)
    for index in 0..<8 {
      for row in Table.rows.indices where Table.rows[row].field.scope == .patch {
        let range = Table.rows[row].kind.range
        instrument.control.set(Knob(row: row, part: 0), to: .random(in: range, using: &random))
      }
      try instrument.control.save(part: 0, name: "Preset \(index)")
    }
    let fakees = [
      try FakeTouchOSC(instrument, one, random: SeededRandom(random.next())),
      try FakeTouchOSC(instrument, other, random: SeededRandom(random.next())),
    ]
    func run(_ milliseconds: Int) {
      instrument.run(milliseconds) {
        for fake in fakees { fake.listen() }
        return false
      }
      while instrument.link.control.peek() != nil { instrument.link.control.drop() }
    }

    while fakees[0].gestures + fakees[1].gestures < 1_000 {
      // The last thing done on one of the tablets is lost to the last word: pipit can never know of it.
      one.isDeaf = fakees[0].gestures >= 490
      for fake in fakees {
        fake.gesture()
        fake.move()
      }
      if random.chance(0.3) { turnKeyboard(instrument, &random) }
      run(20)
    }
    while fakees.contains(where: \.isTouched) {
      for fake in fakees { fake.move() }
      run(10)
    }
    let last = monotonic()
    run(5_000)
    for (name, fake) in zip(["one", "other"], fakees) {
      var wrong: [String] = []
      let map = instrument.surface.feedback.map
      for entry in 0..<map.sharedCount {
        let (address, truth) = (map.text(entry), map.value(entry, instrument.control))
        if fake.picture[address] != value(truth) {
          wrong.append("\(address) shows \(String(describing: fake.picture[address])), is \(truth)")
        }
      }
      #expect(wrong.isEmpty, "\(name): \(wrong.prefix(5)) of \(wrong.count)")
    }
    print(
      "convergence: lost \(one.lost) and \(other.lost) of about \(5 * one.lost) and \(5 * other.lost) datagrams"
    )
    #expect(one.lost > 200 && other.lost > 200)

    // The last round, and then nothing at all.
    run(1_500)
    for relay in [one, other] {
      #expect(relay.sent.allSatisfy { $0.at < last + 6 * second })
      // Fifty packets in any second, as far as a test that polls can tell when they left.
      for (packet, later) in zip(relay.sent, relay.sent.dropFirst(50)) {
        #expect(later.at - packet.at > second * 95 / 100)
      }
    }
  }

  /// What a player does at the keyboard: knobs of its own, and programs.
  private func turnKeyboard(_ instrument: Instrument, _ random: inout SeededRandom) {
    let controllers = Table.rows.compactMap(\.controller)
    let isProgram = random.chance(0.2)
    guard let controller = controllers.randomElement(using: &random) else { return }
    instrument.link.commands.push(
      Event(
        frame: 0, kind: isProgram ? .program : .controller,
        note: isProgram ? .random(in: 0..<8, using: &random) : controller,
        value: isProgram ? 1 : .random(in: 0...1, using: &random)))
    instrument.loop.waker.wake()
  }

  private func value(_ shown: OSCValue) -> Tablet.Value {
    switch shown {
    case .float(let number): .float(number)
    case .int(let number): .int(number)
    case .string(let text): .string(text)
    }
  }
}
