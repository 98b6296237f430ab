import Parameters
import Scenes
import Storage
@testable import Presets

// Texts of sounds that use no wavetables of the player: each is read and written with a register of its own.

extension PresetText {
  static func read(_ text: String, limit: Int = Limits.presetBytes) throws(TextRefusal) -> Reading {
    try read(text, limit: limit, names: NameRegister())
  }

  static func write(
    _ patch: Patch, name: String? = nil, about: PresetAbout = PresetAbout(),
    snapshots: Snapshots = Snapshots()
  ) -> String {
    write(patch, name: name, about: about, snapshots: snapshots, names: NameRegister())
  }

  static func write(_ sound: PartSound, name: String? = nil) -> String {
    write(sound, name: name, names: NameRegister())
  }
}

extension Session {
  var text: String { text(NameRegister()) }

  static func read(_ text: String) throws(TextRefusal) -> (session: Session, warnings: [TextWarning]) {
    try read(text, names: NameRegister())
  }
}
