/// All voices: the pool of their groups, each in the hands of one sound, and the note of each lane.
///
/// A voice is known by its lane's number, 0..<`Limits.lanes`. When the voices that may sound are all taken, one is
/// stolen and fades; when few groups are free, an ending sound's quietest is let go in time, so that a note that starts
/// finds one.
struct Voices: ~Copyable {
  private(set) var pool: VoicePool
  let notes: UnsafeMutablePointer<Note>
  let sounds: Sounds
  private let vectors: UnsafeMutablePointer<Lanes>
  private let gains: UnsafeMutablePointer<OscillatorGains>
  private var random = RandomNumbers()
  var order: UInt64 = 0
  /// Whether voices may move to other lanes: false only where a test compares the two.
  var compacts = true
  /// What the machine can render in time.
  var budget = Budget()
  /// The bass of each part, while a victim is looked for.
  let basses: UnsafeMutablePointer<Int>
  /// Voices that sound, without those that fade because they were stolen.
  var sounding = 0
  /// Most voices at once since the start.
  private(set) var most = 0
  /// Voices stolen, and notes refused because no group was free.
  private(set) var stolen: UInt64 = 0
  private(set) var refused: UInt64 = 0

  init(rate: Double) {
    sounds = Sounds(rate: rate)
    let block = LaneBlock.count
    vectors = .allocate(capacity: Limits.groups * block)
    vectors.initialize(repeating: .zero, count: Limits.groups * block)
    gains = .allocate(capacity: Limits.groups * LaneBlock.oscillators)
    gains.initialize(repeating: OscillatorGains(), count: Limits.groups * LaneBlock.oscillators)
    let groups = UnsafeMutablePointer<VoiceGroup>.allocate(capacity: Limits.groups)
    for group in 0..<Limits.groups {
      (groups + group).initialize(
        to: VoiceGroup(LaneBlock(vectors + group * block, gains + group * LaneBlock.oscillators)))
      groups[group].block.clear(group)
    }
    pool = VoicePool(groups)
    notes = .allocate(capacity: Limits.lanes)
    notes.initialize(repeating: Note(), count: Limits.lanes)
    basses = .allocate(capacity: Limits.parts)
    basses.initialize(repeating: -1, count: Limits.parts)
  }

  /// As new: no voice, no memory of one. Not while it renders.
  mutating func reset() {
    for group in 0..<Limits.groups {
      let block = groups[group].block
      block.clear(group)
      groups[group] = VoiceGroup(block)
    }
    notes.update(repeating: Note(), count: Limits.lanes)
    sounds.reset()
    (order, sounding, most, stolen, refused) = (0, 0, 0, 0, 0)
    (pool, budget, random) = (VoicePool(groups), Budget(), RandomNumbers())
  }

  deinit {
    vectors.deallocate()
    groups.deallocate()
    gains.deallocate()
    notes.deallocate()
    basses.deallocate()
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

  /// The first voice from `voice` on whose note is held and is the one that an event means; `Limits.lanes` when there is
  /// none.
  @_noLocks @inline(__always)
  func nextHeld(by event: Event, _ voice: Int) -> Int { pool.nextHeld(by: event.noteID, voice) }

  /// True while a voice counts: it does not fade because it was stolen.
  @_noLocks
  func isSounding(_ voice: Int) -> Bool {
    let group = group(voice)
    return (group.pointee.used & ~group.pointee.fading) >> UInt8(lane(voice)) & 1 != 0
  }

  /// True while no key and no pedal holds a voice, and it was not stolen either.
  @_noLocks
  func isReleased(_ voice: Int) -> Bool {
    let group = group(voice)
    let released = group.pointee.released | group.pointee.releasedInAttack
    return (released & ~group.pointee.fading) >> UInt8(lane(voice)) & 1 != 0
  }

  // MARK: - Life

  /// Starts a voice for a note in a part's current sound, as the player's controls have it; `Limits.lanes` when there is
  /// no room.
  @_noLocks @discardableResult
  mutating func start(_ note: Note, _ control: PlayerModulation) -> Int {
    if sounding >= budget.voices, let victim = victim() {
      fade(victim)
      stolen &+= 1
    }
    let index = sounds.current[Int(note.part)]
    let sound = sounds.sounds + index
    guard let voice = freeLane(sound, index) else {
      refused &+= 1
      return Limits.lanes
    }
    order &+= 1
    sound.pointee.hasDiedAway = false
    notes[voice] = note
    notes[voice].order = order
    sounding &+= 1
    most = max(most, sounding)
    group(voice).pointee.start(
      lane(voice), notes[voice], control, sound.pointee.patch, sound.pointee.control,
      alternate: sound.pointee.started & 1 == 0 ? 1 : -1, &random)
    sound.pointee.started &+= 1
    return voice
  }

  /// Moves a voice so many octaves from equal temperament. A glide goes on from as far away as it is.
  @_noLocks
  func retune(_ voice: Int, by shift: Float) {
    notes[voice].shift = shift
    group(voice).pointee.retune(lane(voice), notes[voice])
  }

  /// Lets go of a note: it goes into its release.
  @_noLocks
  func release(_ voice: Int) {
    guard notes[voice].isHeld else { return }
    notes[voice].held = 0
    group(voice).pointee.release(lane(voice), fades: false, sound(voice).pointee.control)
  }

  /// Fades a voice at once, in 4 ms; or, `slowly`, in 20, where its lane is not waited for.
  @_noLocks
  mutating func fade(_ voice: Int, slowly: Bool = false) {
    guard isSounding(voice) else { return }
    notes[voice].held = 0
    sounding &-= 1
    group(voice).pointee.release(lane(voice), fades: true, slowly: slowly, sound(voice).pointee.control)
  }

  /// Frees the lanes of a group whose voices have ended, and the group when it was the last.
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

  /// Silence at once, without a fade: after a fault only.
  @_noLocks
  mutating func silence() {
    var group = 0
    while group < Limits.groups {
      if groups[group].used != 0 { free(group, groups[group].used) }
      // Lanes without a voice too: what is no number spreads to the whole sound from any lane.
      var lane = 0
      while lane < Limits.lanesPerGroup {
        groups[group].silence(lane)
        lane &+= 1
      }
      group &+= 1
    }
    sounds.stop()
  }

  /// Takes a group without lanes from its sound.
  @_noLocks
  mutating func giveBack(_ group: Int) {
    guard groups[group].used == 0 else { return }
    let bit = UInt64(1) << UInt64(group)
    let sound = sounds.sounds + groups[group].sound
    if sound.pointee.groups & bit == 0 { return }
    sound.pointee.groups &= ~bit
    pool.giveBack(group)
  }

  /// A lane of the sound: in one of its groups, or in one that no sound has.
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
    if !sound.pointee.isSounding { sound.pointee.arrive() }
    // In time for the next: this one still finds a group.
    if pool.free <= Limits.spareGroups { letGo() }
    guard let group = pool.take() else { return nil }
    groups[group].sound = index
    sound.pointee.groups |= UInt64(1) << UInt64(group)
    return group &* Limits.lanesPerGroup
  }
}
