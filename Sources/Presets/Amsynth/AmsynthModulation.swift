import Glibc

extension AmsynthSound {
  /// The LFO on pitch, cutoff and level.
  mutating func addModulation() {
    let rate = self[.lfoRate] * self[.lfoRate]
    let wave = Int(clamping: self[.lfoWave].rounded())
    // At 40 Hz, pipit's noise has 640 random levels a second, joined by lines; amsynth has one level per block of 64
    // frames.
    set("/lfo/1/rate/hz", wave == 3 ? 40 : max(rate, 0.02), from: .lfoRate)
    choose(
      "/lfo/1/wave", ["sine", "square", "triangle", "noise", "hold", "saw", "down"][wave], from: .lfoWave)
    choose("/lfo/1/mode", "all", from: .lfoRate)
    addVibrato()
    if sweep > 0 { set("/lfo/1/cutoff/octaves", sweep, from: .lfoCutoff) }
    if tremolo > 0 { set("/lfo/1/level/percent", 100 * tremolo, from: .lfoLevel) }
  }

  /// The largest relative change of a frequency by the LFO, up and down.
  private var vibratoDepth: Float {
    let value = self[.lfoPitch]
    return min(value * value * value / 2, 0.95)
  }

  /// The depth of the vibrato around `vibratoShift`, cents: half the interval between 1 - depth and 1 + depth.
  private var vibratoCents: Float { 600 * log2((1 + vibratoDepth) / (1 - vibratoDepth)) }

  /// The middle of the vibrato of each oscillator, cents from its pitch.
  var vibratoShift: (Float, Float) {
    let cents = 600 * log2(1 - vibratoDepth * vibratoDepth)
    let target = self[.lfoOscillator].rounded()
    return (target == 2 ? 0 : cents, target == 1 ? 0 : cents)
  }

  private mutating func addVibrato() {
    if vibratoDepth == 0 { return }
    let target = Int(clamping: self[.lfoOscillator].rounded())
    if target == 0 { return set("/lfo/1/pitch/cents", vibratoCents, from: .lfoPitch) }
    choose("/mod/1/source", "lfo-1", from: .lfoOscillator)
    choose("/mod/1/target", "osc-\(target)-pitch", from: .lfoOscillator)
    // 100 % is an octave.
    set("/mod/1/amount/percent", vibratoCents / 12, from: .lfoPitch)
  }

  /// Half the range over which the LFO moves the cutoff, octaves.
  var sweep: Float {
    let share = (self[.lfoCutoff] + 1) / 2
    return min(-log2(max(1 - share, 1e-4)) / 2, 4)
  }

  /// The share by which the LFO lowers the level.
  private var tremolo: Float { (self[.lfoLevel] + 1) / 2 }
}
