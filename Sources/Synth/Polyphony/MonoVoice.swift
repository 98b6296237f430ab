// What the one voice of a part that plays all keys does besides what every voice does.

extension Voices {
  /// The first voice from `voice` on that plays all keys of a part and does not fade, held or not, of whatever sound;
  /// `Limits.lanes` when there is none.
  @_noLocks
  func nextMono(_ part: Int, _ voice: Int) -> Int {
    var voice = next(voice)
    while voice < Limits.lanes {
      if notes[voice].isMono, Int(notes[voice].part) == part, isSounding(voice) { return voice }
      voice = next(voice &+ 1)
    }
    return voice
  }

  /// True when a voice is of the sound that its part has now.
  @_noLocks
  func isCurrent(_ voice: Int) -> Bool {
    group(voice).pointee.sound == sounds.current[Int(notes[voice].part)]
  }

  /// True when the one voice of a part has ended under keys that are held, which decayed to nothing: what goes on with it,
  /// rather than being struck, is silent as it would be.
  @_noLocks
  func hasDiedAway(_ part: Int) -> Bool { sounds.sounds[sounds.current[part]].hasDiedAway }

  /// Whether a note that is tied to another begins anew in a part.
  @_noLocks
  func retriggers(_ part: Int) -> Bool {
    sounds.sounds[sounds.current[part]].control.envelope.pointee.retriggers
  }

  /// Goes on with a voice in another note, without a stroke.
  @_noLocks
  mutating func slur(_ voice: Int, _ note: Note, _ control: PlayerModulation, keepsVelocity: Bool) {
    var note = note
    if keepsVelocity { (note.velocity, note.loudness) = (notes[voice].velocity, notes[voice].loudness) }
    order &+= 1
    note.order = order
    notes[voice] = note
    group(voice).pointee.slur(lane(voice), note, control)
  }

  /// Makes the voice of a held note the one of its part.
  @_noLocks
  func makeMono(_ voice: Int) {
    (notes[voice].isMono, notes[voice].held) = (true, Note.byStack)
    group(voice).pointee.block.state.pointee.notes[lane(voice)] = Note.noID
  }

  /// Makes the one voice of a part that of its note again, held by what holds that.
  @_noLocks
  func makePoly(_ voice: Int, held: UInt8) {
    notes[voice].isMono = false
    group(voice).pointee.block.state.pointee.notes[lane(voice)] = notes[voice].id
    if !notes[voice].isHeld { return }
    if held == 0 { release(voice) } else { notes[voice].held = held }
  }

  // MARK: - Glides

  /// Lets a voice glide to its note.
  @_noLocks
  func glide(_ voice: Int, from start: GlideStart, _ note: Note) {
    let play = sound(voice).pointee.patch.pointee.play
    // Where it is the sound's own time, a hand on its knob is felt.
    let rate = start.seconds == play.glide ? 0 : SoundParameters.glideRate(seconds: start.seconds)
    group(voice).pointee.glide(
      lane(voice), from: start.pitch, to: note, byRate: play.glidesByRate, rate: rate)
  }

  /// The pitch that a voice is heard in now, octaves from concert pitch.
  @_noLocks
  func pitch(_ voice: Int) -> Float { group(voice).pointee.pitch(lane(voice)) }

  /// Lets a voice that has another note go on from a pitch in which it was heard.
  @_noLocks
  func goOn(_ voice: Int, from pitch: Float) { group(voice).pointee.goOn(lane(voice), from: pitch) }

  /// Lets a voice be where its fingers bend it at once: its key has jumped too.
  @_noLocks
  func arrive(_ voice: Int) { group(voice).pointee.block.state.pointee.notePitch.arrive(lane(voice)) }

  /// The pitch that the voice of a part that was struck last has now, octaves from concert pitch; nil when it has ended.
  @_noLocks
  func pitchOfNewest(_ part: Int) -> Float? {
    var newest: Int?
    var voice = next(0)
    while voice < Limits.lanes {
      if Int(notes[voice].part) == part {
        if let other = newest, notes[other].order > notes[voice].order {} else { newest = voice }
      }
      voice = next(voice &+ 1)
    }
    guard let newest else { return nil }
    let pitch = group(newest).pointee.block.state.pointee.pitch[lane(newest)]
    return pitch + notes[newest].finger.octaves
  }
}
