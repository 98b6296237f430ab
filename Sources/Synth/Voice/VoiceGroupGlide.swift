// Glides: the pitch of a voice approaches that of its note on an exponential curve, like a charging capacitor, or in a
// straight line. The filter's key tracking follows the glide; bend and vibrato are added.

extension VoiceGroup {
  /// Makes the pitch of a lane jump to that of a note.
  @_noLocks
  mutating func tune(_ lane: Int, _ note: Note) {
    block.state.pointee.pitch[lane] = note.octaves
    block.sources[ModulationSource.key.index][lane] = note.octavesFromC
    let bit = UInt8(1) << UInt8(lane)
    (gliding, unmoved) = (gliding & ~bit, unmoved & ~bit)
  }

  /// Changes a voice to another note without a stroke.
  @_noLocks
  mutating func slur(_ lane: Int, _ note: Note, _ voice: PlayerModulation) {
    block.state.pointee.stroke.velocity[lane] = note.velocity
    restruck |= 1 << UInt8(lane) & ~started
    tune(lane, note)
    needsUpdate = true
    follow(lane, voice)
  }

  /// Starts a glide of a lane from a pitch, in octaves from concert pitch, to that of a note. The remaining distance of
  /// an exponential glide is halved `rate` times per second, or, if that is 0, at the rate of the sound; a linear glide
  /// takes the time in which an exponential one is 99 % done. By rate, this time applies to each octave.
  @_noLocks
  mutating func glide(_ lane: Int, from pitch: Float, to note: Note, _ mode: GlideMode, rate: Float) {
    let (state, distance) = (block.state, pitch - note.octaves)
    if distance.magnitude < Self.tolerance { return }
    state.pointee.glide.pitch[lane] = note.octaves
    state.pointee.glide.key[lane] = note.octavesFromC
    state.pointee.glide.distance[lane] = distance
    state.pointee.glide.speed[lane] = mode.isByRate ? 1 / distance.magnitude : 1
    state.pointee.glide.rate[lane] = rate
    let octaves = mode.isByRate ? 1 : distance.magnitude
    state.pointee.glide.slope[lane] = mode.isLinear ? octaves / GlideLanes.halvings : 0
    state.pointee.pitch[lane] = pitch
    block.sources[ModulationSource.key.index][lane] = note.octavesFromC + distance
    gliding |= 1 << UInt8(lane)
    unmoved |= 1 << UInt8(lane)
  }

  /// The current pitch of a lane including its bend, in octaves from concert pitch.
  @_noLocks
  func pitch(_ lane: Int) -> Float {
    let state = block.state
    return state.pointee.pitch[lane] + state.pointee.notePitch.value[lane] + state.pointee.stroke.bias[lane]
  }

  /// Lets a lane continue from the pitch that it had before its note changed, unless it has not been rendered yet.
  @_noLocks
  func continuePitch(_ lane: Int, from pitch: Float) {
    if started >> UInt8(lane) & 1 != 0 { return }
    block.state.pointee.stroke.bias[lane] += pitch - self.pitch(lane)
  }

  /// Moves a lane to its note after a change of tuning. A glide keeps its remaining distance.
  @_noLocks
  func retune(_ lane: Int, _ note: Note) {
    let (state, key) = (block.state, block.sources + ModulationSource.key.index)
    let distance = gliding >> UInt8(lane) & 1 == 0 ? 0 : state.pointee.glide.distance[lane]
    state.pointee.glide.pitch[lane] = note.octaves
    state.pointee.glide.key[lane] = note.octavesFromC
    state.pointee.pitch[lane] = note.octaves + distance
    key.pointee[lane] = note.octavesFromC + distance
  }

  /// Distance in octaves at which a glide has reached its note: 0.012 cents.
  private static var tolerance: Float { @_noLocks get { 1e-5 } }

  /// Advances gliding lanes by `seconds`, except those whose glide has just begun. `rate` is the number of halvings of
  /// the distance per second, from which linear glides have their speed.
  @_noLocks
  mutating func glide(seconds: Float, rate: Lanes) {
    let (state, key) = (block.state, block.sources + ModulationSource.key.index)
    let halvings = larger(
      state.pointee.glide.speed * (-seconds * rate), Lanes(repeating: -EnvelopeLanes.longest))
    let moved = mask(gliding & ~unmoved)
    let goal = state.pointee.glide.pitch
    let (before, slope) = (state.pointee.glide.distance, state.pointee.glide.slope)
    let straight = signed(larger(magnitude(before) - slope * (seconds * rate), Lanes.zero), like: before)
    let left = select(straight, before * exp2(halvings), where: slope .> Lanes.zero)
    let distance = select(left, before, where: moved)
    state.pointee.glide.distance = distance
    state.pointee.pitch = select(goal + distance, state.pointee.pitch, where: moved)
    key.pointee = select(state.pointee.glide.key + distance, key.pointee, where: moved)
    var arrived = gliding & ~unmoved & lanes(where: magnitude(distance) .< Lanes(repeating: Self.tolerance))
    unmoved = 0
    gliding &= ~arrived
    while arrived != 0 {
      let lane = arrived.trailingZeroBitCount
      state.pointee.pitch[lane] = goal[lane]
      key.pointee[lane] = state.pointee.glide.key[lane]
      arrived &= arrived &- 1
    }
  }
}
