import EngineHarness
import Glibc
import Parameters
import Synth

/// Alias-to-signal of each waveform: harmonics under 18 kHz against all else from 40 Hz to 18 kHz.
func benchmarkAliasing() {
  for wave in [Waveform.saw, .square, .triangle, .sine] {
    var line = "aliasing: \(wave):"
    for hertz in [110.0, 440, 1_760, 3_520, 5_000, 7_000, 10_000] {
      line += " \(Int(hertz)) Hz \(decimals(aliasing(wave, hertz), 1)) dB"
    }
    print(line)
  }
}

private let size = 65_536

private func aliasing(_ wave: Waveform, _ hertz: Double) -> Double {
  var scene = Scene.initial
  for row in Table.rows {
    switch row.address {
    case "/osc/1/wave": scene[0].patch[row] = wave.choice
    case "/filter/cutoff": scene[0].patch[row] = 20_000
    case "/filter/track", "/amp/velocity", "/filter/resonance": scene[0].patch[row] = 0
    default: break
    }
  }
  // The nearest note, and the rest by concert pitch.
  let note = (69 + 12 * log2(hertz / 440)).rounded()
  scene.master.tune = Float(hertz / exp2((note - 69) / 12))
  let player = Player(scene)
  player.press(Int(note), velocity: 1)
  player.play(9_600 + size, block: 256)
  let spectrum = power(Array(player.left.dropFirst(9_600)))
  let bin = 48_000.0 / Double(size)
  var (signal, alias) = (0.0, 0.0)
  for k in Int(40 / bin)..<Int(18_000 / bin) {
    let nearest = max(1, (Double(k) * bin / hertz).rounded()) * hertz / bin
    if abs(Double(k) - nearest) <= 6 { signal += spectrum[k] } else { alias += spectrum[k] }
  }
  return 10 * log10(alias / signal)
}

/// The power spectrum under a 4-term Blackman-Harris window, by a radix-2 transform in place.
private func power(_ x: [Float]) -> [Double] {
  var re = [Double](repeating: 0, count: size)
  var im = re
  for i in 0..<size {
    let a = 2 * Double.pi * Double(i) / Double(size)
    let window = 0.35875 - 0.48829 * cos(a) + 0.14128 * cos(2 * a) - 0.01168 * cos(3 * a)
    let reversed = Int((UInt16(i) as UInt16).reversedBits)
    re[reversed] = Double(x[i]) * window
  }
  var half = 1
  while half < size {
    for k in 0..<half {
      let a = -Double.pi * Double(k) / Double(half)
      let (c, s) = (cos(a), sin(a))
      for i in stride(from: k, to: size, by: 2 * half) {
        let j = i + half
        let (tr, ti) = (re[j] * c - im[j] * s, re[j] * s + im[j] * c)
        (re[j], im[j]) = (re[i] - tr, im[i] - ti)
        (re[i], im[i]) = (re[i] + tr, im[i] + ti)
      }
    }
    half *= 2
  }
  return zip(re, im).map { $0 * $0 + $1 * $1 }
}

extension UInt16 {
  fileprivate var reversedBits: UInt16 {
    var (x, y) = (self, UInt16(0))
    for _ in 0..<16 { (x, y) = (x >> 1, y << 1 | x & 1) }
    return y
  }
}
