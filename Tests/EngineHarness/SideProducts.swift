import Glibc
import Parameters
import Scenes
import Synth

/// Unwanted components that a knob adds to a tone of 1 kHz while it moves: everything further than 400 Hz from the
/// tone and its harmonics.
public enum SideProducts {
  /// The samples measured around a jump, which happens after the first half.
  private static let jump = 65_536
  /// Frames between two positions of a swept knob.
  private static let step = 64
  private static let sine: [(String, Float)] = [
    ("/osc/1/wave", 0), ("/osc/1/level", 0.5), ("/osc/2/wave", 0), ("/sub/wave", 0),
    ("/filter/cutoff", 20_000),
    ("/filter/track", 0), ("/amp/level", -6), ("/amp/velocity", 0),
  ]

  /// The unwanted components in decibels relative to the tone, while the knob jumps from one end of its move to the
  /// other.
  public static func jumped(_ move: KnobMove) -> Double {
    let (player, set) = start(move)
    player.play(jump / 2)
    set(move.to)
    player.play(jump / 2)
    return beside(Array(player.left.suffix(jump)), move)
  }

  /// The unwanted components in decibels relative to the tone, while the knob is swept to the other end and back once
  /// in 1.4 s.
  public static func swept(_ move: KnobMove) -> Double {
    let (player, set) = start(move)
    let kind = Table.rows[move.row].kind
    let (from, to) = (kind.fader(value: move.from), kind.fader(value: move.to))
    for step in 0..<Spectrum.size / step {
      let way = 0.5 - 0.5 * cos(2 * Float.pi * Float(step * Self.step) / Float(Spectrum.size))
      set(kind.value(fader: from + (to - from) * way) ?? 0)
      player.play(Self.step)
    }
    return beside(Array(player.left.suffix(Spectrum.size)), move)
  }

  /// A held tone of 1 kHz, and a function that turns the knob.
  private static func start(_ move: KnobMove) -> (Player, (Float) -> Void) {
    var scene = Scene.with(sine + move.others + [(move.address, move.from)])
    // The B two octaves above middle C, tuned slightly low.
    scene.master.tune = Float(440 * 1_000 / 987.7666)
    let player = Player(scene, running: true)
    player.press(83, velocity: 0.5)
    player.play(4_800)
    return (
      player,
      { value in
        scene[ParameterID(row: move.row, part: 0)] = value
        player.link.scene.publish(scene)
        player.link.scene.service()
      }
    )
  }

  private static func beside(_ x: [Float], _ move: KnobMove) -> Double {
    let spectrum = Spectrum(x, size: x.count)
    var (tone, rest) = (0.0, 0.0)
    for (k, power) in spectrum.power.enumerated() {
      let hertz = Double(k) * spectrum.bin
      if hertz < 40 || hertz > 20_000 { continue }
      let away = abs(hertz - max(move.movesMean ? 0 : 1, (hertz / 1_000).rounded()) * 1_000)
      if away > 400 { rest += power } else { tone += power }
    }
    return 10 * log10(rest / tone)
  }
}
