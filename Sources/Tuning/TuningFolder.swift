import Glibc
import Scenes
import System

/// The folder of Scala files, from which tunings are chosen by name. It is read each time, so that a changed file takes
/// effect when it is chosen again. Any thread.
public struct TuningFolder: Sendable {
  /// The path; nil without a folder, when only `equal` can be chosen.
  public let path: String?

  public init(_ path: String?) { self.path = path }

  /// The names of the scales: `equal`, then the `.scl` files in order.
  public var scales: [String] { [TuningChoice.equal] + names(".scl").filter { $0 != TuningChoice.equal } }

  /// The names of the mappings: `auto`, then the `.kbm` files in order.
  public var maps: [String] { [TuningChoice.auto] + names(".kbm").filter { $0 != TuningChoice.auto } }

  private func names(_ ending: String) -> [String] {
    let files = path.flatMap { fileNames(in: $0) } ?? []
    return files.filter { $0.count > ending.count && $0.lowercased().hasSuffix(ending) }
      .map { String($0.dropLast(ending.count)) }.filter { TuningChoice.isName($0) }
  }

  /// The pitches of a choice; nil for equal temperament. Throws if a file is missing or cannot be read.
  public func tuning(of choice: TuningChoice) throws(TuningError) -> KeyTuning? {
    let isEqual = choice.scale == TuningChoice.equal
    let named = choice.map == TuningChoice.auto ? choice.scale : choice.map
    // For `auto`, a mapping with the scale's name is optional.
    let mapFile = isEqual && choice.map == TuningChoice.auto ? nil : file(named, ".kbm")
    if mapFile == nil, choice.map != TuningChoice.auto { throw missing(choice.map + ".kbm") }
    var scale = Scale.equal
    if !isEqual {
      guard let file = file(choice.scale, ".scl") else { throw missing(choice.scale + ".scl") }
      scale = try TuningFolder.scale(file)
    } else if mapFile == nil {
      return nil
    }
    return try TuningFolder.tuning(scale, mapFile)
  }

  /// The tuning of an `.scl` file, with a `.kbm` file of the same name beside it if there is one; or that of a `.kbm`
  /// file with the equal scale.
  public static func tuning(file path: String) throws(TuningError) -> KeyTuning {
    let lower = path.lowercased()
    if lower.hasSuffix(".kbm") { return try tuning(.equal, path) }
    guard lower.hasSuffix(".scl") else {
      throw TuningError(file: name(path), "is no .scl file and no .kbm file")
    }
    let scale = try scale(path)
    let map = [".kbm", ".KBM"].map { String(path.dropLast(4)) + $0 }.first { access($0, F_OK) == 0 }
    return try tuning(scale, map)
  }

  // MARK: - Files

  /// The path of a file by its name without extension; nil if it is missing.
  private func file(_ name: String, _ ending: String) -> String? {
    guard let path, TuningChoice.isName(name) else { return nil }
    let files = fileNames(in: path) ?? []
    return files.first { $0 == name + ending }.map { path + "/" + $0 }
      ?? files.first { $0.dropLast(ending.count) == name && $0.lowercased().hasSuffix(ending) }
      .map { path + "/" + $0 }
  }

  private func missing(_ file: String) -> TuningError {
    TuningError(file: file, "there is no such file in \(path ?? "the state folder, as there is none")")
  }

  private static func scale(_ path: String) throws(TuningError) -> Scale {
    let bytes = try read(path)
    do throws(TuningError) { return try Scale(bytes) } catch { throw error.naming(name(path)) }
  }

  private static func tuning(_ scale: Scale, _ mapPath: String?) throws(TuningError) -> KeyTuning {
    guard let mapPath else { return KeyTuning(octaves: try KeyMap.linear.octaves(of: scale)) }
    let bytes = try read(mapPath)
    do throws(TuningError) {
      return KeyTuning(octaves: try KeyMap(bytes).octaves(of: scale))
    } catch {
      throw error.naming(name(mapPath))
    }
  }

