import Glibc

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
