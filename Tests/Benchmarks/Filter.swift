import EngineHarness
import Glibc
import Parameters
import Scenes
import Synth

/// What the filter costs and how clean it is: the aliasing of its drive, loudness.
func benchmarkFilter() {
  cost()
  driveAliasing()
  loudness()
}

private let rate = 48_000.0

private func scene(_ knobs: [(String, Float)], hertz: Double? = nil) -> (Scene, note: Int) {
  var scene = Scene.with([("/amp/velocity", 0), ("/filter/track", 0), ("/osc/2/level", 0)] + knobs)
  guard let hertz else { return (scene, 60) }
  let note = (69 + 12 * log2(hertz / 440)).rounded()
  scene.master.tune = Float(hertz / exp2((note - 69) / 12))
  return (scene, Int(note))
}

// MARK: - Cost

private func cost() {
  let kinds: [(String, [(String, Float)])] = [
    ("plain", []), ("12 dB", [("/filter/slope", 1)]), ("band", [("/filter/mode", 1)]),
    ("12 dB band", [("/filter/mode", 1), ("/filter/slope", 1)]),
    ("ringing", [("/filter/resonance", 1)]),
    ("ringing band", [("/filter/resonance", 1), ("/filter/mode", 1)]),
    ("ladder", [("/filter/character", 1)]),
    ("ringing ladder", [("/filter/character", 1), ("/filter/resonance", 1)]),
    ("ladder band", [("/filter/character", 1), ("/filter/mode", 1)]), ("formant", [("/filter/character", 2)]),
    ("comb", [("/filter/character", 3)]),
    ("drive", [("/filter/drive", 12)]), ("high-pass", [("/filter/highpass", 200)]),
    (
      "all",
      [("/filter/resonance", 1), ("/filter/mode", 0.5), ("/filter/drive", 12), ("/filter/highpass", 200)]
    ),
  ]
  var line = "filter: ns a note and sample of bench:"
  for (name, knobs) in kinds {
    var best = Double.infinity
    for _ in 0..<5 { best = min(best, nanoseconds(knobs)) }
    line += " \(name) \(decimals(best, 2))"
  }
  print(line)
}

private func nanoseconds(_ knobs: [(String, Float)]) -> Double {
  var scene = Scene.initial
  scene[0].patch = .bench
  for (address, value) in knobs {
    for row in Table.rows.indices where Table.rows[row].address == address {
      scene[ParameterID(row: row, part: 0)] = value
    }
  }
  let player = Player(scene, running: true)
  for note in 0..<64 { player.press(36 + note) }
  player.render(256, blocks: 20)
  let blocks = 1 * 48_000 / 256
  let start = processorSeconds()
  player.render(256, blocks: blocks)
  return (processorSeconds() - start) * 1e9 / Double(blocks * 256 * 64)
}

// MARK: - Drive

/// A saw through the drive: what is no harmonic, up to 18 kHz, against the harmonics; the filter open, and at 1 kHz.
private func driveAliasing() {
  for cutoff in [Float(20_000), 1_000] {
    for drive in [Float(6), 12, 24] {
      var line = "filter: aliasing of drive \(Int(drive)) dB, cutoff \(Int(cutoff)) Hz:"
      for hertz in [110.0, 441, 1_761, 3_521] {
        let (scene, note) = scene(
          [("/filter/cutoff", cutoff), ("/filter/drive", drive), ("/osc/1/level", 1), ("/amp/level", -20)],
          hertz: hertz)
        let player = Player(scene)
        player.press(note, velocity: 1)
        player.play(9_600 + Spectrum.size, block: 256)
        let spectrum = Spectrum(player.left.dropFirst(9_600)).power
        let bin = rate / Double(Spectrum.size)
        var (signal, alias) = (0.0, 0.0)
        for k in Int(40 / bin)..<Int(18_000 / bin) {
          let nearest = max(1, (Double(k) * bin / hertz).rounded()) * hertz / bin
          if abs(Double(k) - nearest) <= 6 { signal += spectrum[k] } else { alias += spectrum[k] }
        }
        line += " \(Int(hertz)) Hz \(decimals(10 * log10(alias / signal), 1)) dB"
      }
      print(line)
    }
  }
}

// MARK: - Loudness

/// A saw of 220 Hz through the filter at 1.5 to 8 times its pitch, the mean power of five cutoffs, K-weighted as ITU-R
/// BS.1770 has it, against the plain low-pass.
private func loudness() {
  let plain = lufs([])
  for slope in [Float(0), 1] {
    for mode in stride(from: Float(0), through: 4, by: 0.5) {
      var line =
        "filter: loudness, \(slope == 0 ? 24 : 12) dB, mode \(mode), resonance 0, 30, 60, 90, 95, 100:"
      for resonance in [Float(0), 0.3, 0.6, 0.9, 0.95, 1] {
        let level = lufs([("/filter/mode", mode), ("/filter/slope", slope), ("/filter/resonance", resonance)])
        line += " \(decimals(level - plain, 1))"
      }
      print(line + " LU")
    }
  }
  var line = "filter: loudness, drive 0, 3, 6, 12, 18, 24 dB:"
  for drive in [Float(0), 3, 6, 12, 18, 24] {
    line += " \(decimals(lufs([("/filter/drive", drive)]) - plain, 1))"
  }
  print(line + " LU")
}

private func lufs(_ knobs: [(String, Float)]) -> Double {
  var power = 0.0
  for cutoff in [Float(330), 500, 770, 1_150, 1_730] {
    let (scene, note) = scene(
      [("/filter/cutoff", cutoff), ("/osc/1/level", 0.7), ("/amp/level", -18)] + knobs, hertz: 220)
    let player = Player(scene)
    player.press(note, velocity: 1)
    player.play(24_000, block: 256)
    var x = player.left.map(Double.init)
    weigh(
      &x, b: (1.53512485958697, -2.69169619038637, 1.19839281085285), a: (-1.69065929318241, 0.73248077421585)
    )
    weigh(&x, b: (1, -2, 1), a: (-1.99004745483398, 0.99007225036621))
    power += x.dropFirst(12_000).reduce(0) { $0 + $1 * $1 }
  }
  return 10 * log10(power)
}

private func weigh(_ x: inout [Double], b: (Double, Double, Double), a: (Double, Double)) {
  var (s1, s2) = (0.0, 0.0)
  for n in x.indices {
    let y = b.0 * x[n] + s1
    s1 = b.1 * x[n] - a.0 * y + s2
    s2 = b.2 * x[n] - a.1 * y
    x[n] = y
  }
}
