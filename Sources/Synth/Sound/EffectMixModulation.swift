/// What the matrix adds to the mixes of a sound's effects, which belong to the sound and not to a voice.
///
/// What all of its voices have in common is taken as it is: the player's controllers, the macros, an LFO that is one for
/// all. What each note has for itself is taken of the note struck last of those that sound, as other synthesizers do for
/// what a whole patch shares; when none sounds any more it stays what it was, while the tails ring on.
struct EffectMixModulation {
  /// What is added to each mix now, in the order of the effects, and where that goes.
  private(set) var mixes = SIMD8<Float>.zero
  private(set) var goal = SIMD8<Float>.zero
  // True while a slot may move a mix, and until what one has moved is back.
  private var isAsked = false
  // The note whose sources are taken, and the sources as they were last.
  private var note = Note()
  private let sources: UnsafeMutablePointer<Float>

  /// Nothing is moved.
  init() {
    sources = .allocate(capacity: ModulationSource.count)
    sources.initialize(repeating: 0, count: ModulationSource.count)
  }

  func deallocate() { sources.deallocate() }

  /// Whether there is anything to do in a run.
  var areOn: Bool { @_noLocks get { isAsked } }

  /// Begins anew, in a part.
  @_noLocks
  mutating func begin(part: Int) {
    (mixes, goal, isAsked, note) = (.zero, .zero, false, Note())
    // No keyboard's yet: what tablets move is the part's.
    (note.part, note.target) = (UInt8(part), UInt8(Limits.channels + part))
    sources.update(repeating: 0, count: ModulationSource.count)
  }

  /// Follows a patch.
  @_noLocks
  mutating func follow(_ patch: UnsafeMutablePointer<Patch>) {
    if patch.movedMixes != 0 { isAsked = true }
  }

  /// One control tick: the mixes go a `share` of their way to where the routes bring them, by the sources of the `voice`
  /// struck last, nil where none sounds. Works in two rooms for as many
  /// vectors as there are sources and targets.
  @_noLocks
  mutating func advance(
    _ sound: UnsafePointer<SoundParameters>, _ voice: SoundingVoice?, _ patch: UnsafeMutablePointer<Patch>,
    _ controllers: borrowing Controllers, _ room: UnsafeMutablePointer<Lanes>,
    _ sums: UnsafeMutablePointer<Lanes>, share: Float
  ) {
    if let voice { take(voice) } else { takeLFOs(sound) }
    takeShared(sound, controllers.control(note))
    let routes = UnsafeRawPointer(sound).assumingMemoryBound(to: ModulationRoutes.self)
    goal = .zero
    if routes.pointee.toEffects != 0 {
      var source = 0
      while source < ModulationSource.count {
        room[source] = Lanes(repeating: sources[source])
        source &+= 1
      }
      routes.clear(ModulationTarget.ofEffects, sums)
      routes.add(routes.pointee.toEffects, room, to: sums)
      var effect = 0
      while effect < EffectKnobs.count {
        let target = ModulationTarget.driveMix.index &+ effect
        if routes.pointee.moved &>> UInt64(target) & 1 != 0 { goal[effect] = sums[target][0] }
        effect &+= 1
      }
    }
    mixes += (goal - mixes) * share
    let isBack = routes.pointee.toEffects == 0 && sum(mixes * mixes) < 1e-12
    if isBack, patch.movedMixes == 0 { (mixes, isAsked) = (.zero, false) }
  }

  /// Takes the sources of a voice.
  @_noLocks
  private mutating func take(_ voice: SoundingVoice) {
    note = voice.note.pointee
    var source = 0
    while source < ModulationSource.firstPlayed {
      sources[source] = voice.sources[source][voice.lane]
      source &+= 1
    }
  }

  /// Takes the LFOs that need no voice.
  @_noLocks
  private func takeLFOs(_ sound: UnsafePointer<SoundParameters>) {
    if sound.pointee.lfo.isShared { sources[ModulationSource.lfo.index] = sound.pointee.lfo.shared }
    if sound.pointee.lfo2.isShared { sources[ModulationSource.lfo2.index] = sound.pointee.lfo2.shared }
  }

  /// Takes what is the same for all voices of the note's player.
  @_noLocks
  private func takeShared(_ sound: UnsafePointer<SoundParameters>, _ control: PlayerModulation) {
    sources[ModulationSource.constant.index] = 1
    sources[ModulationSource.macro1.index] = sound.pointee.macros.x
    sources[ModulationSource.macro2.index] = sound.pointee.macros.y
    var index = 0
    while index < ModulationSource.played {
      sources[ModulationSource.firstPlayed &+ index] = control.played[index]
      index &+= 1
    }
  }
}
