import Control
import Presets
import Synth

extension Control {
  /// Does what a command under `/preset` says to a part.
  func preset(
    _ verb: Command.Verb, _ number: Int?, _ argument: Argument?, part: Int
  ) -> Result<[Message], Refusal> {
    do throws(LibraryError) {
      switch verb {
      case .save:
        if case .string(let name)? = argument {
          guard Preset.name(name) != nil else { return .failure(Refusal("takes a name that can be read")) }
          try save(part: part, name: name)
        } else {
          try save(part: part)
        }
      case .load, .program: return load(verb, argument, part: part)
      case .slot:
        // A button without a preset does nothing.
        if let preset = slot(button: number ?? 0).flatMap({ library[$0] }) { recall(preset, part: part) }
      case .nextPage: turnPage(forward: true)
      case .previousPage: turnPage(forward: false)
      case .next: step(forward: true, part: part)
      case .previous: step(forward: false, part: part)
      case .undo: try undo(part: part)
      case .list:
        let presets = library.presets
        let names = presets.enumerated().map { Message("/preset/list/\($0)", .string($1.name)) }
        return .success([Message("/preset/list", .int(presets.count))] + names)
      default: return .failure(Refusal("is sent, never taken"))
      }
      return .success([])
    } catch {
      return .failure(Refusal(error.description))
    }
  }

  private func load(_ verb: Command.Verb, _ argument: Argument?, part: Int) -> Result<[Message], Refusal> {
    let found: Preset?
    switch (verb, argument) {
    case (.load, .string(let name)?):
      found = library.named(name)
      if found == nil {
        return .failure(Refusal("knows no preset named \"\(name.prefix(Limits.nameBytes))\""))
      }
    case (.load, .number(let number)?):
      let presets = library.presets
      guard number >= 0, number < Double(presets.count) else {
        return .failure(Refusal("takes a name or a number below \(presets.count)"))
      }
      found = presets[Int(number)]
    case (.program, .number(let number)?):
      guard let program = Int(exactly: number.rounded()),
        let bank = slot(part: part)?.bank ?? library.next(after: nil)?.slot?.bank,
        let slot = Slot(bank: bank, program: program)
      else { return .failure(Refusal("takes a program, 0…127")) }
      found = library[slot]
      if found == nil { return .failure(Refusal("finds no program \(program) in bank \(bank)")) }
    default:
      return .failure(Refusal(verb == .load ? "takes a name or a number" : "takes a program, 0…127"))
    }
    if let found { recall(found, part: part) }
    return .success([])
  }
}
