import EngineHarness
import Parameters
import Testing

/// Every continuous knob of a sound while it jumps under a tone. `benchmarks knobs` sweeps them, too.
@Suite("Smoothness of knob jumps") struct KnobSmoothnessTests {
  /// Measured -61 for the blend of a unison, whose voices happen to meet, and -70 to -117 for the others.
  @Test("A jump of a continuous sound knob leaves its side products below -60 dB", arguments: KnobMove.all)
  func soundKnobJump(_ move: KnobMove) {
    let rest = SideProducts.jumped(move)
    #expect(rest < -60, "\(rest) dB")
  }

  private static let roughest = KnobMove.effects.filter { move in
    let addresses = [
      "/drive/tone", "/eq/1/q", "/delay/lowpass", "/delay/mix", "/reverb/size", "/reverb/decay",
      "/phaser/mix", "/compressor/threshold", "/rotary/horn", "/flanger/mix",
      "/flanger/feedback",
    ]
    return addresses.contains(move.address)
  }

  /// Those of the effects that move by octaves, are levels of an effect, or change a room; `benchmarks knobs` has all of
  /// them. Measured -70 to -102.
  @Test("A jump of an effect knob leaves its side products below -65 dB", arguments: roughest)
  func effectKnobJump(_ move: KnobMove) {
    let rest = SideProducts.jumped(move)
    #expect(rest < -65, "\(rest) dB")
  }

  @Test("A knob without a chosen test move sweeps its whole range with its effect turned on")
  func derivedMoves() throws {
    let moves = KnobMove.derived(Table.rows, besides: ["/filter/cutoff"])
    #expect(!moves.contains { $0.address == "/filter/cutoff" || $0.address == "/osc/1/octave" })
    let drive = try #require(moves.first { $0.address == "/drive/gain" })
    #expect(drive.from == 0 && drive.to == 36 && drive.others.map(\.0) == ["/drive/on"])
    let velocity = try #require(KnobMove.all.first { $0.address == "/amp/velocity" })
    #expect(velocity.from == 0 && velocity.to == 1 && velocity.others.isEmpty)
  }

  @Test("Every continuous knob of a sound has a test move or is listed as having none")
  func allKnobsCovered() {
    let known = Set(
      (KnobMove.all + KnobMove.effects).map(\.address)
        + (KnobMove.without + KnobMove.effectsWithout).flatMap(\.addresses))
    for row in Table.rows where row.field.scope == .patch {
      switch row.kind {
      case .linear, .exponential, .cubic: #expect(known.contains(row.address), "\(row.address)")
      case .steps, .choice, .names, .toggle: #expect(!known.contains(row.address))
      }
    }
    #expect(known.count == Set(Table.rows.map(\.address)).intersection(known).count)
  }
}
