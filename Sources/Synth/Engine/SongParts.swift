/// The parts 9 to 16, which only songs use: eight parts of an engine of its own, with 128 voices, that the engine of the
/// instrument renders and mixes into the outputs 1 and 2 before its master. No player reaches them, and no preset,
/// setup or session holds them. They take no time and no memory before they are made.
///
/// Their beats, concert pitch and master are those of the instrument; `link.midi` and `link.scene` are theirs. The
/// clock, the click, recordings and `commands` of the link are unused. Not on the audio thread.
public final class SongParts {
  /// Their scene and their events.
  public let link: Link
  // Not retained: its scene holds these parts.
  private unowned let instrument: Link
  private let engine: UnsafeMutablePointer<Engine>

  /// Parts of `scene` for the sample rate of the instrument, with this kit where programs are General MIDI's.
  public init(_ scene: Scene, kit: Kit, beside instrument: Link) {
    link = Link(scene, kit: kit, beside: instrument)
    self.instrument = instrument
    engine = .allocate(capacity: 1)
    engine.initialize(to: Engine(rate: instrument.scene.rate, link: link))
    // Effects for their rate.
    link.scene.service()
  }

  deinit {
    engine.deinitialize(count: 1)
    engine.deallocate()
  }

  /// Whether they have the sample rate of the instrument, which renders no others.
  public var matchesSampleRate: Bool { link.scene.rate == instrument.scene.rate }

  /// Whether something sounds or rings on. False before the instrument has rendered a block of them.
  public var isSounding: Bool { link.meters[.sounds] > 0 }
}

extension Link {
  /// Makes the engine of this link render these parts from its next block on; nil for none. `ManagedScene.service`
  /// frees the parts that it rendered before. Control thread.
  public func setSongParts(_ parts: SongParts?) {
    scene.setSongParts(parts?.address ?? 0, parts)
  }
}

extension SongParts {
  fileprivate var address: UInt { UInt(bitPattern: engine) }
}
