/// What a source has set for all that it plays.
struct SourceState {
  /// 0…1, as expression.
  var volume: Float = 1
  /// Semitones from the keys.
  var tuning: Float = 0

  @_noLocks init() {}
}

/// The pitches that MIDI devices have given their keys, semitones from equal temperament, by channel. What was set last
/// counts, key by key.
struct SourceTunings: ~Copyable {
  private let shifts: UnsafeMutablePointer<Float>
  // Whether a source has set any.
  private let areSet: UnsafeMutablePointer<Bool>
  private static var perSource: Int { @_noLocks get { Limits.channels * 128 } }

  init() {
    shifts = .allocate(capacity: Limits.surfaceSources * Self.perSource)
    shifts.initialize(repeating: 0, count: Limits.surfaceSources * Self.perSource)
    areSet = .allocate(capacity: Limits.surfaceSources)
    areSet.initialize(repeating: false, count: Limits.surfaceSources)
  }

  deinit {
    shifts.deallocate()
    areSet.deallocate()
  }

  /// Equal temperament for all.
  func reset() {
    for source in 0..<Limits.surfaceSources { reset(source) }
  }

  /// Equal temperament for a source.
  @_noLocks
  func reset(_ source: Int) {
    if source >= Limits.surfaceSources || !areSet[source] { return }
    areSet[source] = false
    (shifts + source * Self.perSource).update(repeating: 0, count: Self.perSource)
  }

  /// How far a note lies from its key.
  @_noLocks
  func shift(_ note: Note) -> Float {
    let (source, channel) = (Int(note.source), Int(note.zoneManager))
    if source >= Limits.surfaceSources || channel >= Limits.channels || !areSet[source] { return 0 }
    return shifts[source * Self.perSource + channel * 128 + Int(note.key & 127)]
  }

  /// Tunes a key on all channels, or a tone in all octaves on one. The event is in range.
  @_noLocks
  func tune(_ event: Event) {
    let source = Int(event.source)
    if source >= Limits.surfaceSources { return }
    areSet[source] = true
    let shift = max(-127, min(event.value, 127))
    let own = shifts + source * Self.perSource
    switch event.kind {
    case .scaleTuning:
      if Int(event.target) >= Limits.channels { return }
      var key = Int(event.note) % 12
      while key < 128 {
        own[Int(event.target) * 128 + key] = shift
        key &+= 12
      }
    default:
      var channel = 0
      while channel < Limits.channels {
        own[channel * 128 + Int(event.note & 127)] = shift
        channel &+= 1
      }
    }
  }
}
