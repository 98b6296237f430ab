import CSndfile
import Glibc
import System

/// A stereo sound file that is being written: FLAC of 24 bits, or WAV of 32-bit floating point, as RF64 beyond 4 GB.
/// Its name ends in `unfinished` until `finish`. Frames before the last `sync` survive a crash: `repair` restores the
/// file. One thread.
public final class SoundFile {
  /// The format of a recording. The raw value is the file extension.
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
  // The library owns and closes it.
  private let descriptor: Int32
  private var frames = 0
  // A write has failed, so the file may end within a frame.
  private var isBroken = false

  /// Begins a file for `path`. Throws if it cannot be created, or libsndfile is missing.
  init(_ path: String, _ format: Format, rate: Int) throws(FileError) {
    (self.path, self.format) = (path, format)
    library = try SndfileLibrary.opened(for: path)
    // Never overwrites a file or follows a link.
    descriptor = Glibc.open(path + Self.unfinished, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    if descriptor < 0 { throw FileError("write", path) }
    // The lock keeps `repair` away from a file that is being written.
    flock(descriptor, LOCK_EX | LOCK_NB)
    var info = SF_INFO()
    (info.samplerate, info.channels, info.format) = (Int32(rate), 2, format.code)
    file = library.open(descriptor, Int32(SFM_WRITE), &info, 1)
    // libsndfile has closed the descriptor.
    if file == nil {
      unlink(path + Self.unfinished)
      throw FileError("write", path, library.reason(nil))
    }
    SoundFile.syncFolder(of: path)
    if format == .wav { command(SFC_RF64_AUTO_DOWNGRADE) }
    // Samples beyond full scale are clipped instead of wrapped.
    command(SFC_SET_CLIPPING)
  }

  deinit { if let file { _ = library.close(file) } }

  /// Appends frames. Throws if the disk is full; then nothing more can be written, and `finish` keeps the frames
  /// before.
  func write(_ frames: UnsafeBufferPointer<SIMD2<Float>>) throws(FileError) {
    guard let file, let base = frames.baseAddress else { return }
    let written = base.withMemoryRebound(to: Float.self, capacity: 2 * frames.count) {
      library.write(file, $0, Int64(frames.count))
    }
    self.frames += max(0, Int(written))
    if written != frames.count {
      isBroken = true
      throw FileError("write", path, library.reason(file))
    }
  }

  /// Writes the frames so far to the disk, except for an incomplete FLAC block of up to 4,096 frames. Throws if the
  /// disk fails, or the file was moved or removed.
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

  /// Ends the file, gives it its name and returns its number of frames. After a failed write the file keeps the frames
  /// before, and is deleted if there are none. Throws if the end could not be written, or the file was moved or
  /// removed.
  func finish() throws(FileError) -> Int {
    guard let file else { return 0 }
    var failure: FileError?
    if !isBroken {
      do throws(FileError) { try sync() } catch { failure = error }
    }
    self.file = nil
    if library.close(file) != 0 { isBroken = true }
    if let failure, !isBroken { throw failure }
    if isBroken { return try SoundFile.repair(path)?.frames ?? 0 }
    try SoundFile.name(path + Self.unfinished, path)
    return frames
  }

  private func command(_ code: Int, _ value: Int32 = 1) {
    if let file { _ = library.command(file, Int32(code), nil, value) }
  }
}

/// libsndfile, loaded on first use: the library and its dependencies would double the time of a start.
struct SndfileLibrary: @unchecked Sendable {
  typealias Open = @convention(c) (Int32, Int32, UnsafeMutablePointer<SF_INFO>?, Int32) -> OpaquePointer?
  typealias Close = @convention(c) (OpaquePointer?) -> Int32
  typealias Write = @convention(c) (OpaquePointer?, UnsafePointer<Float>?, Int64) -> Int64
  typealias Command = @convention(c) (OpaquePointer?, Int32, UnsafeMutableRawPointer?, Int32) -> Int32
  typealias Reason = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?

  let open: Open
  let close: Close
  let write: Write
  let command: Command
  private let explain: Reason

  /// The library, for writing `path`. It stays loaded. Throws if it is not installed.
  static func opened(for path: String) throws(FileError) -> SndfileLibrary {
    guard let library = loaded else {
      throw FileError("write", path, "libsndfile is missing; install the package libsndfile1")
    }
    return library
  }

  private static let loaded: SndfileLibrary? = {
    guard let handle = dlopen("libsndfile.so.1", RTLD_NOW) else { return nil }
    func function<Function>(_ name: String, _: Function.Type) -> Function? {
      dlsym(handle, name).map { unsafeBitCast($0, to: Function.self) }
    }
    guard let open = function("sf_open_fd", Open.self), let close = function("sf_close", Close.self),
      let write = function("sf_writef_float", Write.self),
      let command = function("sf_command", Command.self), let explain = function("sf_strerror", Reason.self)
    else { return nil }
    return SndfileLibrary(
      open: open, close: close, write: write, command: command, explain: explain)
  }()

  /// The reason of the last error of a file, or of opening one.
  func reason(_ file: OpaquePointer?) -> String {
    explain(file).map { String(cString: $0) } ?? "the reason is not known"
  }
}
