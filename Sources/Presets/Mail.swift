// What the writer's thread says, heard on the thread of control.

extension Library {
  /// Readable, for `poll`, when `reports()` has something to tell; nil when nothing is written.
  public var descriptor: Int32? { writer?.mail.descriptor }

  /// What happened since the last call.
  public func reports() -> [Report] {
    for letter in writer?.letters() ?? [] { receive(letter) }
    defer { reportsToCome = [] }
    return reportsToCome
  }

  /// Writes what is left, for at most `seconds`. False when something could not be written.
  public func stop(within seconds: Double) -> Bool {
    guard let writer else { return true }
    writer.finish()
    let end = now() + seconds
    while writer.isFinished == nil && now() < end {
      writer.mail.wait(seconds: end - now())
      for letter in writer.letters() { receive(letter) }
    }
    return writer.isFinished ?? false
  }

  func receive(_ letter: Letter) {
    switch letter {
    case .durable(let slots): reportsToCome.append(.durable(slots))
    case .failed(let error, let waiting): reportsToCome.append(.failed(error, waiting: waiting))
    case .opened(let contents, let damaged, let readOnly):
      if let damaged { reportsToCome.append(.note(Library.aside(damaged, contents.shelves.count))) }
      if readOnly { reportsToCome.append(.note("the presets can be read only; what is saved will not be kept")) }
      adopt(contents)
      if hasFolder && contents.factory != allFactory { writer?.put([:], factory: allFactory) }
      writer?.begin()
    case .renewed(let damaged):
      let what = damaged.map { Library.aside($0, shelves.count) } ?? "the preset database was gone; it is written anew"
      reportsToCome.append(.note(what))
      writer?.put(shelves, factory: allFactory)
      if let session { writer?.put(session) }
    }
  }

  private static func aside(_ path: String, _ count: Int) -> String {
    "the preset database was damaged; it lies in \(path) now, and \(count) presets of the player's are kept"
  }
}
