import Glibc
import Parameters
import Scenes
import Storage

/// The conversion of an amsynth preset to the closest sound of pipit. Pure, any thread.
///
/// The control laws are those of amsynth 1.13; `losses` lists the differences that remain, with the line of the
/// parameter in the file.
struct AmsynthSound {
  let preset: AmsynthPreset
  /// The sound as a text of pipit.
  private(set) var text = ""
  /// The settings that could not be carried over.
  private(set) var losses: [TextWarning]

  // The lines of the text, and the lines of the parameters from which they follow.
  private var lines: [(text: String, source: Int)] = []

  /// Converts a preset.
  init(_ preset: AmsynthPreset) {
    self.preset = preset
    losses = preset.warnings
    addOscillators()
    addFilter()
    addAmplifier()
    addModulation()
    addEffects()
    addPlaying()
    let head = TextFormat.head("preset")
    let raw = head + lines.reduce("") { $0 + $1.text + "\n" }
    // Its sounds use no wavetables of the player.
    let names = NameRegister()
    guard let reading = try? PresetText.read(raw, names: names) else { return }
    // Values out of range were clamped.
    for warning in reading.warnings where warning.line > 1 {
      losses.append(TextWarning(line: lines[warning.line - 2].source, problem: warning.problem))
    }
    var about = PresetAbout()
    _ = about.take("tags", "amsynth")
    text = PresetText.write(reading.patch, name: Document.name(preset.name), about: about, names: names)
  }

  /// The value of a parameter.
  subscript(parameter: AmsynthParameter) -> Float { preset[parameter] }

  /// Sets a knob by its address with a unit, from a parameter.
  mutating func set(_ address: String, _ value: Float, from parameter: AmsynthParameter) {
    lines.append(("\(address) \(value)", preset.line(parameter)))
  }

  /// Sets a choice by its word, from a parameter.
  mutating func choose(_ address: String, _ word: String, from parameter: AmsynthParameter) {
    lines.append(("\(address) \(word)", preset.line(parameter)))
  }

  /// Reports a difference that remains, for a parameter.
  mutating func lose(_ parameter: AmsynthParameter, _ problem: String) {
    losses.append(TextWarning(line: preset.line(parameter), problem: "\(parameter.rawValue): \(problem)"))
  }
}

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

extension AmsynthSound {
  /// The frequency of middle C, the key at which pipit's cutoff has its stated value, hertz.
  private static let middleC: Float = 261.63
  /// The lowest cutoff of pipit, hertz.
  private static let lowest: Float = 20
  /// The velocity of a soft stroke, at which the curves of both programs are made to meet.
  private static let soft: Float = 20.0 / 127

  /// The filter with its envelope, tracking and velocity.
  mutating func addFilter() {
    let type = self[.filterType].rounded()
    if type == 4 {
      set("/filter/cutoff/hz", 20_000, from: .filterType)
      set("/filter/track/percent", 0, from: .filterType)
      return
    }
    set("/filter/mode/value", [0, 2, 1, 3][Int(clamping: type)], from: .filterType)
    let isSteep = self[.slope] >= 0.5
    choose("/filter/slope", isSteep ? "24" : "12", from: .slope)
    addResonance(isSteep)
    let base = exp2(4 * self[.cutoff])
    let cutoff = Self.middleC * base * exp2(-velocityOctaves - sweep)
    // A cutoff below pipit's range is raised; velocity, or else the envelope, then opens the filter by that much
    // less.
    var raised = max(0, log2(Self.lowest / cutoff))
    let velocity = max(velocityOctaves - raised, 0)
    raised -= velocityOctaves - velocity
    let amount = self[.filterAmount]
    // In amsynth, an amount above 0 adds hertz, and one below 0 subtracts a share of the cutoff. pipit moves the
    // cutoff by octaves.
    let octaves =
      amount > 0 ? max(log2(1 + amount / base) - raised, 0) : max(log2(max(1 + amount / 16, 1e-4)), -8)
    set("/filter/amount/octaves", octaves, from: .filterAmount)
    let sustain =
      amount > 0
      ? log2(1 + amount / base * self[.filterSustain]) - raised
      : log2(max(1 + amount / 16 * self[.filterSustain], 1e-4))
    set(
      "/filter/sustain/percent", octaves == 0 ? 0 : 100 * max(0, min(sustain / octaves, 1)),
      from: .filterSustain)
    addTimes("/filter", .filterAttack, .filterDecay, .filterRelease)
    set("/filter/curve/percent", curve(octaves: octaves), from: .filterAmount)
    // In amsynth, soft strokes and the LFO close the filter. In pipit, velocity and LFO add to the cutoff, which is
    // lower.
    if velocity > 0 { set("/filter/velocity/octaves", velocity, from: .filterVelocity) }
    set("/filter/cutoff/hz", cutoff, from: .cutoff)
    set("/filter/track/percent", 100 * self[.tracking], from: .tracking)
    if self[.tracking] > 0.05, self[.tracking] < 0.95 {
      lose(.tracking, "is linear in hertz; pipit's is by octaves")
    }
  }

