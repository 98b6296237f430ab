import Scenes

/// The memory that the audio thread shares with other threads. It is separate from the engine, because `render` has
/// exclusive access to the whole engine and a cell inside it would be a data race.
public final class Link: Sendable {
  /// The scene: control publishes, audio takes.
  public let scene: ManagedScene
  /// Performance events from the MIDI thread.
  public let midi = EventRing()
  /// Performance events from the control thread.
  public let control = EventRing()
  /// Knob controllers and program changes from the MIDI thread to the control thread, and keys while it waits for one.
  public let commands = EventRing()
  /// The relation of frames to time.
  public let clock = Clock()
  /// The beat line, and whether the transport runs.
  public let beatClock = SharedBeatClock()
  /// Health figures and levels.
  public let meters = Meters()
  /// Render times of blocks, in ten-thousandths of their deadlines.
  public let load = Histogram()
  /// Wake-up latency of the audio thread for a block, in nanoseconds.
  public let lateness = Histogram()
  /// The MPE zones of the devices.
  let zones = MPEZoneTable()
  /// The drums of General MIDI.
  let drums: DrumKit
  /// The output, for recordings.
  public let outputRing = AudioRing()
  /// The output, for scopes and spectra: open while somebody looks at them.
  public let watched = AudioRing()
  /// Peaks of the parts and of the outputs, measured while somebody looks at them.
  public let peaks = Peaks()
  /// The arpeggiators: the current steps, and the keys that are held.
  public let arps = SharedArps()
  /// Whether the control thread waits for a key.
  public let keyWatch = KeyWatch()
  /// The request for the test tone.
  public let tone = ToneRequest()
  /// Faults injected for a test.
  public let faultInjection = FaultInjection()

  /// A link whose first image is `scene`, with this kit where programs are General MIDI's. For `wavetables` see
  /// `ManagedScene.setWavetables`.
  public init(_ scene: Scene, kit: Kit = Kit(), wavetables: WavetableSource? = nil) {
    self.scene = ManagedScene(scene, keepsCombs: kit.hasCombs, wavetables: wavetables)
    drums = DrumKit(kit)
  }

  deinit {
    for ring in [midi, control, commands] { ring.deallocate() }
    clock.deallocate()
    beatClock.deallocate()
    zones.deallocate()
    drums.deallocate()
    meters.deallocate()
    load.deallocate()
    lateness.deallocate()
    outputRing.deallocate()
    watched.deallocate()
    peaks.deallocate()
    arps.deallocate()
    faultInjection.deallocate()
    keyWatch.deallocate()
    tone.deallocate()
  }
}

extension Kit {
  /// Whether the filter of a drum is a comb, whose memory must then be there from the start.
  var hasCombs: Bool { patches.contains { FilterCharacter.at($0.filter.character) == .comb } }
}
