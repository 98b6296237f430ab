import Glibc

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
