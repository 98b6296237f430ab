/// The voices of all parts: lanes in groups of eight, and who they sound for.
struct Voices: ~Copyable {
  let groups: UnsafeMutablePointer<VoiceGroup>
  let voices: UnsafeMutablePointer<Voice>
  /// What each voice sounds like: its own copy.
  let patches: UnsafeMutablePointer<Patch>
  /// The mix of one chunk, still by lanes, and a scratch for a group.
  private let left: UnsafeMutablePointer<Lanes>
  private let right: UnsafeMutablePointer<Lanes>
  private let scratch: UnsafeMutablePointer<Lanes>
  private let rate: Float
  private var order: UInt64 = 0
  /// Voices that may sound: fewer than there are where the machine is too slow for all.
  var limit = Limits.voices
  /// Frames rendered, each as often as there were groups to render.
  var work = 0
  /// The bass of each part, while a victim is looked for.
  let basses: UnsafeMutablePointer<Int>
  /// Voices that sound, without those that fade because they were stolen.
  private(set) var sounding = 0
  /// Most voices at once since the start.
  private(set) var most = 0
  /// Voices stolen, and notes refused because not even a fading lane was free.
  private(set) var stolen: UInt64 = 0
  private(set) var refused: UInt64 = 0

  init(rate: Double) {
    self.rate = Float(rate)
    groups = .allocate(capacity: Limits.groups)
    voices = .allocate(capacity: Limits.lanes)
    patches = .allocate(capacity: Limits.lanes)
    patches.initialize(repeating: Patch(), count: Limits.lanes)
    left = .allocate(capacity: Limits.controlFrames)
    left.initialize(repeating: .zero, count: Limits.controlFrames)
    right = .allocate(capacity: Limits.controlFrames)
    right.initialize(repeating: .zero, count: Limits.controlFrames)
    scratch = .allocate(capacity: Limits.controlFrames)
    scratch.initialize(repeating: .zero, count: Limits.controlFrames)
    basses = .allocate(capacity: Limits.parts)
    basses.initialize(repeating: -1, count: Limits.parts)
    Voices.clear(groups, voices)
  }

  /// As new: no voice, no memory of one. Not while it renders.
  mutating func reset() {
    Voices.clear(groups, voices)
    (order, sounding, most, stolen, refused) = (0, 0, 0, 0, 0)
  }

  private static func clear(
    _ groups: UnsafeMutablePointer<VoiceGroup>, _ voices: UnsafeMutablePointer<Voice>
  ) {
    groups.initialize(repeating: VoiceGroup(), count: Limits.groups)
    for index in 0..<Limits.groups {
      // Every lane its own noise.
      groups[index].oscillator1.words &+= LaneWords(repeating: UInt32(index) &* 0x85eb_ca6b)
      groups[index].oscillator2.words &+= LaneWords(repeating: UInt32(index + 100) &* 0xc2b2_ae35)
    }
    voices.initialize(repeating: Voice(), count: Limits.lanes)
  }

  deinit {
    groups.deallocate()
    voices.deallocate()
    patches.deallocate()
    left.deallocate()
    right.deallocate()
    scratch.deallocate()
    basses.deallocate()
  }

  @_noLocks @inline(__always)
  func group(_ voice: Int) -> UnsafeMutablePointer<VoiceGroup> { groups + voice / Limits.lanesPerGroup }

  @_noLocks @inline(__always)
  func lane(_ voice: Int) -> Int { voice % Limits.lanesPerGroup }

  // MARK: - Life

  /// Starts a voice; the caller lets the hands act on it before the next frame. Nil when no lane is free.
  @_noLocks
  mutating func start(_ voice: Voice, _ patch: UnsafePointer<Patch>, tune: Float) -> Int? {
    if sounding >= limit, let victim = victim() {
      fade(victim)
      stolen &+= 1
    }
    guard let index = freeLane() else {
      refused &+= 1
      return nil
    }
    order &+= 1
    voices[index] = voice
    patches[index] = patch.pointee
    voices[index].state = Voice.held
    voices[index].order = order
    sounding &+= 1
    most = max(most, sounding)
    set(index, tune: tune)
    return index
  }

  /// Puts a started voice in its place, after its knobs and the hands have been set.
  @_noLocks
  func begin(_ index: Int) { group(index).pointee.start(lane(index), patch(index)) }

  /// Gives a voice the knobs of its own copy.
  @_noLocks
  func set(_ index: Int, tune: Float) {
    group(index).pointee.set(
      lane(index), patch(index), note: Float(voices[index].note), velocity: voices[index].velocity, tune: tune
    )
    group(index).pointee.stirred = true
  }

  /// Lets a voice go into its release.
  @_noLocks
  func release(_ index: Int) {
    guard voices[index].isHeld else { return }
    voices[index].state = Voice.released
    group(index).pointee.leave(lane(index), stage: 2)
  }

  /// Fades a voice at once, in 4 ms.
  @_noLocks
  mutating func fade(_ index: Int) {
    guard voices[index].isSounding else { return }
    voices[index].state = Voice.fading
    sounding &-= 1
    group(index).pointee.leave(lane(index), stage: 3)
  }

  @_noLocks
  private mutating func free(_ index: Int) {
    if voices[index].isSounding { sounding &-= 1 }
    voices[index].state = Voice.free
    group(index).pointee.free(lane(index))
  }

  /// Silence at once, without a fade: after a fault only.
  @_noLocks
  mutating func silence() {
    var index = 0
    while index < Limits.lanes {
      free(index)
      group(index).pointee.reset(lane(index))
      index &+= 1
    }
  }

  @_noLocks
  private func freeLane() -> Int? {
    // Where fewer voices may sound, fewer may fade as well.
    let lanes = limit &* Limits.lanes / Limits.voices
    var index = 0
    while index < lanes {
      if voices[index].state == Voice.free { return index }
      index &+= 1
    }
    return nil
  }

  /// A voice's own copy of its sound, in place.
  @_noLocks @inline(__always)
  func patch(_ index: Int) -> UnsafePointer<Patch> { UnsafePointer(patches + index) }

  // MARK: - Sound

  /// Renders at most `Limits.controlFrames` frames into two buffers; `ahead` frames lead to the next tick of
  /// control rate, which is now when `tick` says so.
  @_noLocks
  mutating func render(
    _ leftOut: UnsafeMutablePointer<Float>, _ rightOut: UnsafeMutablePointer<Float>, frames: Int,
    tick: Bool, ahead: Int
  ) {
    left.update(repeating: .zero, count: frames)
    right.update(repeating: .zero, count: frames)
    var index = 0
    while index < Limits.groups {
      let group = groups + index
      if group.pointee.used != 0, tick || group.pointee.stirred {
        let ended = group.pointee.control(frames: ahead, rate: rate)
        if ended != 0 { free(group: index, ended) }
      }
      if group.pointee.used != 0 {
        group.pointee.render(scratch, left: left, right: right, frames: frames)
        work &+= frames
      }
      index &+= 1
    }
    var i = 0
    while i < frames {
      leftOut[i] = left[i].sum()
      rightOut[i] = right[i].sum()
      i &+= 1
    }
  }

  @_noLocks
  private mutating func free(group: Int, _ lanes: UInt8) {
    var lane = 0
    while lane < Limits.lanesPerGroup {
      if lanes & (1 << UInt8(lane)) != 0 { free(group &* Limits.lanesPerGroup &+ lane) }
      lane &+= 1
    }
  }
}
