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
      if let damaged {
        reportsToCome.append(
          .note(
            "the preset database was damaged and lies in \(damaged) now; what could be read of it is kept"))
      } else if isOpen && contents.shelves.isEmpty && !shelves.isEmpty {
        reportsToCome.append(.note("the preset database was gone; it is written anew from memory"))
      }
      if readOnly && !isReadOnly {
        reportsToCome.append(.note("the preset database can be read only; what is saved stays in memory"))
      }
      if !isOpen && session == nil { session = contents.session.flatMap { read(session: $0) } }
      adopt(contents)
      if hasFolder && contents.factory != allFactory { writer?.put([:], factory: allFactory) }
      if isOpen, let session { writer?.put(session) }
      if let clients { writer?.put(clients: clients) } else { clients = contents.clients ?? "" }
      (isOpen, isReadOnly) = (true, readOnly)
      writer?.begin()
    }
  }
}
