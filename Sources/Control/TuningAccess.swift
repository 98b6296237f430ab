import Synth
import Tuning

// The tunings of the parts: they are the player's set-up, not the sound's, so that a recall leaves them.

extension Control {
  /// All parts, for what is chosen for them together.
  public static let everyPart = Array(0..<Limits.parts)

  /// The scales that can be chosen, `equal` first.
  public var tuningNames: [String] { tuningFolder.scales }
  /// The mappings of the keys that can be chosen, `auto` first.
  public var keyMapNames: [String] { tuningFolder.maps }

  /// The scale that some parts play; `various` when they play several.
  public func tuning(of parts: [Int]) -> String { shared(parts.map { tunings[$0].scale }) }
  /// The mapping of the keys that some parts have; `various` when they have several.
  public func keyMap(of parts: [Int]) -> String { shared(parts.map { tunings[$0].map }) }

  private func shared(_ names: [String]) -> String {
    names.allSatisfy { $0 == names.first } ? names.first ?? "" : "various"
  }

  /// Gives parts the scale that a person means by a name. Its file is read, be it again. Throws when there is none or it
  /// cannot be read; then all parts stay as they were.
  public func tune(_ parts: [Int], toScale written: String) throws(TuningError) {
    let name = try tuningFolder.scale(named: written)
    try choose(parts) { $0.scale = name }
  }

  /// Gives parts the mapping of the keys that a person means by a name, in the same way.
  public func tune(_ parts: [Int], toMap written: String) throws(TuningError) {
    let name = try tuningFolder.map(named: written)
    try choose(parts) { $0.map = name }
  }

  /// Gives parts the next scale or the one before; from the last to the first and back. Those that cannot be read are
  /// passed over, and said.
  public func stepTuning(_ parts: [Int], forward: Bool) {
    let names = tuningNames
    let place = parts.first.flatMap { names.firstIndex(of: tunings[$0].scale) } ?? 0
    for step in 1...names.count {
      let next = (place + (forward ? step : names.count - step)) % names.count
      do throws(TuningError) { return try choose(parts) { $0.scale = names[next] } } catch {}
    }
  }

  private func choose(_ parts: [Int], _ change: (inout TuningChoice) -> Void) throws(TuningError) {
    var wanted = parts.map { tunings[$0] }
    for index in wanted.indices { change(&wanted[index]) }
    var read: [TuningChoice: KeyTuning?] = [:]
    do throws(TuningError) {
      for choice in wanted where read[choice] == nil {
        read[choice] = .some(try tuningFolder.tuning(of: choice))
      }
    } catch {
      notify("\(error)", about: .tuning)
      throw error
    }
    for (part, choice) in zip(parts, wanted) {
      stage.tune(part, read[choice] ?? nil)
      tunings.choices[part] = choice
      tunings.lost.remove(part)
    }
    clearNotice(about: .tuning)
    tellLostTunings([])
    changed(.tuning)
  }

  // MARK: - The session

  /// Takes over the tunings of a session. A part whose files are gone plays in equal temperament.
  func restoreTunings(_ choices: [TuningChoice]) {
    var problems: [TuningError] = []
    for (part, choice) in choices.prefix(Limits.parts).enumerated() {
      tunings.choices[part] = choice
      tunings.lost.remove(part)
      do throws(TuningError) {
        stage.tune(part, try tuningFolder.tuning(of: choice))
      } catch {
        stage.tune(part, nil)
        tunings.lost.insert(part)
        if !problems.contains(error) { problems.append(error) }
      }
    }
    tellLostTunings(problems)
    changed(.tuning)
  }

  private func tellLostTunings(_ problems: [TuningError]) {
    if tunings.lost.isEmpty { return clearNotice(about: .lostTuning) }
    guard let first = problems.first else { return }
    let parts = tunings.lost.sorted().map { "\($0 + 1)" }.joined(separator: ", ")
    let who = tunings.lost.count == 1 ? "part \(parts) plays" : "parts \(parts) play"
    let said = problems.map { "\($0)" }.joined(separator: "; ")
    notify(
      "no tuning: \(first)", about: .lostTuning, .problem,
      log: "\(said); \(who) in equal temperament until a tuning is chosen")
  }
}