  private static func read(_ path: String) throws(TuningError) -> [UInt8] {
    do throws(FileError) {
      return try readFile(path, limit: TuningFolder.mostBytes, waits: false)
    } catch {
      throw TuningError(file: name(path), error.reason)
    }
  }

  /// The largest file that is read, bytes.
  static let mostBytes = 262_144

  private static func name(_ path: String) -> String {
    String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
  }
}

/// The tuning chosen for a part: the names of a scale and a mapping, without file extensions.
public struct TuningChoice: Hashable, Sendable {
  /// The scale: the name of an `.scl` file, or `equal`.
  public var scale: String
  /// The mapping: the name of a `.kbm` file, or `auto` for the one with the scale's name, or else one degree per key
  /// from middle C.
  public var map: String

  /// A choice, by default equal temperament.
  public init(scale: String = equal, map: String = auto) { (self.scale, self.map) = (scale, map) }

  /// The name of the scale of twelve equal steps.
  public static let equal = "equal"
  /// The name of the mapping that goes with the scale.
  public static let auto = "auto"

  /// Whether a name can be stored in a line of a session.
  public static func isName(_ name: some StringProtocol) -> Bool {
    !name.isEmpty && name.utf8.count <= 255 && name.first != " " && name.last != " "
      && !name.unicodeScalars.contains { $0.value < 32 || $0.value == 127 || $0 == "\u{FFFD}" || $0 == "/" }
  }
}

// Scales and mappings by names that users type.

extension TuningFolder {
  /// Finds a scale: the one of exactly this name, else of this name in any case, else the only one whose name begins
  /// so. Throws with suggestions if there is none or more than one.
  public func scale(named written: String) throws(TuningError) -> String {
    try TuningFolder.find(written, among: scales, as: "tuning")
  }

  /// Finds a mapping by its name or the beginning of its name, as `scale(named:)` does.
  public func map(named written: String) throws(TuningError) -> String {
    try TuningFolder.find(written, among: maps, as: "mapping")
  }

  static func find(_ written: String, among names: [String], as kind: String) throws(TuningError) -> String {
    if names.contains(written) { return written }
    let key = written.lowercased()
    if let same = names.first(where: { $0.lowercased() == key }) { return same }
    let found = key.isEmpty ? [] : names.filter { $0.lowercased().hasPrefix(key) }
    if found.count == 1 { return found[0] }
    let shown = quoted(written)
    if found.isEmpty {
      let near = key.utf8.count > 255 ? nil : nearest(to: key, among: names)
      throw TuningError(
        "finds no \(kind) named \(shown)" + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
    }
    let listed = found.prefix(namesListed).map { "\"\($0)\"" }.joined(separator: ", ")
    let more = found.count - namesListed
    throw TuningError("\(shown) may be \(listed)" + (more > 0 ? " and \(more) more" : ""))
  }

  /// The most names in an error.
  private static let namesListed = 6
}

/// The reason why a file or a name gives no tuning.
public struct TuningError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The name of the file without its folder; empty for errors about no file.
  public let file: String
  /// The line, from 1; nil for errors about no single line.
  public let line: Int?
  /// The problem and the expected input, a sentence without a full stop.
  public let problem: String

  init(file: String = "", line: Int? = nil, _ problem: String) {
    (self.file, self.line, self.problem) = (file, line, problem)
  }

  /// For example `meantone.scl, line 7: "3:2" is no pitch; …`.
  public var description: String {
    let location = [file.isEmpty ? nil : file, line.map { "line \($0)" }].compactMap { $0 }.joined(
      separator: ", ")
    return location.isEmpty ? problem : "\(location): \(problem)"
  }

  /// The error with the name of its file.
  func naming(_ file: String) -> TuningError { TuningError(file: file, line: line, problem) }
}
