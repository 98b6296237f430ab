// The ladder with a cutoff that is modulated at audio rate.

extension LadderLanes {
  /// Filters samples of one side in place, with a cutoff that `octaves` moves at each sample. The coefficients are those of
  /// the unmodulated `cutoff` afterwards.
  @_noLocks @inline(never)
  mutating func processModulated(
    _ x: UnsafeMutablePointer<Lanes>, _ stages: UnsafeMutablePointer<LadderStages>,
    _ octaves: UnsafePointer<Lanes>, _ cutoff: Ramp, frames: Int, isMixed: Bool, rate: Float
  ) {
    var (now, cutoff) = (stages.pointee, cutoff)
    let bound = LadderStages.bound + hiddenZero(cutoff.value)
    var i = 0
    while i < frames {
      loop.set(hertz: exp2(cutoff.value + octaves[i]), rate: rate)
      let output = now.process(x[i], loop, bound: bound)
      x[i] = isMixed ? mix.output(output) : output.four
      loop.input.move()
      loop.feedback.move()
      if isMixed { mix.move() }
      cutoff.move()
      i &+= 1
    }
    loop.set(hertz: exp2(cutoff.value), rate: rate)
    stages.pointee = now
  }
}

extension LadderLoop {
  /// Sets the coefficients to a cutoff in Hz at once; input and feedback stay.
  @_noLocks @inline(__always)
  fileprivate mutating func set(hertz: Lanes, rate: Float) {
    let tangent = CutoffTangent(hertz: hertz, rate: rate)
    let inverseSum = inverse(tangent.n + tangent.d)
    let (goal, rest) = (tangent.n * inverseSum, tangent.d * inverseSum)
    let fourth = (goal * goal) * (goal * goal)
    let closed = inverse(multiplyAdd(feedback.value, fourth, Lanes(repeating: 1)))
    part.rest(at: goal)
    ofStages.rest(at: rest * closed)
    ofInput.rest(at: fourth * closed * input.value)
  }
}
