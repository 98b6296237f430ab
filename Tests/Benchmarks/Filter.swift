import EngineHarness
import Glibc
import Parameters
import Synth

/// What the filter costs and how clean it is: the aliasing of its drive, side products of its knobs, loudness.
func benchmarkFilter() {
  cost()
  driveAliasing()
  sideProducts()
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
      scene[Knob(row: row, part: 0)] = value
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

// MARK: - Side products

/// A tone of 1 kHz while a knob jumps, and while it goes there and back once in 1.4 s: all that lies further than 400 Hz
/// from the tone and its harmonics, against the tone.
private func sideProducts() {
  let knobs: [(String, Float, Float, [(String, Float)])] = [
    ("/filter/cutoff", 500, 4_000, []), ("/filter/cutoff", 500, 4_000, [("/filter/mode", 2)]),
    ("/filter/resonance", 0, 0.85, [("/filter/cutoff", 1_500)]),
    ("/filter/resonance", 0.6, 1, [("/filter/cutoff", 2_000)]),
    ("/filter/mode", 0, 1, [("/filter/cutoff", 1_500)]), ("/filter/mode", 0, 4, [("/filter/cutoff", 1_500)]),
    ("/filter/slope", 0, 1, [("/filter/cutoff", 1_500)]), ("/filter/drive", 0, 24, []),
    ("/filter/drive", 0, 24, [("/filter/mode", 0.5), ("/filter/cutoff", 3_000)]),
    ("/filter/highpass", 20, 2_000, []), ("/filter/highpass", 20, 100, []),
    ("/amp/level", -20, 0, []),
  ]
  for (address, from, to, others) in knobs {
    let jump = sideProducts(address, from, to, others, sweep: false)
    let sweep = sideProducts(address, from, to, others, sweep: true)
    print(
      "filter: side products of \(address) \(from)...\(to) \(others.map { "\($0.0) \($0.1)" }.joined(separator: " ")):"
        + " jumped \(decimals(jump, 1)) dB, swept \(decimals(sweep, 1)) dB")
  }
}

private func sideProducts(
  _ address: String, _ from: Float, _ to: Float, _ others: [(String, Float)], sweep: Bool
) -> Double {
  let base: [(String, Float)] = [
    ("/osc/1/wave", 0), ("/osc/1/level", 0.5), ("/filter/cutoff", 20_000), ("/amp/level", -6),
  ]
  var (scene, note) = scene(base + others + [(address, from)], hertz: 1_000)
  let row = Table.rows.firstIndex { $0.address == address } ?? 0
  let kind = Table.rows[row].kind
  let player = Player(scene, running: true)
  player.press(note, velocity: 1)
  player.play(9_600, block: 64)
  func set(_ value: Float) {
    scene[Knob(row: row, part: 0)] = value
    player.link.scene.publish(scene)
    player.link.scene.service()
  }
  let ends = (kind.fader(value: from), kind.fader(value: to))
  for block in 0..<Spectrum.size / 64 {
    let way = Float(block) / Float(Spectrum.size / 64)
    if sweep, !kind.isDiscrete {
      set(kind.value(fader: ends.0 + (ends.1 - ends.0) * (0.5 - 0.5 * cos(2 * Float.pi * way))) ?? 0)
    } else if block == Spectrum.size / 128 {
      set(to)
    }
    player.play(64, block: 64)
  }
  let spectrum = Spectrum(player.left.suffix(Spectrum.size)).power
  let bin = rate / Double(Spectrum.size)
  var (tone, rest) = (0.0, 0.0)
  for k in Int(40 / bin)..<Int(20_000 / bin) {
    let hertz = Double(k) * bin
    let nearest = max(1, (hertz / 1_000).rounded()) * 1_000
    if abs(hertz - nearest) > 400 { rest += spectrum[k] } else { tone += spectrum[k] }
  }
  return 10 * log10(rest / tone)
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
