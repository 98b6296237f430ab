import Control
import System

// Songs and recordings as files: queries, which cause no feedback and are answered when the work on the disk is done.

extension Node {
  // swift-format-ignore
  static let backups: [Node] = [
    .lateQuery("/backup", [], "Prepares a backup of the whole box for /file/read: presets with versions and trash, session, devices, bindings, tunings, wavetables, songs, pads and configuration. Answers with its size in bytes, a name as /backup/name, and a sentence about each file that is left out as /backup/problem.", changes: true) { query, reply in
      let surface = query.surface
      query.instrument.backups.ask(.make) { result in
        reply(result.mapError { $0 as any Error }.map { answer in
          guard case .made(let name, let file, let problems) = answer else { return [] }
          surface.transfer.offer(file, name)
          return [OSCMessage("/backup", .int(file.count)), OSCMessage("/backup/name", .string(name))] + problems.map { OSCMessage("/backup/problem", .string($0)) }
        })
      }
    },
    .lateQuery("/restore", [], "Restores the backup whose pieces were sent by /file/write. It is checked as a whole before anything changes; presets before go to the trash or become earlier versions, and the state before is kept as a backup. Answers with sentences.", changes: true) { query, reply in
      try query.surface.transfer.takeUpload { sent in
        guard let file = file(sent, reply) else { return }
        query.instrument.backups.ask(.restore(file)) { result in
          reply(result.mapError { $0 as any Error }.map { answer in
            guard case .restored(let sentences) = answer else { return [] }
            return sentences.map { OSCMessage("/restore", .string($0)) }
          })
        }
      }
    },
  ]

  static let files: [Node] =
    folder("/songs", "song", takesFiles: true) { $0.songFiles }
    + folder("/recordings", "recording", takesFiles: false) { $0.recordingFiles }

  /// The file that was sent; nil if it could not be kept, which the reply then says.
  static func file(
    _ sent: Result<FileContents, any Error>, _ reply: (Result<[OSCMessage], any Error>) -> Void
  ) -> FileContents? {
    switch sent {
    case .success(let file): return file
    case .failure(let why):
      reply(.failure(why))
      return nil
    }
  }

  private typealias Keeper = @Sendable (Instrument) -> Inquiries<FileRequest, FileAnswer>

  private static let fields =
    "Fields separated by tabs: seconds (-1 if it cannot be read), bytes, seconds since 1970 of the last change, own or factory, name."

  // swift-format-ignore
  private static func folder(_ path: String, _ kind: String, takesFiles: Bool, _ keeper: @escaping Keeper) -> [Node] {
    let name = ArgumentType.string("a name or its beginning")
    func query(_ verb: String, _ arguments: [ArgumentType], _ about: String, changes: Bool = true, _ request: @escaping @Sendable ([String]) -> FileRequest) -> Node {
      .lateQuery(path + "/" + verb, arguments, about, changes: changes) { query, reply in
        keeper(query.instrument).ask(request(query.words)) { reply($0.mapError { $0 as any Error }.map { messages($0, path + "/" + verb) }) }
      }
    }
    let all = [
      query("list", [], "Answers with the number of \(kind)s, and each as \(path)/list/<n>, n from 0. \(fields)", changes: false) { _ in .list },
      query("trash", [], "Answers with the number of \(kind)s in the trash, and each as \(path)/trash/<n>, fields as in \(path)/list.", changes: false) { _ in .trash },
      query("rename", [name, .string("a name")], "Renames a \(kind). Answers with a sentence.") { .rename($0[0], to: $0[1]) },
      query("delete", [name], "Moves a \(kind) to the trash. Answers with a sentence.") { .delete($0[0]) },
      query("restore", [name], "Restores a \(kind) from the trash. Answers with a sentence.") { .restore($0[0]) },
      query("empty", [], "Deletes the \(kind)s in the trash for ever. Answers with a sentence.") { _ in .emptyTrash },
    ]
    if !takesFiles { return all }
    return all + [
      .lateQuery(path + "/import", [.string("a name")], "Saves the file whose pieces were sent by /file/write as a \(kind); one of that name is moved to the trash. Answers with a sentence.", changes: true) { query, reply in
        try query.surface.transfer.takeUpload { sent in
          guard let file = file(sent, reply) else { return }
          keeper(query.instrument).ask(.save(query.words[0], file)) { reply($0.mapError { $0 as any Error }.map { messages($0, path + "/import") }) }
        }
      },
      .lateQuery(path + "/export", [name], "Prepares a \(kind) for /file/read. Answers with its size in bytes, and its name as \(path)/export/name.", changes: true) { query, reply in
        let surface = query.surface
        keeper(query.instrument).ask(.read(query.words[0])) { result in
          if case .success(.contents(let name, let bytes)) = result { surface.transfer.offer(FileContents(bytes), name) }
          reply(result.mapError { $0 as any Error }.map { messages($0, path + "/export") })
        }
      },
    ]
  }

  private static func messages(_ answer: FileAnswer, _ address: String) -> [OSCMessage] {
    switch answer {
    case .files(let files):
      let lines = files.map { file in
        [
          "\(file.seconds ?? -1)", "\(file.bytes)", "\(file.modified)", file.isOwn ? "own" : "factory",
          file.name,
        ].tabbedLine
      }
      return [OSCMessage(address, .int(files.count))]
        + lines.enumerated().map { OSCMessage("\(address)/\($0)", .string($1)) }
    case .done(let sentence): return [OSCMessage(address, .string(sentence))]
    case .contents(let name, let bytes):
      return [OSCMessage(address, .int(bytes.count)), OSCMessage(address + "/name", .string(name))]
    // No node asks for an open file.
    case .opened(let name, _): return [OSCMessage(address, .string(name))]
    }
  }
}
