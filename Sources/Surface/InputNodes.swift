import Control
import Parameters
import Synth

// What parts take from the keyboards, as far as it is set by striking keys; the rest is knobs.

extension Node {
  // swift-format-ignore
  static let input: [Node] = [
    .trigger("/key/learn", .part, "Has the next two keys that are struck be the lowest and the highest that the part plays, in either order; a second press ends that, and so do ten seconds.") { $0.instrument.ranges.learnKeys(part: $0.part, now: $0.now) },
    .display("/key/learn/armed", .part, .int(0...1), "1 while keys are waited for.") { instrument, part, _ in .int(instrument.ranges.isLearningKeys(part: part) ? 1 : 0) },
    .display("/key/range", .part, .string(), "The keys that the part plays, as \"C-1 to B3\".") { instrument, part, _ in .string(instrument.ranges.keys(part: part)) },
    .trigger("/velocity/learn", .part, "Has the next two strokes be the softest and the hardest that the part plays, in the same way.") { $0.instrument.ranges.learnVelocities(part: $0.part, now: $0.now) },
    .display("/velocity/learn/armed", .part, .int(0...1), "1 while strokes are waited for.") { instrument, part, _ in .int(instrument.ranges.isLearningVelocities(part: part) ? 1 : 0) },
    .trigger("/split", .instrument, "Has the next key that is struck be the lowest of part 2, and part 1 play those below, both on the keyboard of part 1; a second press ends that, and so do ten seconds.") { $0.instrument.ranges.learnSplit(now: $0.now) },
    .display("/split/armed", .instrument, .int(0...1), "1 while the key of the split is waited for.") { instrument, _, _ in .int(instrument.ranges.isLearningSplit ? 1 : 0) },
    .display("/split/on", .instrument, .int(0...1), "1 while parts 1 and 2 share a keyboard and no key.") { instrument, _, _ in .int(instrument.ranges.sharing == .split ? 1 : 0) },
    .command("/split/at", .instrument, [.string("a key, 60 or C4")], "Splits at a key, at once.") { try $0.split() },
    .trigger("/layer", .instrument, "Parts 1 and 2 both play all keys of the keyboard of part 1.") { $0.instrument.ranges.layer() },
    .display("/layer/on", .instrument, .int(0...1), "1 while parts 1 and 2 share a keyboard and some keys.") { instrument, _, _ in .int(instrument.ranges.sharing == .layer ? 1 : 0) },
    .trigger("/single", .instrument, "Ends a split or a layer: part 1 plays all keys, and part 2 is off and back on channel 2, unless it plays on one of its own.") { $0.instrument.ranges.playSingle() },
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
    instrument.ranges.split(at: key)
  }
}
