import EngineHarness
import Parameters
import Testing

/// Every continuous knob of a sound while it jumps under a tone. `benchmarks knobs` sweeps them, too.
@Suite struct KnobSmoothnessTests {
  /// What a jump adds beside the tone and its harmonics stays 60 dB below it. Measured -61 for the blend of a unison,
  /// whose voices happen to meet, and -70 to -117 for the others.
  @Test(arguments: KnobMove.all) func aJumpIsSmooth(_ move: KnobMove) {
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

  /// The same for those of the effects that move by octaves, are levels of an effect, or change a room; `benchmarks knobs` has
  /// all of them. Measured -70 to -102.
  @Test(arguments: roughest) func aJumpOfAnEffectIsSmooth(_ move: KnobMove) {
    let rest = SideProducts.jumped(move)
    #expect(rest < -65, "\(rest) dB")
  }

  /// A knob without a chosen move moves through its range, with its effect on.
  @Test func aMoveFollowsFromTheRow() throws {
    let moves = KnobMove.derived(Table.rows, besides: ["/filter/cutoff"])
    #expect(!moves.contains { $0.address == "/filter/cutoff" || $0.address == "/osc/1/octave" })
    let drive = try #require(moves.first { $0.address == "/drive/gain" })
    #expect(drive.from == 0 && drive.to == 36 && drive.others.map(\.0) == ["/drive/on"])
    let velocity = try #require(KnobMove.all.first { $0.address == "/amp/velocity" })
    #expect(velocity.from == 0 && velocity.to == 1 && velocity.others.isEmpty)
  }

  /// A new knob is measured too, or it is said why not.
  @Test func noKnobIsForgotten() {
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
