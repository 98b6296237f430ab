import CALSA
import Glibc
import TestCard

/// A PCM that is opened in one way and no other.
final class Stream {
  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  private let pcm: OpaquePointer
  private let setup: PCMSetup
  private let name: String

  init(_ name: String, _ stream: snd_pcm_stream_t, _ setup: PCMSetup, periods: Int) throws {
    (self.name, self.setup) = (name, setup)
    var opened: OpaquePointer?
    try Self.check(snd_pcm_open(&opened, name, stream, Int32(SND_PCM_NONBLOCK)), "opening \(name)")
    guard let pcm = opened else { throw Failed(description: name) }
    self.pcm = pcm
    try configure(periods)
  }

  deinit { snd_pcm_close(pcm) }

  private func configure(_ periods: Int) throws {
    var memory: OpaquePointer?
    snd_pcm_hw_params_malloc(&memory)
    guard let hardware = memory else { return }
    defer { snd_pcm_hw_params_free(hardware) }
    try check(snd_pcm_hw_params_any(pcm, hardware), "any")
    try check(snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED), "access")
    try check(snd_pcm_hw_params_set_format(pcm, hardware, setup.format), "format")
    try check(snd_pcm_hw_params_set_channels(pcm, hardware, UInt32(setup.channels)), "channels")
    try check(snd_pcm_hw_params_set_rate(pcm, hardware, UInt32(setup.rate), 0), "rate")
    try check(snd_pcm_hw_params_set_period_size(pcm, hardware, snd_pcm_uframes_t(setup.period), 0), "period")
    try check(
      snd_pcm_hw_params_set_buffer_size(pcm, hardware, snd_pcm_uframes_t(setup.period * periods)), "buffer")
    try check(snd_pcm_hw_params(pcm, hardware), "hw_params")
  }

  /// Plays silence, and goes on when there is no more.
  func startRinging() throws {
    var memory: OpaquePointer?
    snd_pcm_sw_params_malloc(&memory)
    guard let software = memory else { return }
    defer { snd_pcm_sw_params_free(software) }
    try check(snd_pcm_sw_params_current(pcm, software), "sw_params_current")
    var boundary: snd_pcm_uframes_t = 0
    snd_pcm_sw_params_get_boundary(software, &boundary)
    try check(snd_pcm_sw_params_set_start_threshold(pcm, software, boundary), "start threshold")
    try check(snd_pcm_sw_params_set_stop_threshold(pcm, software, boundary), "stop threshold")
    try check(snd_pcm_sw_params(pcm, software), "sw_params")
    let silence = [UInt8](repeating: 0, count: setup.period * setup.frameBytes)
    try check(Int32(snd_pcm_writei(pcm, silence, snd_pcm_uframes_t(setup.period))), "writing")
    try start()
  }

  func start() throws { try check(snd_pcm_start(pcm), "start") }

  /// What has come, in bytes; at most so many frames. Waits up to a tenth of a second.
  func read(_ frames: Int) throws -> [UInt8] {
    snd_pcm_wait(pcm, 100)
    var bytes = [UInt8](repeating: 0, count: frames * setup.frameBytes)
    let count = snd_pcm_readi(pcm, &bytes, snd_pcm_uframes_t(frames))
    if count == -Int(EAGAIN) { return [] }
    try check(Int32(count), "reading")
    return Array(bytes.prefix(count * setup.frameBytes))
  }

  private func check(_ result: Int32, _ what: String) throws { try Self.check(result, "\(name): \(what)") }

  private static func check(_ result: Int32, _ what: String) throws {
    if result < 0 { throw Failed(description: "\(what): \(String(cString: snd_strerror(result)))") }
  }
}
