import EngineHarness
import Parameters
import Presets
import Scenes
import Scratch
import Testing
@testable import Control

/// Rules M3 to M7: what lies between two sounds.
@Suite struct SoundBlendTests {
  private func row(_ address: String) -> Int { KeyRanges.row(address) }

  private func patch(_ seed: UInt64) -> Patch {
    var dice = SeededRandom(seed)
    var patch = Patch.initial
    for row in Table.rows where row.field.scope == .patch {
      patch[row] = Float.random(in: row.kind.range, using: &dice)
    }
    return patch
  }

  private func value(_ address: String, at position: Float, _ blend: inout SoundBlend) -> Float? {
    blend.values(at: position).first { $0.row == row(address) }?.value
  }

  private func with(_ values: [(String, Float)], over sound: Patch = .initial) -> Patch {
    var patch = sound
    for (address, value) in values { patch[Table.rows[row(address)]] = value }
    return patch
  }

  @Test("M3: at the ends the sounds are those of the snapshots, whatever they are")
  func ends() {
    let (one, other) = (patch(1), patch(2))
    let blend = SoundBlend(from: one, to: other)
    #expect(blend.end(at: 0)?.isSame(as: one) == true && blend.end(at: 1)?.isSame(as: other) == true)
    #expect(blend.end(at: 0.000_1) == nil && blend.end(at: 0.999_9) == nil)
    #expect(SoundBlend.rows.count == Table.rows.count { $0.field.scope == .patch } - SoundBlend.fixed.count)
  }

  @Test("M4: continuous knobs move as their faders do: halfway between 100 Hz and 10 kHz is 1 kHz")
  func faders() throws {
    var blend = SoundBlend(
      from: with([("/filter/cutoff", 100), ("/amp/attack", 0)]),
      to: with([("/filter/cutoff", 10_000), ("/amp/attack", 1)]))
    let cutoff = try #require(value("/filter/cutoff", at: 0.5, &blend))
    #expect(abs(cutoff - 1_000) < 0.1)
    for address in ["/filter/cutoff", "/amp/attack"] {
      let kind = Table.rows[row(address)].kind
      var before = -Float.infinity
      for step in 1..<100 {
        let position = Float(step) / 100
        let value = try #require(value(address, at: position, &blend))
        let low = kind.fader(value: blend.from[Table.rows[row(address)]])
        let high = kind.fader(value: blend.to[Table.rows[row(address)]])
        let way = low + (high - low) * position
        #expect(abs(kind.fader(value: value) - way) < 1e-3)
        #expect(value > before)
        before = value
      }
    }
  }

