import Scenes

/// All voices: the pool of their groups, each group used by one sound, and the note of each lane.
///
/// A voice is identified by its lane's number, 0..<`Limits.lanes`. When the budget of voices is used up, one is stolen
/// and fades. When few groups are free, the quietest group of an ending sound fades in time for the next note to find
/// one.
struct Voices: ~Copyable {
  private(set) var pool: VoicePool
  let notes: UnsafeMutablePointer<Note>
  let sounds: Sounds
  private let vectors: UnsafeMutablePointer<Lanes>
  private let gains: UnsafeMutablePointer<OscillatorGains>
  private let driveRates: UnsafeMutablePointer<DriveRate>
  private var random = RandomNumbers()
  var order: UInt64 = 0
  /// Whether voices may move to other lanes; false only where a test compares both.
  var compacts = true
  /// The number of voices that the machine can render in time.
  var budget = Budget()
  /// The bass voice of each part, while a victim is chosen.
  let basses: UnsafeMutablePointer<Int>
  /// Voices that sound, without those that fade after they were stolen.
  var sounding = 0
  /// The most voices at once since the start.
  private(set) var most = 0
  private(set) var counts = VoiceCounts()

  init(rate: Double) {
    sounds = Sounds(rate: rate)
    let block = LaneBlock.count
    vectors = .allocate(capacity: Limits.groups * block)
    vectors.initialize(repeating: .zero, count: Limits.groups * block)
    gains = .allocate(capacity: Limits.groups * Limits.oscillators)
    gains.initialize(repeating: OscillatorGains(), count: Limits.groups * Limits.oscillators)
    driveRates = .allocate(capacity: Limits.groups)
    driveRates.initialize(repeating: DriveRate(), count: Limits.groups)
    let groups = UnsafeMutablePointer<VoiceGroup>.allocate(capacity: Limits.groups)
    for group in 0..<Limits.groups {
      (groups + group).initialize(
        to: VoiceGroup(
          LaneBlock(
            group, vectors + group * block, gains + group * Limits.oscillators, driveRates + group)))
      groups[group].block.clear(group)
    }
    pool = VoicePool(groups)
    notes = .allocate(capacity: Limits.lanes)
    notes.initialize(repeating: Note(), count: Limits.lanes)
    basses = .allocate(capacity: Limits.parts)
    basses.initialize(repeating: -1, count: Limits.parts)
  }

  /// Returns to the initial state, without voices. Not while it renders.
  mutating func reset() {
    for group in 0..<Limits.groups {
      let block = groups[group].block
      block.clear(group)
      groups[group] = VoiceGroup(block)
    }
    notes.update(repeating: Note(), count: Limits.lanes)
    sounds.reset()
    (order, sounding, most, counts) = (0, 0, 0, VoiceCounts())
    (pool, budget, random) = (VoicePool(groups), Budget(), RandomNumbers())
  }

  deinit {
    vectors.deallocate()
    groups.deallocate()
    gains.deallocate()
    driveRates.deallocate()
    notes.deallocate()
    basses.deallocate()
  }

  /// Whether a voice uses the memory of combs.
  var haveCombs: Bool {
    @_noLocks get {
      for group in 0..<Limits.groups {
        if groups[group].used != 0, groups[group].filter.needs.hasComb { return true }
      }
      return false
    }
  }

  // MARK: - Lanes

  var groups: UnsafeMutablePointer<VoiceGroup> { @_noLocks @inline(__always) get { pool.groups } }

  @_noLocks @inline(__always)
  func group(_ voice: Int) -> UnsafeMutablePointer<VoiceGroup> { groups + VoicePool.group(of: voice) }

  @_noLocks @inline(__always)
  func lane(_ voice: Int) -> Int { VoicePool.lane(of: voice) }

  @_noLocks @inline(__always)
  func sound(_ voice: Int) -> UnsafeMutablePointer<Sound> { sounds.sounds + group(voice).pointee.sound }

  /// The first voice from `voice` on that sounds or fades; `Limits.lanes` when there is none.
  @_noLocks @inline(__always)
  func next(_ voice: Int) -> Int { pool.next(voice) }

  /// The first voice from `voice` on whose note is held and is the note of an event; `Limits.lanes` when there is none.
  @_noLocks @inline(__always)
  func nextHeld(by event: Event, _ voice: Int) -> Int { pool.nextHeld(by: event.noteID, voice) }

  /// True while a voice sounds and does not fade.
  @_noLocks
  func isSounding(_ voice: Int) -> Bool {
    let group = group(voice)
    return (group.pointee.used & ~group.pointee.fading) >> UInt8(lane(voice)) & 1 != 0
  }

