import Glibc

extension AmsynthSound {
  /// Both oscillators, their tuning and their mix.
  mutating func addOscillators() {
    let (ring, mix) = (self[.ring], self[.mix])
    addWave("/osc/1", .wave1, .width1)
    addWave("/osc/2", .wave2, .width2)
    set("/osc/1/level/percent", 50 * (1 - ring) * (1 - mix), from: .mix)
    set("/osc/2/level/percent", 50 * (1 - ring) * (1 + mix), from: .mix)
    set("/ring/level/percent", 100 * ring, from: .ring)
    // amsynth synchronizes only to a sine or a saw.
    let isSynchronized = self[.sync2] >= 0.5 && [0, 2].contains(self[.wave1].rounded())
    if isSynchronized { choose("/osc/2/sync", "on", from: .sync2) }
    let (down1, down2) = vibratoShift
    addPitch("/osc/1", down1, .lfoPitch)
    let semitones = self[.pitch2].rounded()
    addPitch(
      "/osc/2", 1200 * self[.range2].rounded() + 100 * semitones + 386.3 * self[.detune2] + down2, .range2)
  }

  private mutating func addWave(_ stem: String, _ wave: AmsynthParameter, _ width: AmsynthParameter) {
    let shape = self[width]
    switch self[wave].rounded() {
    case 0: choose(stem + "/wave", "sine", from: wave)
    case 1:
      choose(stem + "/wave", "square", from: wave)
      set(stem + "/width/percent", 50 * (1 + min(shape, 0.9)), from: width)
    case 2:
      // The plain waves at the ends cost less.
      let isTrisaw = shape > 0.02 && shape < 0.92
      choose(stem + "/wave", isTrisaw ? "trisaw" : shape < 0.5 ? "triangle" : "saw", from: wave)
      if isTrisaw { set(stem + "/width/percent", 50 * (1 + min(shape, 0.9)), from: width) }
    case 3: choose(stem + "/wave", "noise", from: wave)
    default:
      choose(stem + "/wave", "noise", from: wave)
      lose(wave, "random levels at the pitch are played as noise")
    }
  }

  /// Tunes an oscillator by cents, in octaves, semitones and cents.
  private mutating func addPitch(_ stem: String, _ cents: Float, _ source: AmsynthParameter) {
    let semitones = (cents / 100).rounded()
    let octaves = max(-3, min((semitones / 12).rounded(.towardZero), 3))
    set(stem + "/octave/octaves", octaves, from: source)
    // A tuning beyond four octaves is a ratio.
    let rest = semitones - 12 * octaves
    let further = max(-2, min((rest / 12).rounded(.towardZero), 4))
    if abs(rest) > 12 { set(stem + "/ratio/value", exp2(further), from: source) }
    set(stem + "/semitone/semitones", abs(rest) > 12 ? rest - 12 * further : rest, from: source)
    set(stem + "/fine/cents", cents - 100 * semitones, from: .detune2)
  }
}
