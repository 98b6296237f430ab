import Parameters
import Presets
import Storage
import Synth

// Edits of many knobs at once, each one step of a part's history: the initial sound, or an initial section.

extension PartPresets {
  /// Gives a part the initial sound, which belongs to no preset. Sounding notes keep the sound that they started
  /// with.
  public func initialize(part: Int) {
    let before = beginStep(part)
    setSound(.initial, PresetOrigin(name: "Init", stored: .initial), part)
    endStep("init", part, before)
  }

  /// Gives the knobs of a section their initial values.
  public func initialize(_ section: SoundSection, part: Int) {
    change(part, "init of \(section.name)") { section.paste(section, of: .initial, into: &$0) }
  }

  /// The sound of a part; while the stored one is compared with it, the edited one.
  func patch(part: Int) -> Patch { edited[part] ?? writer.stage.scene[part].patch }

  /// Edits the sound of a part as one step of its history. Sounding notes follow, as they follow a knob.
  func change(_ part: Int, _ action: String, _ body: (inout Patch) -> Void) {
    let before = beginStep(part)
    var patch = before.patch
    body(&patch)
    if patch.isSame(as: before.patch) { return }
    writer.stage.scene[part].patch = patch
    compare(part)
    writer.changed(.sound(part: part))
    writer.changed(.preset(part: part))
    endStep(action, part, before)
  }
}
