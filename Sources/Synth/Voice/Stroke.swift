/// What the last stroke of each lane has brought. Where it strikes a voice that sounds, what it changes goes there in
/// 15 ms on a curve without a corner, 3x² - 2x³: a step of a level, a place, a pitch or an LFO would tick.
struct StrokeLanes {
  /// What goes on from the stroke on: velocity, the number left to chance, and how fast the key was let go.
  var velocity = Lanes.zero
  var random = Lanes.zero
  var release = Lanes.zero
  /// Octaves that the lane is still away from the pitch of its note, and the source `key` with it.
  var bias = Lanes.zero
  /// The part of the way that is left, 1 at the stroke.
  private var left = Lanes.zero
  /// How far what was before lies from what is: of these three, of the pitch and of both LFOs.
  private var velocityBefore = Lanes.zero
  private var randomBefore = Lanes.zero
  private var releaseBefore = Lanes.zero
  private var biasBefore = Lanes.zero
  private var lfoBefore = Lanes.zero
  private var lfo2Before = Lanes.zero

  private static var seconds: Float { @_noLocks get { 0.015 } }

  /// A lane begins with a note.
  @_noLocks
  mutating func start(_ lane: Int, _ note: Note) {
    (velocity[lane], random[lane]) = (note.velocity, ModulationSource.random(note.order))
    (release[lane], bias[lane], biasBefore[lane], left[lane]) = (0, 0, 0, 0)
  }

  /// Some lanes have been struck again: keeps what is heard of their `sources`, before the LFOs go on.
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
    left = select(Lanes(repeating: 1), left, where: struck)
  }

  /// Brings the sources to where they are `seconds` ahead; `passed` have passed since the last time, but for the lanes that
  /// have just been struck. True while any is on its way.
  @_noLocks @inline(never)
  mutating func advance(
    _ struck: SIMDMask<SIMD8<Int32>>, _ sources: UnsafeMutablePointer<Lanes>, pitch: Lanes, passed: Float,
    seconds: Float
  ) -> Bool {
    let (lfo, lfo2) = (ModulationSource.lfo.index, ModulationSource.lfo2.index)
    lfoBefore = select(lfoBefore - sources[lfo], lfoBefore, where: struck)
    lfo2Before = select(lfo2Before - sources[lfo2], lfo2Before, where: struck)
    let moves = (left .> Lanes.zero) .& (biasBefore .!= Lanes.zero)
    let gone = larger(left - passed / Self.seconds, Lanes.zero)
    left = select(left, gone, where: struck)
    let x = larger(left - seconds / Self.seconds, Lanes.zero)
    let share = x * x * (3 - 2 * x)
    sources[ModulationSource.velocity.index] = velocity + velocityBefore * share
    sources[ModulationSource.random.index] = random + randomBefore * share
    sources[ModulationSource.release.index] = release + releaseBefore * share
    bias = biasBefore * share
    let key = ModulationSource.key.index
    // From middle C, three quarters of an octave below concert pitch.
    sources[key] = select(pitch + bias + 0.75, sources[key], where: moves)
    sources[lfo] += lfoBefore * share
    sources[lfo2] += lfo2Before * share
    return isAny(left)
  }
}