  /// True for a voice that no key and no pedal holds and that does not fade.
  @_noLocks
  func isReleased(_ voice: Int) -> Bool {
    let group = group(voice)
    let released = group.pointee.released | group.pointee.modulators.waiting
    return (released & ~group.pointee.fading) >> UInt8(lane(voice)) & 1 != 0
  }

  // MARK: - Life

  /// Starts a voice for a note in the current sound of its part or in that of its drum, with the player's controllers;
  /// `Limits.lanes` when no lane is free.
  @_noLocks @discardableResult
  mutating func start(_ note: Note, _ control: PlayerModulation) -> Int {
    if sounding >= budget.voices, let victim = victim() {
      fade(victim)
      counts.stolen &+= 1
    }
    let index = soundIndex(note)
    let sound = sounds.sounds + index
    guard let voice = freeLane(sound, index) else {
      counts.refused &+= 1
      return Limits.lanes
    }
    order &+= 1
    sound.pointee.hasDiedAway = false
    notes[voice] = note
    notes[voice].order = order
    sounding &+= 1
    most = max(most, sounding)
    sound.pointee.control.notePan(control.pan)
    group(voice).pointee.start(
      lane(voice), notes[voice], control, sound.pointee.patch, sound.pointee.control,
      alternate: sound.pointee.started & 1 == 0 ? 1 : -1, &random)
    sound.pointee.started &+= 1
    return voice
  }

  /// Applies the player's controllers to a voice, which follows smoothly from the next control tick on.
  @_noLocks
  func follow(_ voice: Int, _ control: PlayerModulation) {
    sound(voice).pointee.control.notePan(control.pan)
    group(voice).pointee.follow(lane(voice), control)
  }

  /// The index of the sound that a struck note belongs to: its drum's, or the current one of its part.
  @_noLocks
  func soundIndex(_ note: Note) -> Int {
    note.drum > 0 ? Int(note.drumSound) : sounds.current[Int(note.part)]
  }

  /// Moves a voice to `shift` octaves from equal temperament. A glide keeps its remaining distance.
  @_noLocks
  func retune(_ voice: Int, by shift: Float) {
    notes[voice].tuningOctaves = shift
    group(voice).pointee.modulators.retune(lane(voice), notes[voice])
  }

  /// Starts the release of a note.
  @_noLocks
  func release(_ voice: Int) {
    guard notes[voice].isHeld else { return }
    notes[voice].held = 0
    group(voice).pointee.release(lane(voice), fades: false, sound(voice).pointee.control)
  }

  /// Fades a voice in 4 ms, or, if `slowly`, in 20 ms where its lane is not needed at once.
  @_noLocks
  mutating func fade(_ voice: Int, slowly: Bool = false) {
    guard isSounding(voice) else { return }
    notes[voice].held = 0
    sounding &-= 1
    group(voice).pointee.release(lane(voice), fades: true, slowly: slowly, sound(voice).pointee.control)
  }

  /// Frees the lanes of ended voices in a group, and the group with its last lane.
  @_noLocks
  mutating func free(_ group: Int, _ lanes: UInt8) {
    var left = lanes
    while left != 0 {
      let voice = group &* Limits.lanesPerGroup &+ left.trailingZeroBitCount
      if isSounding(voice) { sounding &-= 1 }
      if notes[voice].isMono, notes[voice].isHeld { sound(voice).pointee.hasDiedAway = true }
      notes[voice] = Note()
      groups[group].free(left.trailingZeroBitCount)
      left &= left &- 1
    }
    giveBack(group)
  }

  /// Silences all voices at once without a fade: after a fault only.
  @_noLocks
  mutating func silence() {
    for group in 0..<Limits.groups {
      if groups[group].used != 0 { free(group, groups[group].used) }
      // Includes lanes without a voice: a value that is not a number spreads from any lane to the whole sound.
      for lane in 0..<Limits.lanesPerGroup {
        groups[group].silence(lane)
      }
    }
    sounds.stop()
  }

  /// Returns an empty group to the pool.
  @_noLocks
  mutating func giveBack(_ group: Int) {
    guard groups[group].used == 0 else { return }
    let bit = UInt64(1) << UInt64(group)
    let sound = sounds.sounds + groups[group].sound
    if sound.pointee.groups & bit == 0 { return }
    sound.pointee.groups &= ~bit
    pool.giveBack(group)
  }

