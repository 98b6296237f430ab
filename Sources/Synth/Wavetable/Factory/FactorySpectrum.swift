import Scenes

extension FactoryWavetable {
  /// The spectrum of its frames, all of the same power. Takes some milliseconds.
  public func spectrum() -> WaveSpectrum {
    var spectrum = formula()
    spectrum.level()
    return spectrum
  }

  private func formula() -> WaveSpectrum {
    switch self {
    case .basic, .cutoff, .parity, .comb, .primes, .drawbars, .hollow:
      WaveSpectrum(frames: Self.frames) { (0, AdditiveTables.sine(self, $0, $1)) }
    case .tenor, .soprano, .formant, .nasal:
      WaveSpectrum(frames: Self.frames) { (0, FormantTables.sine(self, $0, $1)) }
    case .fm11, .fm12, .fm23, .fm17, .feedback, .sync, .grain, .folded, .driven, .chebyshev, .bits, .glottal:
      WaveSpectrum(frames: Self.frames, wave: WaveTables.wave(self))
    case .slope, .pulse, .double, .bell, .noise, .bands, .glass, .pluck, .random:
      WaveSpectrum(frames: Self.frames, partial: PartialTables.partial(self))
    case .piano, .organ, .reed, .harmonica, .nylon, .steel, .jazz, .overdriven, .distorted, .slap, .cello,
      .strings, .mute, .flute, .panpipes, .koto:
      WaveSpectrum(frames: MeasuredTables.frames, partial: MeasuredTables.partial(self))
    }
  }
}
