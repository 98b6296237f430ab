import Glibc

/// The files of one kind in a folder, with a trash in the folder `.trash` below it: lists, finds, renames, removes and
/// restores them. Its methods wait for the disk. Any thread; one at a time.
public struct FileShelf: Sendable {
  /// The folder.
  public let folder: String
  /// The endings of its files, in lower case with a dot.
  public let endings: [String]
  /// The kind of file in a sentence, as `song`.
  public let kind: String

  /// A file.
  public struct Entry: Sendable, Equatable {
    /// The name with its ending.
    public let name: String
    /// The size in bytes.
    public let bytes: Int
    /// When its contents last changed, seconds since 1970.
    public let modified: Int
  }

  /// The reason why a file operation failed: a sentence without its subject.
  public struct Failure: Error, CustomStringConvertible, Sendable {
    /// The reason.
    public let description: String
    /// A failure with its reason.
    public init(_ reason: String) { description = reason }
  }

  /// The shelf of a folder, which need not exist.
  public init(_ folder: String, endings: [String], kind: String) {
    (self.folder, self.endings, self.kind) = (folder, endings, kind)
  }

  private var trashFolder: String { folder + "/.trash" }

  /// The files in the order of their names. Empty if there is no folder.
  public var entries: [Entry] { entries(in: folder) }

  /// The removed files in the order of their names.
  public var trash: [Entry] { entries(in: trashFolder) }

  private func entries(in folder: String) -> [Entry] {
    (fileNames(in: folder) ?? []).compactMap { name in
      var status = stat()
      guard ending(of: name) != nil, stat(folder + "/" + name, &status) == 0,
        status.st_mode & S_IFMT == S_IFREG
      else { return nil }
      return Entry(name: name, bytes: Int(status.st_size), modified: status.st_mtim.tv_sec)
    }
  }

  /// The path of a file.
  public func path(_ entry: Entry) -> String { folder + "/" + entry.name }

  /// The ending of a name as it is written; nil for a file of another kind.
  public func ending(of name: String) -> Substring? {
    let lower = name.lowercased()
    return endings.first { lower.hasSuffix($0) && lower.count > $0.count }.map { name.suffix($0.count) }
  }

  /// The file with a name, given with or without its ending, or else the only file whose name begins with the words.
  public func find(_ words: String) throws(Failure) -> Entry { try find(words, in: entries) }

  private func find(_ words: String, in entries: [Entry]) throws(Failure) -> Entry {
    func bare(_ entry: Entry) -> Substring { entry.name.dropLast(ending(of: entry.name)?.count ?? 0) }
    if let entry = entries.first(where: { $0.name == words }) ?? entries.first(where: { bare($0) == words }) {
      return entry
    }
    let found = entries.filter { !words.isEmpty && $0.name.lowercased().hasPrefix(words.lowercased()) }
    if found.count == 1 { return found[0] }
    if found.isEmpty { throw Failure("no \(kind) is named \(quoted(words))") }
    throw Failure("\(quoted(words)) may be \(found.prefix(6).map { $0.name }.joined(separator: ", "))")
  }

  // MARK: - Changes

  /// Renames a file; a name without an ending keeps the file's own. Returns the new name. Throws if the name is taken.
  public func rename(_ words: String, to wish: String) throws(Failure) -> String {
    let entry = try find(words)
    let name = try self.name(wish, ending: ending(of: entry.name) ?? "")
    if name == entry.name { return name }
    try move(folder + "/" + entry.name, to: folder + "/" + name)
    return name
  }

  /// Moves a file to the trash. Returns its name.
  public func remove(_ words: String) throws(Failure) -> String {
    let entry = try find(words)
    try throwAway(entry.name)
    return entry.name
  }

  /// Moves a file to the trash.
  public func remove(_ entry: Entry) throws(Failure) { try throwAway(entry.name) }

