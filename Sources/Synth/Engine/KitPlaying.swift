// Drums of General MIDI that have sounds of their own.

extension Engine {
  /// Stores whether the sound that a part has begun is that of a kit's preset, so that drums play their own sounds.
  @_noLocks
  mutating func followKit(_ part: Int, _ patch: UnsafePointer<Patch>) {
    kits[part] = drums.number(of: patch)
  }

  /// The drum that a note on plays in a part. Its own sound is 0 unless the part has a kit's preset and plays its
  /// notes directly: poly, and without arpeggiator, chords or sequence.
  @_noLocks
  func drum(_ event: Event, part: Int) -> Drum {
    guard controllers.playsDrums(part, event) else { return Drum(key: event.note) }
    var drum = drums[event.note, kit: kits[part]]
    var plays = kits[part] > 0 && !played[part].pointee.isMono
    if Int(event.source) != Limits.songSource {
      switch arps[part].pointee.role {
      case .notes: break
      case .chords, .arpeggio, .sequence: plays = false
      }
    }
    if !plays { drum.sound = 0 }
    return drum
  }

  /// Strikes a drum in its own sound. If it still sounds, it fades in 20 ms.
  @_noLocks
  mutating func strikeDrum(_ note: Note) {
    var note = note
    let part = Int(note.part)
    let sound = voices.sounds.drum(
      note.drum, part, drums.patch(note.drum), dynamics: scene.part(part).pointee.input.dynamics)
    note.drumSound = UInt8(truncatingIfNeeded: sound)
    let control = controllers.modulation(of: note)
    if voices.restrike(note, control, fades: true) == Limits.lanes { voices.start(note, control) }
  }
}
