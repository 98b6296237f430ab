import CSndfile
import Glibc
import System

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