  @Test("M4: every continuous knob that differs moves, and stays between both values")
  func allMove() {
    var blend = SoundBlend(from: patch(3), to: patch(4))
    let special = ["/mix", "/amount"]
    let moved = Dictionary(uniqueKeysWithValues: blend.values(at: 0.37).map { ($0.row, $0.value) })
    for index in SoundBlend.rows {
      let knob = Table.rows[index]
      if special.contains(where: { knob.address.hasSuffix($0) }) || knob.kind.isDiscrete { continue }
      if case .steps = knob.kind { continue }
      let (one, other) = (blend.from[knob], blend.to[knob])
      let value = moved[index] ?? .nan
      #expect(value > min(one, other) && value < max(one, other), "\(knob.address) \(one) \(value) \(other)")
    }
    for index in SoundBlend.fixed.map(row) { #expect(moved[index] == nil) }
  }

  @Test(
    "M5: an effect is on where either sound has it on, and the mix of the one without begins at 0",
    arguments: RackEffect.all.map(\.name))
  func effects(_ effect: String) throws {
    var blend = SoundBlend(
      from: with([("/\(effect)/on", 0), ("/\(effect)/mix", 0.9)]),
      to: with([("/\(effect)/on", 1), ("/\(effect)/mix", 0.6)]))
    for position: Float in [0.001, 0.25, 0.5, 0.75, 0.999] {
      #expect(value("/\(effect)/on", at: position, &blend) == 1)
      let mix = try #require(value("/\(effect)/mix", at: position, &blend))
      #expect(abs(mix - 0.6 * position) < 1e-5)
    }
    var back = SoundBlend(from: blend.to, to: blend.from)
    #expect(abs((value("/\(effect)/mix", at: 0.75, &back) ?? 0) - 0.15) < 1e-5)
    var both = SoundBlend(from: blend.to, to: with([("/\(effect)/mix", 0.2)], over: blend.to))
    #expect(abs((value("/\(effect)/mix", at: 0.5, &both) ?? 0) - 0.4) < 1e-5)
    #expect(value("/\(effect)/on", at: 0.5, &both) == 1)
    var neither = SoundBlend(from: with([("/\(effect)/on", 0)]), to: with([("/\(effect)/on", 0)]))
    #expect(value("/\(effect)/on", at: 0.5, &neither) == nil)
  }

  @Test("M5: other choices change at the middle, once, and a trembling pedal does not change them again")
  func choices() {
    for address in ["/osc/1/wave", "/osc/1/octave", "/chorus/mode", "/osc/2/sync", "/osc/1/unison"] {
      let knob = Table.rows[row(address)]
      let (low, high) = (knob.kind.range.lowerBound, knob.kind.range.upperBound)
      var blend = SoundBlend(from: with([(address, low)]), to: with([(address, high)]))
      #expect(value(address, at: 0.49, &blend) == low)
      #expect(value(address, at: 0.51, &blend) == low && value(address, at: 0.53, &blend) == high)
      for _ in 0..<10 {
        #expect(value(address, at: 0.49, &blend) == high && value(address, at: 0.51, &blend) == high)
      }
      #expect(value(address, at: 0.47, &blend) == low && value(address, at: 0.5, &blend) == low)
    }
    var one = Patch.initial
    one.sequence[5] = SequenceStep(note: 3, velocity: 90)
    var blend = SoundBlend(from: one, to: .initial)
    #expect(blend.chosen(at: 0.2).sequence[5].note == 3 && blend.chosen(at: 0.8).sequence[5].note == 0)
  }

  @Test("M6: a matrix slot with another source or target reaches 0 in the middle, where it changes")
  func slots() {
    let same: [(String, Float)] = [("/mod/2/source", 3), ("/mod/2/target", 4), ("/mod/2/amount", 0.8)]
    for (address, choice) in [("/mod/2/source", Float(5)), ("/mod/2/target", 6), ("/mod/2/scale", 2)] {
      var blend = SoundBlend(
        from: with(same), to: with([(address, choice), ("/mod/2/amount", -0.4)], over: with(same)))
      var (before, source): (Float, Float?) = (0.8, nil)
      for step in 1..<1_000 {
        let position = Float(step) / 1_000
        let amount = value("/mod/2/amount", at: position, &blend) ?? .nan
        // No step larger than that of the whole way.
        #expect(abs(amount - before) < 0.002, "\(position)")
        let next = value(address, at: position, &blend)
        if let source, next != source { #expect(abs(amount) < 0.05 && abs(before) < 0.05) }
        (before, source) = (amount, next)
      }
      #expect(
        value("/mod/2/amount", at: 0.25, &blend) == 0.4
          || abs((value("/mod/2/amount", at: 0.25, &blend) ?? 0) - 0.4) < 1e-6)
      #expect(abs((value("/mod/2/amount", at: 0.75, &blend) ?? 0) + 0.2) < 1e-6)
    }
    var plain = SoundBlend(from: with(same), to: with([("/mod/2/amount", -0.4)], over: with(same)))
    #expect(abs((value("/mod/2/amount", at: 0.5, &plain) ?? 0) - 0.2) < 1e-6)
  }

  @Test("M6: a slot changes its source, target or scale where its amount is 0, in both directions of a pedal")
  func slotsInBothDirections() {
    let same: [(String, Float)] = [("/mod/2/source", 3), ("/mod/2/target", 4), ("/mod/2/amount", 0.8)]
    for address in ["/mod/2/source", "/mod/2/target", "/mod/2/scale"] {
      let first = with(same)[Table.rows[row(address)]]
      var blend = SoundBlend(
        from: with(same), to: with([(address, 6), ("/mod/2/amount", -0.4)], over: with(same)))
      for position: Float in [0.4, 0.499, 0.501, 0.499, 0.6, 0.501, 0.499, 0.501] {
        #expect(
          value(address, at: position, &blend) == (position < 0.5 ? first : 6), "\(address) \(position)")
        let amount = value("/mod/2/amount", at: position, &blend) ?? .nan
        #expect(position < 0.5 ? amount > 0 : amount < 0)
      }
    }
  }

  @Test("M7: play mode, bend range, arpeggiator and latch never move")
  func fixed() {
    #expect(SoundBlend.fixed == ["/play/mode", "/play/bend", "/arp/on", "/arp/latch"])
    let ends: [(String, Float)] = [("/play/mode", 2), ("/play/bend", 12), ("/arp/on", 1), ("/arp/latch", 1)]
    var blend = SoundBlend(from: .initial, to: with(ends))
    for step in 1..<100 { #expect(blend.values(at: Float(step) / 100).isEmpty) }
    for address in SoundBlend.fixed { #expect(!SoundBlend.rows.contains(row(address))) }
  }
}