  /// A free lane in a group of the sound, or in a group from the pool.
  @_noLocks
  private mutating func freeLane(_ sound: UnsafeMutablePointer<Sound>, _ index: Int) -> Int? {
    var left = sound.pointee.groups
    while left != 0 {
      let group = left.trailingZeroBitCount
      if groups[group].used != 0xff {
        return group &* Limits.lanesPerGroup &+ (~groups[group].used).trailingZeroBitCount
      }
      left &= left &- 1
    }
    if !sound.pointee.isSounding { sound.pointee.snap() }
    // Frees a group for the next note; this one still finds one.
    if pool.free <= Limits.spareGroups { letGo() }
    guard let group = pool.take() else { return nil }
    groups[group].sound = index
    sound.pointee.groups |= UInt64(1) << UInt64(group)
    return group &* Limits.lanesPerGroup
  }
}

// Voice shedding: fades voices on a machine that is too slow for all of them, and groups when few are free.
extension Voices {
  /// Fades the excess over the budget: first tails of old sounds; then voices, the quietest released one first; then as
  /// many voices as empty a group, in ending sounds first, because a group costs the same for one voice as for eight.
  /// Returns the number of voices. Called at the beginning of a block.
  @_noLocks
  mutating func shed() -> UInt64 {
    let before = sounding
    // Tails of old sounds first, because they are missed least.
    while neededGroups &+ sounds.rackGroups > budget.groups, sounds.cutQuietestTail() {}
    while sounding > budget.voices, let victim = victim() { fade(victim) }
    let racks = sounds.rackGroups
    while sounding > Budget.least, neededGroups &+ racks > budget.groups {
      if let group = quietestEndingGroup() {
        fade(group: group)
      } else if let victim = victim() {
        fade(victim)
      } else {
        break
      }
    }
    return UInt64(before &- sounding)
  }

  /// Fades the quietest group of an ending sound, so that a group becomes free.
  @_noLocks
  mutating func letGo() {
    if let group = quietestEndingGroup() { fade(group: group) }
  }

  /// Groups that all sounds would need after compaction, without fading voices.
  private var neededGroups: Int {
    @_noLocks get {
      var count = 0
      for sound in 0..<Limits.sounds {
        var voices = 0
        var left = sounds.sounds[sound].groups
        while left != 0 {
          let group = left.trailingZeroBitCount
          voices &+= (groups[group].used & ~groups[group].fading).nonzeroBitCount
          left &= left &- 1
        }
        count &+= (voices &+ Limits.lanesPerGroup &- 1) / Limits.lanesPerGroup
      }
      return count
    }
  }

  /// The group of an ending sound whose loudest voice is the quietest.
  @_noLocks
  private func quietestEndingGroup() -> Int? {
    var quietest: Int?
    var level = Float.infinity
    for group in 0..<Limits.groups {
      if groups[group].used & ~groups[group].fading != 0, sounds.sounds[groups[group].sound].isEnding {
        let loudness = loudness(group)
        if loudness < level { (quietest, level) = (group, loudness) }
      }
    }
    return quietest
  }

  @_noLocks
  private func loudness(_ group: Int) -> Float {
    var loudness: Float = 0
    var left = groups[group].used & ~groups[group].fading
    while left != 0 {
      loudness = max(loudness, groups[group].level(left.trailingZeroBitCount))
      left &= left &- 1
    }
    return loudness
  }

  @_noLocks
  private mutating func fade(group: Int) {
    var left = groups[group].used
    while left != 0 {
      fade(group &* Limits.lanesPerGroup &+ left.trailingZeroBitCount)
      left &= left &- 1
    }
  }
}

// The note struck last, whose sources modulate the effects of its sound.
extension Voices {
  /// The voice struck last among those that sound in the given groups, one bit each; nil when none sounds.
  @_noLocks
  func newest(in groups: UInt64) -> SoundingVoice? {
    var (newest, order) = (Limits.lanes, UInt64(0))
    var left = groups
    while left != 0 {
      let group = left.trailingZeroBitCount
      left &= left &- 1
      var lanes = self.groups[group].used & ~self.groups[group].fading
      while lanes != 0 {
        let voice = group &* Limits.lanesPerGroup &+ lanes.trailingZeroBitCount
        lanes &= lanes &- 1
        if notes[voice].order >= order { (newest, order) = (voice, notes[voice].order) }
      }
    }
    if newest == Limits.lanes { return nil }
    return SoundingVoice(
      note: notes + newest, sources: group(newest).pointee.block.sources, lane: lane(newest))
  }
}
