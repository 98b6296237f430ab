import Scenes

/// Settings of a source for all of its channels.
struct SourceState {
  /// Volume 0…1, a gain like expression.
  var volume: Float = 1
  /// Tuning offset in semitones, -127…127.
  var tuning: Float = 0
  /// -1…1.
  var balance: Float = 0

  @_noLocks init() {}
}

/// The tunings that MIDI devices have set, by channel and key, in semitones from equal temperament. For each key, the
/// last message counts.
struct SourceTunings: ~Copyable {
  private let shifts: UnsafeMutablePointer<Float>
  // Whether a source has set a tuning.
  private let areSet: UnsafeMutablePointer<Bool>
  private static var perSource: Int { @_noLocks get { Limits.channels * 128 } }
  // The keyboards, and the song.
  private static var sources: Int { @_noLocks get { Limits.surfaceSources + 1 } }

  /// The index of a source; nil for those that set no tunings.
  @_noLocks
  private static func index(_ source: Int) -> Int? {
    if source < Limits.surfaceSources { return source }
    return source == Limits.songSource ? Limits.surfaceSources : nil
  }

  init() {
    shifts = .allocate(capacity: Self.sources * Self.perSource)
    shifts.initialize(repeating: 0, count: Self.sources * Self.perSource)
    areSet = .allocate(capacity: Self.sources)
    areSet.initialize(repeating: false, count: Self.sources)
  }

  deinit {
    shifts.deallocate()
    areSet.deallocate()
  }

  /// Resets all sources to equal temperament.
  func reset() {
    for source in 0..<Limits.sources { reset(source) }
  }

  /// Resets a source to equal temperament.
  @_noLocks
  func reset(_ source: Int) {
    guard let source = Self.index(source), areSet[source] else { return }
    areSet[source] = false
    (shifts + source * Self.perSource).update(repeating: 0, count: Self.perSource)
  }

  /// The tuning offset of a note in semitones.
  @_noLocks
  func shift(_ note: Note) -> Float {
    let channel = Int(note.zoneManager)
    guard let source = Self.index(Int(note.source)), channel < Limits.channels, areSet[source] else {
      return 0
    }
    return shifts[source * Self.perSource + channel * 128 + Int(note.key & 127)]
  }

  /// Tunes a key on all channels, or a pitch class in all octaves on one channel. The event is in range.
  @_noLocks
  func tune(_ event: Event) {
    guard let source = Self.index(Int(event.source)) else { return }
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
      for channel in 0..<Limits.channels {
        own[channel * 128 + Int(event.note & 127)] = shift
      }
    }
  }
}
