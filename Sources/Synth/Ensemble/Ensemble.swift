import CRealtime
import Scenes

/// Eight parts that play together: what their players hold, the voices that sound, and the strips that they are mixed
/// in. Audio thread only.
struct Ensemble: ~Copyable {
  /// Sample rate in Hz.
  let rate: Double
  /// The next frame to be rendered.
  var frame: Int64
  var scene: UnsafePointer<Scene>
  var voices: Voices
  var renderer: SoundRenderer
  let controllers: Controllers
  let drums: DrumKit
  // The kit of each part, from 1, whose preset has the sound of the part; 0 for none.
  var kits = SIMD8<UInt8>(repeating: 0)
  let played = PlayedParts()
  var strips: MixerStrips
  /// Sounds that were rendered in the last run.
  private(set) var sounding: UInt64 = 0

  init(
    rate: Double, frame: Int64, scene: UnsafePointer<Scene>, zones: MPEZoneTable, drums: DrumKit,
    outputs: PartOutputs
  ) {
    (self.rate, self.frame, self.scene, self.drums) = (rate, frame, scene, drums)
    controllers = Controllers(zones: zones, drums: drums)
    voices = Voices(rate: rate)
    renderer = SoundRenderer(rate: rate)
    strips = MixerStrips(rate: rate, outputs: outputs)
  }

  /// Returns to the initial state: silence, nothing held, frame 0. The scene stays. Not while it renders.
  mutating func reset() {
    voices.reset()
    controllers.reset()
    played.reset()
    strips = MixerStrips(rate: rate, outputs: strips.outputs)
    renderer.beatClock = BeatClock(rate: rate)
    frame = 0
  }

  /// The knobs of a part's sound in the scene.
  @_noLocks
  func patch(_ part: Int) -> UnsafePointer<Patch> {
    // Addressed in place, to avoid a copy on the stack.
    UnsafeRawPointer(scene.part(part)).advanced(by: Part.patchOffset).assumingMemoryBound(to: Patch.self)
  }

  /// The current play knobs of a part.
  @_noLocks
  func playKnobs(_ part: Int) -> PlayKnobs {
    voices.sounds.sounds[voices.sounds.current[part]].patch.pointee.play
  }

  /// Whether an event is for a part: it addresses the part, or a channel of its source that the part receives.
  @_noLocks
  func reaches(_ event: Event, _ part: Int) -> Bool {
    if Int(event.target) >= Limits.channels { return Int(event.target) &- Limits.channels == part }
    return controllers.receives(part, event)
  }

  /// Sets the strips to the current balances.
  @_noLocks
  func followBalances() {
    for part in 0..<Limits.parts {
      strips.balance(part, controllers.balance(part), scene.part(part).pointee.strip)
    }
  }

  /// Renders every sound through its effects into the strip of its part.
  @_noLocks @inline(__always)
  mutating func renderSounds(frames: Int, tickOffset: Int) {
    let run = SoundRenderer.Run(at: frame, frames: frames, tickOffset: tickOffset)
    let sounds = voices.sounds.sounds
    var index = 0
    sounding = 0
    while index < Limits.sounds {
      let sound = sounds + index
      if sound.pointee.isSounding {
        sounding &+= 1
        renderer.render(sound, &voices, controllers, run)
        strips.add(sound.pointee.part, renderer.left, renderer.right, frames: frames)
      } else {
        voices.sounds.release(sound)
      }
      index &+= 1
    }
    if renderer.sidechains.listened != 0 { strips.measure(&renderer.sidechains, at: frame, frames: frames) }
  }

  /// Silences everything at once: after a fault only.
  @_noLocks
  mutating func silence() {
    voices.silence()
    if renderer.context.comb != 0 { clearCombs() }
  }

  // Not inlined: most patches have no comb.
  @_noLocks @inline(never)
  private func clearCombs() { UnsafePointer<CombPool>(bitPattern: renderer.context.comb)?.pointee.clear() }

  /// Forgets the held keys of mono parts, and fades all voices and the ringing effects at once.
  @_noLocks
  mutating func fadeAll() {
    forgetKeys()
    var voice = voices.next(0)
    while voice < Limits.lanes {
      voices.fade(voice)
      voice = voices.next(voice &+ 1)
    }
    voices.sounds.cut()
  }

  /// Forgets the held keys of mono parts.
  @_noLocks
  func forgetKeys() {
    for part in 0..<Limits.parts {
      played[part].pointee.stack.removeAll()
      played[part].pointee.sounding = Note.noID
    }
  }
}
