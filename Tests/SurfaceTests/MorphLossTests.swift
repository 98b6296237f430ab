import Parameters
import Presets
import Scenes
import Scratch
import System
import Testing
@testable import Control
@testable import Surface

/// Rule M10: a pedal morphs 150 knobs while two tablets look on over a network that loses a fifth of everything.
struct MorphLossTests {
  private let second: Int64 = 1_000_000_000
  private let position = ParameterID(row: KeyRanges.row("/morph/position"), part: 0)

  @Test(
    "Feedback of a morph of 150 knobs stays within the budget of each client, and every picture becomes true",
    arguments: [1, 2, 3])
  func converges(_ seed: UInt64) {
    var random = SeededRandom(seed)
    let harness = SurfaceHarness()
    let tablets = [UInt32(0xC000_0201), 0xC000_0202].map { LossyClient(Peer(host: $0, port: 50_000)) }
    for tablet in tablets { harness.send("/here", from: tablet.peer, at: 0) }
    let rows = storeTwo(harness.control)
    var now: Int64 = 0
    var spent: Int64 = 0
    var ticks = 0
    func run(_ time: Int64, loss: Double, _ each: (Double) -> Void = { _ in }) -> [RecordedTransport
      .SentPacket]
    {
      var packets: [RecordedTransport.SentPacket] = []
      let start = now
      while now < start + time {
        each(Double(now - start) / Double(time))
        let before = monotonic()
        _ = harness.control.update(now)
        spent += monotonic() - before
        ticks += 1
        for packet in harness.packets(from: now, until: now + 2_000_000) {
          packets.append(packet)
          if random.chance(loss) { continue }
          tablets.first { $0.peer.host == packet.peer.host }?.receive(packet.messages)
        }
        now += 2_000_000
      }
      return packets
    }
    _ = run(20 * second, loss: 0)
    for tablet in tablets { harness.send("/here", from: tablet.peer, at: now) }
    (spent, ticks) = (0, 0)
    // Five sweeps of two seconds, a new position every two milliseconds.
    let packets = run(10 * second, loss: 0.2) { way in
      let place = Float((way * 5).truncatingRemainder(dividingBy: 1))
      harness.control.set(position, to: Int(way * 5) % 2 == 0 ? place : 1 - place)
    }
    harness.control.set(position, to: 0.61)
    let cost = Double(spent) / Double(ticks) / 1_000
    var tail: [RecordedTransport.SentPacket] = []
    var converged: Int64?
    let end = now
    while now < end + 10 * second {
      tail += run(second / 10, loss: 0.2)
      if wrong(tablets, harness, rows).isEmpty { converged = converged ?? now - end } else { converged = nil }
    }
    for (index, tablet) in tablets.enumerated() {
      let own = (packets + tail).filter { $0.peer.host == tablet.peer.host }
      for (one, later) in zip(own, own.dropFirst(50)) { #expect(later.at - one.at >= second) }
      let during = packets.filter { $0.peer.host == tablet.peer.host }
      let bytes = during.flatMap(\.messages).reduce(0) { $0 + $1.size }
      print(
        "morph: seed \(seed), tablet \(index + 1): \(during.count / 10) packets and \(bytes / 10_000) kB a second, "
          + "\(during.flatMap(\.messages).count / 10) messages a second")
    }
    print(
      "morph: \(rows.count) knobs, a tick of control takes \(cost) us in this build; true \((converged ?? -1) / 1_000_000) ms "
        + "after the last movement")
    #expect(rows.count == 150)
    #expect(converged.map { $0 <= 5 * second } ?? false)
    #expect(packets.count > 500)
  }

  /// What tablets show wrongly of the moved knobs and of the morph.
  private func wrong(_ tablets: [LossyClient], _ harness: SurfaceHarness, _ rows: [Int]) -> [String] {
    let map = harness.surface.feedback.map
    return (0..<map.groups.shared).filter { entry in
      tablets.contains { $0.controls[map.text(entry)] != map.value(entry, harness.control) }
        && !map.peaks.contains(entry)
    }.map { map.text($0) }
  }

  /// Stores two snapshots that differ in 150 knobs: all continuous ones, and some whose values change in the middle.
  /// Returns their rows.
  private func storeTwo(_ control: Instrument) -> [Int] {
    func isContinuous(_ row: Int) -> Bool {
      switch Table.rows[row].kind {
      case .linear, .exponential, .cubic: true
      case .steps, .choice, .names, .toggle: false
      }
    }
    let rows = SoundBlend.rows.filter(isContinuous) + SoundBlend.rows.filter { !isContinuous($0) }
    let moved = Array(rows.prefix(150))
    control.presets.store(0, part: 0)
    for row in moved {
      let kind = Table.rows[row].kind
      let low = control.value(of: ParameterID(row: row, part: 0))
      if kind.isDiscrete {
        let range = kind.range
        control.set(
          ParameterID(row: row, part: 0), to: low == range.upperBound ? range.lowerBound : range.upperBound)
        continue
      }
      let fader = kind.fader(value: low)
      if let value = kind.value(fader: fader < 0.5 ? fader + 0.4 : fader - 0.4) {
        control.set(ParameterID(row: row, part: 0), to: value)
      }
    }
    control.presets.store(1, part: 0)
    return moved
  }
}
