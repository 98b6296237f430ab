import CALSA
import Glibc

/// A desktop's sound server (PipeWire, PulseAudio), which mixes several programs on one card.
enum SoundServer {
  /// The PCM of the sound server.
  static let pcm = "default"
  /// The reason for playing through the sound server, as text for people.
  static let reason = "beside others: the session has a sound server"

  /// Whether a sound server runs in the user's session. A service has no session, and uses the hardware alone.
  static var isRunning: Bool {
    guard let folder = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), !folder.isEmpty else {
      return false
    }
    return ["/pipewire-0", "/pulse/native"].contains { access(folder + $0, R_OK | W_OK) == 0 }
  }

  /// Whether a sound server plays a PCM; false if ALSA's default PCM is a card.
  static func plays(_ pcm: OpaquePointer) -> Bool { snd_pcm_type(pcm) == SND_PCM_TYPE_IOPLUG }
}
