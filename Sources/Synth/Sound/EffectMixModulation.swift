import Scenes

/// The modulation of a sound's effect mixes by the matrix. These mixes belong to the sound and not to a voice.
///
/// Sources that all voices share are used directly: the player's controllers, the macros, a shared LFO. Sources that
/// each note has for itself are read from the most recently struck sounding note, as other synthesizers do for targets
/// that a whole patch shares. After the last note they keep their values while the tails ring on.
struct EffectMixModulation {
  /// The current modulation of each mix, in the order of the effects, and its target.
  private(set) var mixes = SIMD16<Float>.zero
  private(set) var goal = SIMD16<Float>.zero
  // True while a slot may modulate a mix, and until the modulation has returned to zero.
  private var isAsked = false
  // The note whose sources are used, and their last values.
  private var note = Note()
  private let sources: UnsafeMutablePointer<Float>

  /// No modulation.
  init() {
    sources = .allocate(capacity: ModulationSource.count)
    sources.initialize(repeating: 0, count: ModulationSource.count)
  }

  func deallocate() { sources.deallocate() }

  /// Whether there may be modulation in a run.
  var areOn: Bool { @_noLocks get { isAsked } }

  /// Resets the modulation, for a part.
  @_noLocks
  mutating func begin(part: Int) {
    (mixes, goal, isAsked, note) = (.zero, .zero, false, Note())
    // No keyboard is known yet; the controllers of tablets belong to the part.
    (note.part, note.target) = (UInt8(part), UInt8(Limits.channels + part))
    sources.update(repeating: 0, count: ModulationSource.count)
  }

  /// Follows an edit of the patch.
  @_noLocks
  mutating func follow(_ patch: UnsafeMutablePointer<Patch>) {
    if patch.movedMixes != 0 { isAsked = true }
  }

  /// Advances by one control tick: each mix moves by `share` of the distance to its modulation by the sources of
  /// `voice`, the voice struck last; nil when none sounds. `scratch` and `sums` are scratch memory for as many vectors as
  /// there are sources and targets.
  @_noLocks
  mutating func advance(
    _ sound: UnsafePointer<SoundParameters>, _ voice: SoundingVoice?, _ patch: UnsafeMutablePointer<Patch>,
    _ controllers: borrowing Controllers, _ scratch: UnsafeMutablePointer<Lanes>,
    _ sums: UnsafeMutablePointer<Lanes>, share: Float
  ) {
    if let voice { take(voice) } else { takeLFOs(sound) }
    takeShared(sound, controllers.modulation(of: note))
    let routes = UnsafeRawPointer(sound).assumingMemoryBound(to: ModulationRoutes.self)
    goal = .zero
    if routes.pointee.toEffects != 0 {
      for source in 0..<ModulationSource.count {
        scratch[source] = Lanes(repeating: sources[source])
      }
      routes.clear(ModulationTarget.ofEffects, sums)
      routes.add(routes.pointee.toEffects, scratch, to: sums)
      for effect in 0..<EffectKnobs.count {
        let mix = ModulationTarget.mix(of: effect)
        if routes.pointee.moves(mix) { goal[effect] = sums[mix.index][0] }
      }
    }
    mixes += (goal - mixes) * share
    let squares = mixes * mixes
    let isBack = routes.pointee.toEffects == 0 && sum(squares.lowHalf) + sum(squares.highHalf) < 1e-12
    if isBack, patch.movedMixes == 0 { (mixes, isAsked) = (.zero, false) }
  }

  /// Reads the sources of a voice.
  @_noLocks
  private mutating func take(_ voice: SoundingVoice) {
    note = voice.note.pointee
    for source in 0..<ModulationSource.firstPlayed {
      sources[source] = voice.sources[source][voice.lane]
    }
  }

  /// Reads the LFOs that need no voice.
  @_noLocks
  private func takeLFOs(_ sound: UnsafePointer<SoundParameters>) {
    if sound.pointee.lfo.isShared { sources[ModulationSource.lfo.index] = sound.pointee.lfo.shared }
    if sound.pointee.lfo2.isShared { sources[ModulationSource.lfo2.index] = sound.pointee.lfo2.shared }
    if sound.pointee.lfo3.isShared { sources[ModulationSource.lfo3.index] = sound.pointee.lfo3.shared }
  }

  /// Reads the sources that all voices of the note's player share.
  @_noLocks
  private func takeShared(_ sound: UnsafePointer<SoundParameters>, _ control: PlayerModulation) {
    sources[ModulationSource.constant.index] = 1
    var index = 0
    while index < Limits.macros {
      sources[ModulationSource.macro1.index &+ index] = sound.pointee.macros[index]
      index &+= 1
    }
    index = 0
    while index < ModulationSource.playedCount {
      sources[ModulationSource.firstPlayed &+ index] = control.played[index]
      index &+= 1
    }
  }
}

/// A sounding voice: its note, and the address of its modulation sources.
struct SoundingVoice {
  let note: UnsafePointer<Note>
  /// Sources of all voices in its group, indexed by `ModulationSource`.
  let sources: UnsafePointer<Lanes>
  /// Its lane in the vectors.
  let lane: Int

  @_noLocks
  init(note: UnsafePointer<Note>, sources: UnsafePointer<Lanes>, lane: Int) {
    (self.note, self.sources, self.lane) = (note, sources, lane)
  }
}
