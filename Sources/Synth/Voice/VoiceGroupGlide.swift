// Glides: the pitch of a voice goes to its note's in an exponential curve, as a capacitor charges. The filter's key
// tracking goes along; bend and vibrato come on top.

extension VoiceGroup {
  /// Sets the pitch of a lane to that of a note, without a way to it.
  @_noLocks
  mutating func tune(_ lane: Int, _ note: Note) {
    block.state.pointee.pitch[lane] = note.octaves
    block.sources[ModulationSource.key.index][lane] = note.octavesFromC
    let bit = UInt8(1) << UInt8(lane)
    (gliding, unmoved) = (gliding & ~bit, unmoved & ~bit)
  }

  /// Goes on with a voice in another note, without a stroke.
  @_noLocks
  mutating func slur(_ lane: Int, _ note: Note, _ voice: PlayerModulation) {
    block.state.pointee.stroke.velocity[lane] = note.velocity
    restruck |= 1 << UInt8(lane) & ~started
    tune(lane, note)
    needsUpdate = true
    follow(lane, voice)
  }

  /// Lets a lane glide from a pitch, octaves from concert pitch, to that of a note. `byRate` when the time of the glide is
  /// for an octave. It halves the way that is left `rate` times a second, or with 0 as often as the sound has it.
  @_noLocks
  mutating func glide(_ lane: Int, from pitch: Float, to note: Note, byRate: Bool, rate: Float) {
    let (state, way) = (block.state, pitch - note.octaves)
    if way.magnitude < Self.tolerance { return }
    state.pointee.glide.pitch[lane] = note.octaves
    state.pointee.glide.key[lane] = note.octavesFromC
    state.pointee.glide.way[lane] = way
    state.pointee.glide.speed[lane] = byRate ? 1 / way.magnitude : 1
    state.pointee.glide.rate[lane] = rate
    state.pointee.pitch[lane] = pitch
    block.sources[ModulationSource.key.index][lane] = note.octavesFromC + way
    gliding |= 1 << UInt8(lane)
    unmoved |= 1 << UInt8(lane)
  }

  /// The pitch of a lane that is heard now, its bend included, octaves from concert pitch.
  @_noLocks
  func pitch(_ lane: Int) -> Float {
    let state = block.state
    return state.pointee.pitch[lane] + state.pointee.notePitch.value[lane] + state.pointee.stroke.bias[lane]
  }

  /// Lets a lane that has another note go on from a pitch in which it was heard; not before it has been heard.
  @_noLocks
  func goOn(_ lane: Int, from pitch: Float) {
    if started >> UInt8(lane) & 1 != 0 { return }
    block.state.pointee.stroke.bias[lane] += pitch - self.pitch(lane)
  }

  /// Takes a lane to a note whose tuning has changed. A glide goes on from as far away as it is.
  @_noLocks
  func retune(_ lane: Int, _ note: Note) {
    let (state, key) = (block.state, block.sources + ModulationSource.key.index)
    let way = gliding >> UInt8(lane) & 1 == 0 ? 0 : state.pointee.glide.way[lane]
    state.pointee.glide.pitch[lane] = note.octaves
    state.pointee.glide.key[lane] = note.octavesFromC
    state.pointee.pitch[lane] = note.octaves + way
    key.pointee[lane] = note.octavesFromC + way
  }

  /// Octaves from the note at which a glide has arrived: 0.012 cents.
  private static var tolerance: Float { @_noLocks get { 1e-5 } }

  /// Moves the lanes that glide on by so many `seconds`, but for those that have only begun. `rate` is how many halvings
  /// of the way a second takes.
  @_noLocks
  mutating func glide(seconds: Float, rate: Lanes) {
    let (state, key) = (block.state, block.sources + ModulationSource.key.index)
    let halvings = larger(
      state.pointee.glide.speed * (-seconds * rate), Lanes(repeating: -EnvelopeLanes.longest))
    let moved = mask(gliding & ~unmoved)
    let goal = state.pointee.glide.pitch
    let way = select(state.pointee.glide.way * exp2(halvings), state.pointee.glide.way, where: moved)
    state.pointee.glide.way = way
    state.pointee.pitch = select(goal + way, state.pointee.pitch, where: moved)
    key.pointee = select(state.pointee.glide.key + way, key.pointee, where: moved)
    var arrived = gliding & ~unmoved & lanes(where: magnitude(way) .< Lanes(repeating: Self.tolerance))
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
