import Scenes
import Tuning

/// The tunings of the parts. They belong to the player's setup and not to the sound, so a recall does not change
/// them. Control thread.
public final class PartTunings: Feature {
  private let writer: SceneWriter
  private let notices: NoticeBoard
  let folder: TuningFolder
  private var tunings = ChosenTunings()
  // Tunings that were read ahead; nil for equal temperament.
  private var ready: [TuningChoice: KeyTuning?] = [:]

  /// All parts, to tune all of them at once.
  public static let everyPart = Array(0..<Limits.parts)

  init(_ writer: SceneWriter, _ folder: TuningFolder, _ notices: NoticeBoard) {
    (self.writer, self.folder, self.notices) = (writer, folder, notices)
  }

  /// The chosen scale and key map of each part, for the session.
  var choices: [TuningChoice] { tunings.choices }

  /// The names of the scales, `equal` first.
  public var scaleNames: [String] { folder.scales }
  /// The names of the key maps, `auto` first.
  public var keyMapNames: [String] { folder.maps }

  /// The scale of some parts; `various` if they differ.
  public func scale(of parts: [Int]) -> String { shared(parts.map { tunings[$0].scale }) }
  /// The key map of some parts; `various` if they differ.
  public func keyMap(of parts: [Int]) -> String { shared(parts.map { tunings[$0].map }) }

  private func shared(_ names: [String]) -> String {
    names.allSatisfy { $0 == names.first } ? names.first ?? "" : "various"
  }

  /// Gives parts the scale that a person means by a name, and reads its file again. Throws if the file does not exist
  /// or cannot be read; then all parts keep their tunings.
  public func tune(_ parts: [Int], toScale written: String) throws(TuningError) {
    let name = try folder.scale(named: written)
    try choose(parts) { $0.scale = name }
  }

  /// Gives parts the key map that a person means by a name, and reads its file again. Throws as `tune(_:toScale:)`
  /// does.
  public func tune(_ parts: [Int], toMap written: String) throws(TuningError) {
    let name = try folder.map(named: written)
    try choose(parts) { $0.map = name }
  }

  /// Gives parts the next or the previous scale; from the last to the first and back. A scale that cannot be read is
  /// skipped, with a notice.
  public func step(_ parts: [Int], forward: Bool) {
    let names = scaleNames
    let index = parts.first.flatMap { names.firstIndex(of: tunings[$0].scale) } ?? 0
    for step in 1...names.count {
      let next = (index + (forward ? step : names.count - step)) % names.count
      do throws(TuningError) { return try choose(parts) { $0.scale = names[next] } } catch {}
    }
  }

  private func choose(_ parts: [Int], _ change: (inout TuningChoice) -> Void) throws(TuningError) {
    var wanted = parts.map { tunings[$0] }
    for index in wanted.indices { change(&wanted[index]) }
    var read: [TuningChoice: KeyTuning?] = [:]
    do throws(TuningError) {
      for choice in wanted where read[choice] == nil {
        read[choice] = .some(try folder.tuning(of: choice))
      }
    } catch {
      notices.post("\(error)", about: .tuning)
      throw error
    }
    for (part, choice) in zip(parts, wanted) {
      writer.stage.tune(part, read[choice] ?? nil)
      tunings.choices[part] = choice
      tunings.lost.remove(part)
    }
    notices.clear(about: .tuning)
    tellLostTunings([])
    writer.changed(.tuning)
  }

  // MARK: - The session

  /// Restores the tunings of a session. Parts whose files cannot be read play in equal temperament.
  func restore(_ choices: [TuningChoice]) {
    var problems: [TuningError] = []
    for (part, choice) in choices.prefix(Limits.parts).enumerated() {
      tunings.choices[part] = choice
      tunings.lost.remove(part)
      do throws(TuningError) {
        writer.stage.tune(part, try folder.tuning(of: choice))
      } catch {
        writer.stage.tune(part, nil)
        tunings.lost.insert(part)
        if !problems.contains(error) { problems.append(error) }
      }
    }
    tellLostTunings(problems)
    writer.changed(.tuning)
  }

  // MARK: - Setups

  /// Reads the files of tunings ahead, so that a recall needs no disk, and forgets all that were read ahead before.
  func prepare(_ choices: Set<TuningChoice>) {
    adopt(PartTunings.read(unread(choices), in: folder), of: choices)
  }

  /// Those of some tunings that have files and were not read ahead.
  func unread(_ choices: Set<TuningChoice>) -> [TuningChoice] {
    choices.filter { ready[$0] == nil && $0 != TuningChoice() }.map { $0 }
  }

  /// Reads the files of tunings. A file that cannot be read is left out: it is tried again, and named, when it is
  /// needed. Any thread.
  static func read(_ choices: [TuningChoice], in folder: TuningFolder) -> [TuningChoice: KeyTuning?] {
    var read: [TuningChoice: KeyTuning?] = [:]
    for choice in choices { if let tuning = try? folder.tuning(of: choice) { read[choice] = .some(tuning) } }
    return read
  }

  /// Keeps tunings that were read ahead, and forgets all but those of `choices`.
  func adopt(_ read: [TuningChoice: KeyTuning?], of choices: Set<TuningChoice>) {
    ready = ready.merging(read) { _, new in new }.filter { choices.contains($0.key) }
  }

  /// Gives parts the tunings of a setup; nil for a part that keeps its own. A part that has its tuning already is not
  /// changed. Parts whose files cannot be read play in equal temperament. Returns the problems.
  func recall(_ choices: [TuningChoice?]) -> [TuningError] {
    var problems: [TuningError] = []
    var hasChanged = false
    for (part, choice) in choices.enumerated() {
      guard let choice, choice != tunings.choices[part] || tunings.lost.contains(part) else { continue }
      hasChanged = true
      tunings.choices[part] = choice
      tunings.lost.remove(part)
      do throws(TuningError) {
        writer.stage.tune(part, try tuning(of: choice))
      } catch {
        writer.stage.tune(part, nil)
        tunings.lost.insert(part)
        if !problems.contains(error) { problems.append(error) }
      }
    }
    if tunings.lost.isEmpty { notices.clear(about: .lostTuning) }
    if hasChanged { writer.changed(.tuning) }
    return problems
  }

  private func tuning(of choice: TuningChoice) throws(TuningError) -> KeyTuning? {
    if let tuning = ready[choice] { return tuning }
    return try folder.tuning(of: choice)
  }

  private func tellLostTunings(_ problems: [TuningError]) {
    if tunings.lost.isEmpty { return notices.clear(about: .lostTuning) }
    guard let first = problems.first else { return }
    let parts = tunings.lost.sorted().map { "\($0 + 1)" }.joined(separator: ", ")
    let who = tunings.lost.count == 1 ? "part \(parts) plays" : "parts \(parts) play"
    let said = problems.map { "\($0)" }.joined(separator: "; ")
    notices.post(
      "no tuning: \(first)", about: .lostTuning, .problem,
      log: "\(said); \(who) in equal temperament until a tuning is chosen")
  }
}

/// The chosen tunings of the parts, and the parts whose files cannot be read.
struct ChosenTunings {
  var choices = Array(repeating: TuningChoice(), count: Limits.parts)
  /// Parts whose files could not be read when the session was restored. They play in equal temperament; their choices
  /// are still saved, in case the files return.
  var lost: Set<Int> = []

  /// The tuning that a part plays.
  subscript(part: Int) -> TuningChoice { lost.contains(part) ? TuningChoice() : choices[part] }
}
