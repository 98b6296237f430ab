import Synth

/// The playing tempo of a song as a multiple of its written tempo.
extension SongCourse {
  /// Plays the song at a multiple of its tempos from a frame on: the position stays. A song that follows another clock
  /// keeps the tempo of that clock. A song that is about to begin changes its tempo right after that.
  mutating func play(at multiple: Float, isOn: Bool, frame: Int64, send: (Event) -> Void) {
    if multiple == self.multiple || isOn && !opening.isEmpty { return }
    self.multiple = multiple
    if isOn { follow(playback.tempo(at: position(at: frame)), at: frame, send) }
  }

  /// The tempo of the clock for a tempo of the song.
  func tempo(_ written: Float) -> Float { BeatClock.clamped(written * multiple) }
}