  /// Restores a file from the trash. Returns its name. Throws if another file has its name.
  public func restore(_ words: String) throws(Failure) -> String {
    let entry = try find(words, in: trash)
    try move(trashFolder + "/" + entry.name, to: folder + "/" + entry.name)
    return entry.name
  }

  /// Deletes the removed files for ever. Returns their number.
  public func emptyTrash() throws(Failure) -> Int {
    let entries = trash
    for entry in entries where unlink(trashFolder + "/" + entry.name) != 0 && errno != ENOENT {
      throw failure("delete", entry.name)
    }
    return entries.count
  }

  /// Saves a new file, complete on the disk on return; a name without an ending gets the first one. A file of that name
  /// is moved to the trash if its contents differ. Returns the name.
  public func save(_ wish: String, _ bytes: [UInt8]) throws(Failure) -> String {
    let name = try self.name(wish, ending: endings.first.map { $0[...] } ?? "")
    try makeFolder(folder)
    do throws(FileError) {
      if (try? readFile(folder + "/" + name, limit: bytes.count)) == bytes { return name }
      let file = try NewFile(folder + "/" + name)
      try file.write(bytes)
      // The old file has its name until the new one takes it.
      if access(folder + "/" + name, F_OK) == 0 {
        do throws(Failure) { try throwAway(name, keepsName: true) } catch {
          throw FileError("replace", name, error.description)
        }
      }
      try file.finish()
    } catch {
      throw Failure(error.reasonFirst)
    }
    try sync(folder)
    return name
  }

  /// A wished name with an ending, and without spaces at its ends. Throws for a name that is not a safe file name.
  public func name(_ wish: String, ending: Substring) throws(Failure) -> String {
    func bare(_ text: Substring) -> Substring {
      var text = text.drop(while: \.isWhitespace)
      while text.last?.isWhitespace == true { text.removeLast() }
      return text
    }
    let wish = bare(wish[...])
    let own = self.ending(of: String(wish))
    let name = bare(wish.dropLast(own?.count ?? 0))
    if name.isEmpty { throw Failure("takes a name") }
    let file = String(name + (own ?? ending))
    if let problem = FileName.problem(file) { throw Failure("takes a name" + problem) }
    return file
  }

  /// Moves a file to the trash.
  /// - Parameter keepsName: Whether it stays in the folder too, where a file can have two names.
  private func throwAway(_ name: String, keepsName: Bool = false) throws(Failure) {
    try makeFolder(trashFolder)
    let end = ending(of: name) ?? ""
    var (free, number) = (name, 1)
    while access(trashFolder + "/" + free, F_OK) == 0 {
      number += 1
      free = name.dropLast(end.count) + " (\(number))" + end
    }
    let target = trashFolder + "/" + free
    if !keepsName || link(folder + "/" + name, target) != 0 { try move(folder + "/" + name, to: target) }
  }

  private func move(_ path: String, to target: String) throws(Failure) {
    let name = target.split(separator: "/").last.map(String.init) ?? target
    if access(target, F_OK) == 0 { throw Failure("there is a \(kind) named \(quoted(name)) already") }
    if Glibc.rename(path, target) != 0 { throw failure("rename", name) }
    try sync(folder)
  }

  private func failure(_ action: String, _ name: String) -> Failure {
    Failure(FileError(action, folder + "/" + name).reasonFirst)
  }

  /// Makes a folder, if there is none; its name is then on the disk.
  private func makeFolder(_ path: String) throws(Failure) {
    guard mkdir(path, 0o755) == 0, let end = path.lastIndex(of: "/") else { return }
    try sync(end == path.startIndex ? "/" : String(path[..<end]))
  }

  /// Writes the names in a folder to the disk. Throws if it fails: a file is not called saved then. Some file systems of
  /// a network cannot do it for a folder.
  private func sync(_ folder: String) throws(Failure) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    if descriptor < 0 || fsync(descriptor) != 0 && errno != EINVAL {
      throw Failure(FileError("write", folder).reasonFirst)
    }
  }
}
