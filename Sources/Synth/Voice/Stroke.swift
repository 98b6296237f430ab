import Scenes

/// Sources that the last stroke of each lane has set. After a restrike of a sounding voice they change within 15 ms on
/// a smooth curve, 3x² - 2x³, because a step of a level, pan, pitch or LFO would click.
struct StrokeLanes {
  /// Values since the stroke: velocity, random number, and release velocity.
  var velocity = Lanes.zero
  var random = Lanes.zero
  var release = Lanes.zero
  /// Remaining distance in octaves to the pitch of the note, which also offsets the source `key`.
  var bias = Lanes.zero
  /// Remaining share of the transition, 1 at the stroke.
  private var left = Lanes.zero
  /// Differences between the old and new values of these three, the pitch and the LFOs.
  private var velocityBefore = Lanes.zero
  private var randomBefore = Lanes.zero
  private var releaseBefore = Lanes.zero
  private var biasBefore = Lanes.zero
  private var lfoBefore = Lanes.zero
  private var lfo2Before = Lanes.zero
  private var lfo3Before = Lanes.zero

  private static var seconds: Float { @_noLocks get { 0.015 } }

  /// Starts a lane with a note.
  @_noLocks
  mutating func start(_ lane: Int, _ note: Note) {
    (velocity[lane], random[lane]) = (note.velocity, ModulationSource.random(note.order))
    (release[lane], bias[lane], biasBefore[lane], left[lane]) = (0, 0, 0, 0)
  }

  /// Begins the transition of lanes that have been struck again, from the current values of their `sources`, before the
  /// LFOs advance.
  @_noLocks @inline(never)
  mutating func begin(_ struck: SIMDMask<SIMD8<Int32>>, _ sources: UnsafePointer<Lanes>) {
    let (velocity, random, release) = (
      sources[ModulationSource.velocity.index] - velocity, sources[ModulationSource.random.index] - random,
      sources[ModulationSource.release.index] - release
    )
    velocityBefore = select(velocity, velocityBefore, where: struck)
    randomBefore = select(random, randomBefore, where: struck)
    releaseBefore = select(release, releaseBefore, where: struck)
    biasBefore = select(bias, biasBefore, where: struck)
    lfoBefore = select(sources[ModulationSource.lfo.index], lfoBefore, where: struck)
    lfo2Before = select(sources[ModulationSource.lfo2.index], lfo2Before, where: struck)
    lfo3Before = select(sources[ModulationSource.lfo3.index], lfo3Before, where: struck)
    left = select(Lanes(repeating: 1), left, where: struck)
  }

  /// Sets the sources to their values `seconds` ahead; `passed` seconds have passed since the last call, except for
  /// lanes that have just been struck. True while any transition is in progress.
  @_noLocks @inline(never)
  mutating func advance(
    _ struck: SIMDMask<SIMD8<Int32>>, _ sources: UnsafeMutablePointer<Lanes>, pitch: Lanes, passed: Float,
    seconds: Float
  ) -> Bool {
    let (lfo, lfo2, lfo3) = (
      ModulationSource.lfo.index, ModulationSource.lfo2.index, ModulationSource.lfo3.index
    )
    lfoBefore = select(lfoBefore - sources[lfo], lfoBefore, where: struck)
    lfo2Before = select(lfo2Before - sources[lfo2], lfo2Before, where: struck)
    lfo3Before = select(lfo3Before - sources[lfo3], lfo3Before, where: struck)
    let moves = (left .> Lanes.zero) .& (biasBefore .!= Lanes.zero)
    let remaining = larger(left - passed / Self.seconds, Lanes.zero)
    left = select(left, remaining, where: struck)
    let x = larger(left - seconds / Self.seconds, Lanes.zero)
    let share = x * x * (3 - 2 * x)
    sources[ModulationSource.velocity.index] = velocity + velocityBefore * share
    sources[ModulationSource.random.index] = random + randomBefore * share
    sources[ModulationSource.release.index] = release + releaseBefore * share
    bias = biasBefore * share
    let key = ModulationSource.key.index
    // Octaves from middle C, which is three quarters of an octave below concert pitch.
    sources[key] = select(pitch + bias + 0.75, sources[key], where: moves)
    sources[lfo] += lfoBefore * share
    sources[lfo2] += lfo2Before * share
    sources[lfo3] += lfo3Before * share
    return isAny(left)
  }
}