  private mutating func addResonance(_ isSteep: Bool) {
    let damping = max(0.001, 2 * (1 - self[.resonance]))
    // Each stage of the steep filter falls by 1.5 dB at the cutoff.
    let (peak, span): (Float, Float) = isSteep ? (damping * damping / 1.848, 0.735) : (damping, 1.384)
    let resonance = 1 - sqrt(max(peak - 0.03, 0) / span)
    set("/filter/resonance/percent", 100 * max(0, min(resonance, 1)), from: .resonance)
  }

  /// The curve of the envelope that is closest to a straight line in hertz over its decay, or over its attack if that
  /// is longer, percent: found by renders of both programs.
  private func curve(octaves: Float) -> Float {
    if octaves <= 0 { return octaves < -1 ? -30 : -50 }
    return self[.filterAttack] > self[.filterDecay] ? -50 : max(-100, -50 - 12 * octaves)
  }

  /// The octaves by which the softest strokes close the filter. The velocity curve of amsynth's sounds is a root in
  /// pipit.
  private var velocityOctaves: Float {
    let share = self[.filterVelocity]
    let atSoft = 1 - share + Self.soft * share
    return min(-log2(atSoft) / (1 - sqrt(Self.soft)), 4)
  }

  /// Attack, decay and release: straight lines in amsynth.
  mutating func addTimes(
    _ stem: String, _ attack: AmsynthParameter, _ decay: AmsynthParameter, _ release: AmsynthParameter
  ) {
    for (name, parameter) in [("/attack", attack), ("/decay", decay), ("/release", release)] {
      let value = self[parameter]
      // Shorter times would click.
      set(stem + name + "/seconds", max(value * value * value + 0.0005, 0.005), from: parameter)
    }
  }
}

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

extension AmsynthSound {
  /// The volume above which amsynth's limiter acts on single notes, decibels, and the level in pipit of a sound at
  /// full volume, decibels: 6 dB lower than in amsynth, like pipit's presets. Both are measured by renders.
  private static let (limit, fullVolume): (Float, Float) = (-10.4, 14)
  /// The gain of amsynth's reverb, Freeverb, over that of pipit, as a factor: 5.3 to 6.8 dB by renders of both.
  private static let reverbGain: Float = 2

  /// The amplifier: its envelope, its response to velocity, and its level.
  mutating func addAmplifier() {
    addTimes("/amp", .ampAttack, .ampDecay, .ampRelease)
    set("/amp/curve/percent", -50, from: .ampAttack)
    set("/amp/sustain/percent", 100 * self[.ampSustain], from: .ampSustain)
    set("/amp/velocity/percent", 100 * self[.ampVelocity], from: .ampVelocity)
    // The square root of the velocity, which pipit squares: a straight line, like that of amsynth.
    set("/play/curve/percent", 100 / 1.5, from: .ampVelocity)
    let volume = min(40 * log10(max(self[.level], 0.03)), Self.limit)
    // The louder of the dry and the wet sound is at full level.
    let loudest = max(1 - self[.reverbLevel], self[.reverbLevel] * Self.reverbGain)
    set("/amp/level/db", volume + 20 * log10(loudest) + Self.fullVolume, from: .level)
  }

  /// Distortion and reverb.
  mutating func addEffects() {
    let crunch = self[.crunch]
    if crunch > 0 {
      choose("/drive/on", "on", from: .crunch)
      choose("/drive/shape", "power", from: .crunch)
      // The exponent is 1 - gain / 40, amsynth's 1 - crunch.
      set("/drive/gain/db", 40 * crunch, from: .crunch)
    }
    let wet = self[.reverbLevel]
    if wet > 0.001 { addReverb(wet) }
  }

  /// Reverb. Freeverb's comb filters have a feedback of 0.7 to 0.98 and a one-pole low-pass; their mean delay is
  /// 31 ms.
  private mutating func addReverb(_ wet: Float) {
    let feedback = 0.7 + 0.28 * self[.reverbSize]
    let pole = 0.4 * self[.reverbDamping]
    let angle = 2 * Float.pi * 4_000 / 44_100
    let treble = (1 - pole) / sqrt(1 - 2 * pole * cos(angle) + pole * pole)
    choose("/reverb/on", "on", from: .reverbLevel)
    set("/reverb/predelay/seconds", 0, from: .reverbLevel)
    set("/reverb/size/percent", 40, from: .reverbSize)
    set("/reverb/decay/seconds", 0.092 / -log10(feedback), from: .reverbSize)
    set("/reverb/high/value", max(0.1, min(log(feedback) / log(feedback * treble), 1)), from: .reverbDamping)
    set("/reverb/width/percent", 100 * self[.reverbWidth], from: .reverbWidth)
    let ratio = wet / max(1 - wet, 0.01) * Self.reverbGain
    set("/reverb/mix/percent", ratio < 1 ? 50 * ratio : 100 - 50 / ratio, from: .reverbLevel)
  }

  /// Voices and glide.
  mutating func addPlaying() {
    choose(
      "/play/mode", ["poly", "mono", "legato"][Int(clamping: self[.keyboardMode].rounded())],
      from: .keyboardMode)
    if self[.glide] <= 0 { return }
    set("/play/glide/seconds", self[.glide], from: .glide)
    choose("/play/glidemode", "line-time", from: .glide)
    choose("/play/glidewhen", self[.glideMode] >= 0.5 ? "legato" : "always", from: .glideMode)
  }
}
