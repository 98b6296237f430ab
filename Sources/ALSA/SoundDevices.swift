import Glibc
import System

/// The device files of ALSA, and whether this user may open them: ALSA itself does not list those that the user may
/// not open.
public enum SoundDevices {
  /// Whether there is a sound card or a sequencer that this user may not open.
  /// - Parameter folder: The folder of the device files; tests use another.
  public static func areLocked(in folder: String = "/dev/snd") -> Bool {
    (fileNames(in: folder) ?? []).contains { name in
      (name.hasPrefix("controlC") || name == "seq") && access("\(folder)/\(name)", R_OK | W_OK) != 0
    }
  }

  /// A sentence that says that a user may not open the sound cards.
  public static func locked(_ user: String) -> String { "\(user) may not open the sound cards" }

  /// The remedy, as a sentence.
  public static func remedy(_ user: String) -> String {
    "join the group audio: sudo adduser \(user) audio, then log out and in again"
  }

  /// The name of this user.
  public static var user: String {
    getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "user \(geteuid())"
  }
}
