import Glibc
import System

/// The devices of ALSA, as far as this user may open them: ALSA itself does not count those that he may not.
public enum SoundDevices {
  /// Whether there is a sound card or a sequencer that this user may not open.
  /// - Parameter folder: Where the devices are; a test may make up another.
  public static func areLocked(in folder: String = "/dev/snd") -> Bool {
    (fileNames(in: folder) ?? []).contains { name in
      (name.hasPrefix("controlC") || name == "seq") && access("\(folder)/\(name)", R_OK | W_OK) != 0
    }
  }

  /// That it is so, as a sentence.
  public static func locked(_ user: String) -> String { "\(user) may not open the sound cards" }

  /// What to do about it.
  public static func remedy(_ user: String) -> String {
    "join the group audio: sudo adduser \(user) audio, then log out and in again"
  }

  /// The name of this user.
  public static var user: String {
    getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "user \(geteuid())"
  }
}
