import Control
import Parameters
import Synth

// What parts take from the keyboards, as far as it is set by striking keys; the rest is knobs.

extension Node {
  // swift-format-ignore
  static let input: [Node] = [
    .trigger("/key/learn", .part, "Has the next two keys that are struck be the lowest and the highest that the part plays, in either order; a second press ends that, and so do ten seconds.") { $0.control.learnKeys(part: $0.part, now: $0.now) },
    .display("/key/learn/armed", .part, .int(0...1), "1 while keys are waited for.") { control, part, _ in .int(control.isLearningKeys(part: part) ? 1 : 0) },
    .display("/key/range", .part, .string(), "The keys that the part plays, as \"C-1 to B3\".") { control, part, _ in .string(control.keys(part: part)) },
    .trigger("/velocity/learn", .part, "Has the next two strokes be the softest and the hardest that the part plays, in the same way.") { $0.control.learnVelocities(part: $0.part, now: $0.now) },
    .display("/velocity/learn/armed", .part, .int(0...1), "1 while strokes are waited for.") { control, part, _ in .int(control.isLearningVelocities(part: part) ? 1 : 0) },
    .trigger("/split", .instrument, "Has the next key that is struck be the lowest of part 2, and part 1 play those below, both on the keyboard of part 1; a second press ends that, and so do ten seconds.") { $0.control.learnSplit(now: $0.now) },
    .display("/split/armed", .instrument, .int(0...1), "1 while the key of the split is waited for.") { control, _, _ in .int(control.isLearningSplit ? 1 : 0) },
    .display("/split/on", .instrument, .int(0...1), "1 while parts 1 and 2 share a keyboard and no key.") { control, _, _ in .int(control.sharing == .split ? 1 : 0) },
    .command("/split/at", .instrument, [.string("a key, 60 or C4")], "Splits at a key, at once.") { try $0.split() },
    .trigger("/layer", .instrument, "Parts 1 and 2 both play all keys of the keyboard of part 1.") { $0.control.layer() },
    .display("/layer/on", .instrument, .int(0...1), "1 while parts 1 and 2 share a keyboard and some keys.") { control, _, _ in .int(control.sharing == .layer ? 1 : 0) },
    .trigger("/single", .instrument, "Ends a split or a layer: part 1 plays all keys, and part 2 is off and back on channel 2, unless it plays on one of its own.") { $0.control.playSingle() },
  ]
}

extension Request {
  fileprivate func split() throws {
    let key: Int? =
      switch arguments.first {
      case .number(let number) where (0...127).contains(number): Int(number)
      case .string(let name): keyNumber(name)
      default: nil
      }
    guard let key, arguments.count == 1 else {
      throw Refusal("takes a key, 0…127 or its name, as C4", not: arguments.first)
    }
    control.split(at: key)
  }
}
