/// A voice that sounds: its note, and where its modulation sources lie.
struct SoundingVoice {
  let note: UnsafePointer<Note>
  /// By `ModulationSource`, of all voices of its group.
  let sources: UnsafePointer<Lanes>
  /// Its lane among them.
  let lane: Int

  @_noLocks
  init(note: UnsafePointer<Note>, sources: UnsafePointer<Lanes>, lane: Int) {
    (self.note, self.sources, self.lane) = (note, sources, lane)
  }
}
