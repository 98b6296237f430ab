import Scenes
import Synth
import System

/// The folder of WAV files, from which wavetables are chosen by their names without `.wav`. A file is read when a
/// sound first needs it, and again if a sound needs it after its table was freed. Any thread.
public struct WavetableFolder: Sendable {
  /// The path; nil without a folder, when only factory tables can be chosen.
  public let path: String?

  public init(_ path: String?) { self.path = path }

  /// The largest file that is read, bytes: 256 frames of 4,096 samples in stereo.
  public static let mostBytes = 8 << 20
  private static let ending = ".wav"

  /// The names of the tables, sorted.
  public var names: [String] {
    let files = path.flatMap { fileNames(in: $0) } ?? []
    return files.filter { $0.count > Self.ending.count && $0.lowercased().hasSuffix(Self.ending) }
      .map { String($0.dropLast(Self.ending.count)) }.filter { FileName.isValid($0) }
  }

  /// The table with a name, in any case. Throws if its file is missing or cannot be read.
  public func table(named name: String) throws(WavetableError) -> WaveSpectrum {
    let names = names
    guard let path,
      let found = names.first(where: { $0 == name })
        ?? names.first(where: { $0.lowercased() == name.lowercased() })
    else { throw WavetableError(file: name, "there is no such wavetable") }
    let files = fileNames(in: path) ?? []
    let file = files.first {
      $0.dropLast(Self.ending.count) == found && $0.lowercased().hasSuffix(Self.ending)
    }
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try readFile(path + "/" + (file ?? found), limit: Self.mostBytes, waits: false)
    } catch {
      throw WavetableError(file: found, error.reason)
    }
    do throws(WavetableError) { return try WavetableFile.read(bytes) } catch { throw error.naming(found) }
  }
}

/// The names of a folder's tables, kept until the folder changes, because each choice of a table asks for them on the
/// control thread. Single thread.
public struct WavetableNames {
  private let folder: WavetableFolder
  private var names: [String] = []
  private var changed: Int64?

  public init(_ folder: WavetableFolder) { self.folder = folder }

  /// The names of the tables that the folder has now, sorted.
  public mutating func current() -> [String] {
    let now = folder.path.flatMap { folderChange($0) }
    if now == nil || now != changed { names = folder.names }
    // Another change within the same tick of the kernel's clock would have the same time.
    changed = now.flatMap { $0 / 1_000_000_000 < wallTime() - 1 ? $0 : nil }
    return names
  }
}

/// The reason why a file or a name gives no wavetable.
public struct WavetableError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The name of the file without its folder; empty for errors about no file.
  public let file: String
  /// The problem, a sentence without a full stop.
  public let problem: String

  init(file: String = "", _ problem: String) { (self.file, self.problem) = (file, problem) }

  /// For example `pad.wav: is cut off`.
  public var description: String { file.isEmpty ? problem : "\(file): \(problem)" }

  /// The error with the name of its file.
  func naming(_ file: String) -> WavetableError { WavetableError(file: file, problem) }
}
