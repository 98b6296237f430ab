/// The function of the keys of a part, as the switches of its sound set it.
enum ArpRole {
  /// Each key plays its note.
  case notes
  /// Each key plays a chord.
  case chords
  /// The keys play an arpeggio.
  case arpeggio
  /// The keys play the sequence.
  case sequence

  /// The role for a sound. The sequence takes precedence over the arpeggio, and that over chords.
  @_noLocks
  init(_ patch: UnsafePointer<Patch>) {
    switch SequenceMode.at(patch.sequence.pointee.mode) {
    case .key: self = .sequence
    case .off, .beside:
      self = patch.arp.pointee.on >= 0.5 ? .arpeggio : patch.chord.pointee.on >= 0.5 ? .chords : .notes
    }
  }

  /// Whether keys play steps.
  var hasSteps: Bool {
    @_noLocks get {
      switch self {
      case .notes, .chords: false
      case .arpeggio, .sequence: true
      }
    }
  }

  // The `==` that the compiler makes is not known to be free of locks.
  @_noLocks
  func equals(_ other: ArpRole) -> Bool {
    switch (self, other) {
    case (.notes, .notes), (.chords, .chords), (.arpeggio, .arpeggio), (.sequence, .sequence): true
    default: false
    }
  }
}
