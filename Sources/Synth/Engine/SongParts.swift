import Scenes

/// The parts 9 to 16, which only songs use: an engine of eight parts with 128 voices, that the engine of the instrument
/// renders and mixes into the outputs 1 and 2 before its master. No player reaches them, and no preset, setup or session
/// holds them. They take no time and no memory before they are made.
///
/// Their beats, concert pitch and master are those of the instrument. Not on the audio thread.
public final class SongParts {
  /// Their scene.
  public let scene: ManagedScene
  /// Their events, from the control thread.
  public let events = EventRing()
  // Not retained: its scene holds these parts.
  private unowned let instrument: Link
  private let engine: UnsafeMutablePointer<PartEngine>
  // Of the MIDI thread, which sends them nothing.
  private let others = EventRing()
  private let meters = Meters()
  private let zones = MPEZoneTable()
  private let drums: DrumKit

  /// Parts of `scene` for the sample rate of the instrument, with this kit where programs are General MIDI's.
  public init(_ scene: Scene, kit: Kit, beside instrument: Link) {
    self.scene = ManagedScene(scene, beside: instrument.scene, keepsCombs: kit.hasCombs)
    self.instrument = instrument
    drums = DrumKit(kit)
    engine = .allocate(capacity: 1)
    engine.initialize(
      to: PartEngine(
        rate: instrument.scene.rate, frame: 0, scenes: self.scene.audioSide, midi: others, control: events,
        meters: meters, zones: zones, drums: drums, outputs: PartOutputs()))
    // Effects for their rate.
    self.scene.service()
  }

  deinit {
    engine.deinitialize(count: 1)
    engine.deallocate()
    for ring in [events, others] { ring.deallocate() }
    meters.deallocate()
    zones.deallocate()
    drums.deallocate()
  }

  /// Whether they have the sample rate of the instrument, which renders no others.
  public var matchesSampleRate: Bool { scene.rate == instrument.scene.rate }

  /// Whether something sounds or rings on. False before the instrument has rendered a block of them.
  public var isSounding: Bool { meters[.sounds] > 0 }
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

extension PartEngine {
  /// Renders the next `frames` frames and adds them to two buffers.
  @_noLocks
  mutating func add(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int
  ) {
    var done = 0
    while done < frames {
      let run = beginRun(frames: frames &- done)
      // The buffers of the last sound are free.
      renderRun(ensemble.renderer.left, ensemble.renderer.right, ExtraOutputs(), from: 0, frames: run)
      var i = 0
      while i < run {
        left[done &+ i] += ensemble.renderer.left[i]
        right[done &+ i] += ensemble.renderer.right[i]
        i &+= 1
      }
      done &+= run
      ensemble.frame &+= Int64(run)
    }
  }
}
