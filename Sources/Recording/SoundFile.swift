import CSndfile
import Glibc
import System

/// A stereo sound file that grows: FLAC of 24 bits, or WAV of 32-bit floating point, which goes on beyond 4 GB as RF64.
/// After each `sync` it is whole on the disk, whatever happens then. One thread.
public final class SoundFile {
  /// How a recording is kept. The raw value ends the file's name.
  public enum Format: String, CaseIterable, Sendable {
    case flac, wav

    fileprivate var code: Int32 {
      switch self {
      case .flac: Int32(SF_FORMAT_FLAC | SF_FORMAT_PCM_24)
      case .wav: Int32(SF_FORMAT_RF64 | SF_FORMAT_FLOAT)
      }
    }
  }

  private let path: String
  private let format: Format
  private let library: SndfileLibrary
  private var file: OpaquePointer?

  /// Begins a file at `path`, where there is none yet. Throws when none can be made, or the library is not there.
  init(_ path: String, _ format: Format, rate: Int) throws(FileError) {
    (self.path, self.format) = (path, format)
    library = try SndfileLibrary.opened(for: path)
    // Never over what is there, nor through a link.
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    if descriptor < 0 { throw FileError("write", path) }
    var info = SF_INFO()
    (info.samplerate, info.channels, info.format) = (Int32(rate), 2, format.code)
    file = library.open(descriptor, Int32(SFM_WRITE), &info, 1)
    // A file that it could not begin has been closed by libsndfile.
    if file == nil {
      unlink(path)
      throw FileError("write", path, library.reason(nil))
    }
    if format == .wav { command(SFC_RF64_AUTO_DOWNGRADE) }
    // Louder than full scale is full scale, not its opposite.
    command(SFC_SET_CLIPPING)
  }

  deinit { if let file { _ = library.close(file) } }

  /// Appends frames. Throws when the disk is full.
  func write(_ frames: UnsafeBufferPointer<SIMD2<Float>>) throws(FileError) {
    guard let file, let place = frames.baseAddress else { return }
    let written = place.withMemoryRebound(to: Float.self, capacity: 2 * frames.count) {
      library.write(file, $0, Int64(frames.count))
    }
    if written != frames.count { throw FileError("write", path, library.reason(file)) }
  }

  /// Makes what was written whole on the disk.
  func sync() {
    guard let file else { return }
    if format == .wav { _ = library.command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0) }
    library.sync(file)
  }

  /// Ends the file. Throws when its end could not be written.
  func finish() throws(FileError) {
    guard let file else { return }
    sync()
    self.file = nil
    if library.close(file) != 0 { throw FileError("write", path, "its end could not be written") }
  }

  private func command(_ code: Int) {
    if let file { _ = library.command(file, Int32(code), nil, 1) }
  }
}
