import Presets
import Storage
import System

/// Imports of presets, one after the other: a worker reads and checks a piece of a file, and each round of the loop
/// stores a few of its presets, so that nobody waits for a long file. An import is one step of the history of the part
/// in focus, and is written to the disk as a whole. Control thread.
public final class PresetImports: Feature {
  private let presets: PartPresets
  /// Reads the files; without it, an import is done at once.
  var worker: Worker?
  // The imports that are not done. The first is being worked on.
  private var jobs: [Job] = []
  // Whether the worker reads the first file, or a piece of it.
  private var isReading = false

  private struct Job {
    let file: FileContents
    let name: String
    let then: (Result<[ImportedPreset], RequestRefused>) -> Void
    /// Reads the rest of the file; nil before the import.
    var reader: BundleReader?
    /// The presets of a piece, of which those before `next` are stored.
    var checked: [CheckedPreset] = []
    var next = 0
    var imported: [ImportedPreset] = []
    /// The number of stored presets, the first of them, and their slots.
    var count = 0
    var first: ImportedPreset?
    var slots: Set<Slot> = []
    var changes: [DocumentChange] = []
  }

  /// The most presets that are stored in a round. Each takes some microseconds.
  private static let perRound = 16

  init(_ presets: PartPresets) { self.presets = presets }

  private var library: Library { presets.library }

  /// Imports the presets of a file, and calls `then` on the control thread when all are in memory: with the outcome of
  /// each, or the reason why nothing was imported. They are on the disk when no save waits any more.
  /// - Parameters:
  ///   - name: The name of a text without one.
  ///   - file: The presets, one after the other, or a bank of amsynth. It is read on a worker thread, in pieces.
  public func start(
    name: String = "", _ file: FileContents,
    then: @escaping (Result<[ImportedPreset], RequestRefused>) -> Void
  ) {
    jobs.append(Job(file: file, name: name, then: then))
    if jobs.count == 1 { read() }
    while worker == nil, !jobs.isEmpty { _ = update(0) }
  }

  /// Completes the import that has begun to store presets, before the program ends.
  func finish() {
    (worker, isReading) = (nil, false)
    while jobs.first?.reader != nil { _ = update(0) }
  }

  func update(_ now: Int64) -> Int64? {
    if jobs.isEmpty || isReading { return nil }
    if jobs[0].next < jobs[0].checked.count { store() } else { readPiece() }
    return now
  }

  // MARK: - The first import

  private func read() {
    guard let job = jobs.first else { return }
    let (file, name) = (job.file, job.name)
    inBackground { () -> Result<BundleReader, RequestRefused> in
      do throws(FileError) {
        let reader = try BundleReader(file, name: name)
        return reader.map { .success($0) } ?? .failure(RequestRefused("is no UTF-8 text"))
      } catch {
        return .failure(RequestRefused("could not be read again: \(error)"))
      }
    } then: { (this, result: Result<BundleReader, RequestRefused>) in
      switch result {
      case .success(let reader):
        this.jobs[0].reader = reader
        this.library.documents.holdWrites()
      case .failure(let why): this.end(.failure(why))
      }
    }
  }

  private func readPiece() {
    guard let reader = jobs[0].reader else { return }
    inBackground {
      var reader = reader
      let checked = reader.next()
      return (reader, checked)
    } then: { (this, read: (BundleReader, [CheckedPreset]?)) in
      guard let checked = read.1 else { return this.complete() }
      (this.jobs[0].reader, this.jobs[0].checked, this.jobs[0].next) = (read.0, checked, 0)
    }
  }

  private func inBackground<Value: Sendable>(
    _ job: @escaping @Sendable () -> Value, then: @escaping (PresetImports, Value) -> Void
  ) {
    guard let worker else { return then(self, job()) }
    isReading = true
    worker.attempt(job) { [weak self] value in
      guard let self, isReading else { return }
      isReading = false
      then(self, value ?? job())
    }
  }

  private func store() {
    let range = jobs[0].next..<min(jobs[0].next + PresetImports.perRound, jobs[0].checked.count)
    jobs[0].next = range.upperBound
    let checked = jobs[0].checked[range]
    var imported: [ImportedPreset] = []
    let changes = library.recordingBundle { imported = checked.map(library.place) }
    jobs[0].changes += changes
    jobs[0].imported += imported
    for preset in imported {
      guard let slot = preset.slot else { continue }
      jobs[0].first = jobs[0].first ?? preset
      jobs[0].count += 1
      jobs[0].slots.insert(slot)
    }
  }

  private func complete() {
    let job = jobs[0]
    library.endImport()
    library.documents.releaseWrites()
    if let first = job.first {
      let part = presets.writer.focus
      let before = presets.beginStep(part)
      presets.readPresets(in: job.slots)
      let what = job.count == 1 ? "\"\(first.name)\"" : "\(job.count) presets"
      presets.endStep("import of \(what)", part, before, job.changes)
      presets.writer.changed(.page)
      let place = job.count == 1 ? ", \(first.slot?.label ?? "")" : ""
      presets.saving.post(what + place)
    }
    end(.success(job.imported))
  }

  private func end(_ result: Result<[ImportedPreset], RequestRefused>) {
    let job = jobs.removeFirst()
    job.then(result)
    read()
  }
}
