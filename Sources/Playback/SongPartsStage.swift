import Control
import Parameters
import Presets
import Scenes
import Synth

/// The parts 9 to 16, which only songs play: their scene, which the events of the song edit, and their engine. They
/// are not visible to players, presets, setups or sessions. One thread, that of the instrument's scene.
final class SongPartsStage {
  private let parts: SongParts
  private let instrument: Link
  private var stage: Stage
  private var isChanged = false
  // The presets that programs have chosen, by part 0…7.
  private var names: [Int: String] = [:]

  /// Parts with a scene and a tuning, nil for equal temperament, that the engine of `instrument` renders from now on.
  init(_ scene: Scene, tuning: KeyTuning?, kit: Kit, beside instrument: Link) {
    stage = Stage(scene)
    for part in 0..<Limits.parts { stage.tune(part, tuning) }
    self.instrument = instrument
    parts = SongParts(stage.scene, kit: kit, beside: instrument)
    stage.publish(to: parts.scene)
    instrument.setSongParts(parts)
  }

  /// Stops rendering the parts, and frees them.
  func remove() { instrument.setSongParts(nil) }

  /// Whether any of the parts sounds or rings on.
  var isSounding: Bool { parts.isSounding }

  /// Whether they are made for the sample rate of the instrument, which may have changed.
  var matchesSampleRate: Bool { parts.matchesSampleRate }

  /// Begins a song with a scene. Sounding notes end as at a recall.
  func begin(_ scene: Scene, tuning: KeyTuning?) {
    stage.restore(scene)
    _ = stage.release(source: nil)
    for part in 0..<Limits.parts { stage.tune(part, tuning) }
    (names, isChanged) = ([:], true)
  }

  /// Applies an event of the song to the scene, and sends it to the engine of the parts if it is for that.
  func take(_ event: Event, _ programs: inout ProgramMap?) {
    if event.kind == .program { name(event, programs) }
    let edit = stage.edit(event, &programs)
    if edit.hasChanged { isChanged = true }
    if !edit.isDone { send(event) }
  }

  /// Sends an event to the engine of the parts. Clock and route events are left out: the parts use those of the
  /// instrument.
  func send(_ event: Event) {
    switch event.kind {
    case .clockTempo, .clockBeat, .clockStart, .clockCountIn, .clockTap, .clockContinue, .clockGone,
      .clockMeter, .route:
      break
    default:
      if !event.kind.isForControl, !parts.events.push(event) { instrument.meters.add(.songDropped, 1) }
    }
  }

  /// Publishes the scene if it has changed, and frees retired scenes.
  func publish() {
    if isChanged { stage.publish(to: parts.scene) } else { parts.scene.service() }
    isChanged = false
  }

  /// The preset that the last program on a channel 0…15 has chosen for a part 0…7; nil before one has.
  func preset(_ part: Int) -> String? { names[part] }

  private func name(_ event: Event, _ programs: ProgramMap?) {
    let channel = Int(event.target)
    let (bank, program) = (Int(clamping: event.value), Int(event.note))
    guard let programs,
      let preset = programs.library.preset(
        bank: bank, program: program, channel: stage.programChannel(channel, of: event.source),
        order: programs.order)
    else { return }
    for part in stage.parts(channel: channel) { names[part] = preset.name }
  }
}
