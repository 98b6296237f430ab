import CALSA
import Glibc

/// A desktop's sound server (PipeWire, PulseAudio), which plays what several programs do on one card.
enum SoundServer {
  /// The PCM that leads to it.
  static let pcm = "default"
  /// Why it is taken.
  static let reason = "beside others: the session has a sound server"

  /// Whether one runs in the session of whoever runs pipit. A service has no session, and the hardware to itself.
  static var isRunning: Bool {
    guard let folder = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), !folder.isEmpty else {
      return false
    }
    return ["/pipewire-0", "/pulse/native"].contains { access(folder + $0, R_OK | W_OK) == 0 }
  }

  /// Whether a PCM is one that a sound server plays; not so where ALSA's default is a card after all.
  static func plays(_ pcm: OpaquePointer) -> Bool { snd_pcm_type(pcm) == SND_PCM_TYPE_IOPLUG }
}
