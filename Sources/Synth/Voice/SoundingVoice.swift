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
