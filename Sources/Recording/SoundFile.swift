import CSndfile
import Glibc
import System

/// A stereo sound file that grows: FLAC of 24 bits, or WAV of 32-bit floating point, which goes on beyond 4 GB as RF64.
/// Its name ends in `unfinished` until `finish`. What was written before a `sync` is on the disk, whatever happens then:
/// where the file is not finished, `mend` makes it whole. One thread.
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
  // It is the library's, which closes it.
  private let descriptor: Int32
  private var frames = 0
  // A write has failed: what is on the disk may end in the middle of a frame.
  private var isBroken = false

  /// Begins a file that is to be at `path`. Throws when none can be made, or the library is not there.
  init(_ path: String, _ format: Format, rate: Int) throws(FileError) {
    (self.path, self.format) = (path, format)
    library = try SndfileLibrary.opened(for: path)
    // Never over what is there, nor through a link.
    descriptor = Glibc.open(path + Self.unfinished, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    if descriptor < 0 { throw FileError("write", path) }
    // Nobody mends what is still written.
    flock(descriptor, LOCK_EX | LOCK_NB)
    var info = SF_INFO()
    (info.samplerate, info.channels, info.format) = (Int32(rate), 2, format.code)
    file = library.open(descriptor, Int32(SFM_WRITE), &info, 1)
    // A file that it could not begin has been closed by libsndfile.
    if file == nil {
      unlink(path + Self.unfinished)
      throw FileError("write", path, library.reason(nil))
    }
    SoundFile.syncFolder(of: path)
    if format == .wav { command(SFC_RF64_AUTO_DOWNGRADE) }
    // Louder than full scale is full scale, not its opposite.
    command(SFC_SET_CLIPPING)
  }

  deinit { if let file { _ = library.close(file) } }

  /// Appends frames. Throws when the disk is full: then nothing more can be written, and `finish` keeps what was.
  func write(_ frames: UnsafeBufferPointer<SIMD2<Float>>) throws(FileError) {
    guard let file, let place = frames.baseAddress else { return }
    let written = place.withMemoryRebound(to: Float.self, capacity: 2 * frames.count) {
      library.write(file, $0, Int64(frames.count))
    }
    self.frames += max(0, Int(written))
    if written != frames.count {
      isBroken = true
      throw FileError("write", path, library.reason(file))
    }
  }

  /// Has the disk keep what was written, but for what FLAC has not yet a block of: 4,096 frames at most. Throws when the
  /// disk fails, as `write` does, and when the file has been moved or removed.
  func sync() throws(FileError) {
    guard let file else { return }
    if format == .wav { _ = library.command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0) }
    if fsync(descriptor) != 0 {
      isBroken = true
      throw FileError("write", path)
    }
    var (open, named) = (stat(), stat())
    guard fstat(descriptor, &open) == 0, stat(path + Self.unfinished, &named) == 0,
      (open.st_dev, open.st_ino) == (named.st_dev, named.st_ino)
    else { throw FileError("keep", path, "the file was moved or removed while it was written") }
  }

  /// Ends the file and gives it its name. After a write that failed it holds what was written before, and is taken away
  /// when that is nothing. The frames that it holds. Throws when its end could not be written, and when the file has been moved or removed.
  func finish() throws(FileError) -> Int {
    guard let file else { return 0 }
    var failure: FileError?
    if !isBroken {
      do throws(FileError) { try sync() } catch { failure = error }
    }
    self.file = nil
    if library.close(file) != 0 { isBroken = true }
    if let failure, !isBroken { throw failure }
    if isBroken { return try SoundFile.mend(path)?.frames ?? 0 }
    try SoundFile.name(path + Self.unfinished, path)
    return frames
  }

  private func command(_ code: Int, _ value: Int32 = 1) {
    if let file { _ = library.command(file, Int32(code), nil, value) }
  }
}
