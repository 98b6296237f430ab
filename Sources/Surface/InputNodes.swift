import Control
import Parameters
import Scenes

// Key and velocity ranges that are set by striking keys. The other settings of keyboard input are knobs.

extension Node {
  // swift-format-ignore
  static let input: [Node] = [
    .trigger("/key/learn", .part, "The next two keys struck become the ends of the part's key range. A second press or ten seconds cancel it.") { $0.instrument.ranges.learnKeys(part: $0.part, now: $0.now) },
    .display("/key/learn/armed", .part, .int(0...1), "1 while the part waits for its keys.") { instrument, part, _ in .int(instrument.ranges.isLearningKeys(part: part) ? 1 : 0) },
    .display("/key/range", .part, .string(), "Key range of the part, as \"C-1 to B3\".") { instrument, part, _ in .string(instrument.ranges.keys(part: part)) },
    .trigger("/velocity/learn", .part, "The next two strokes become the softest and the hardest that the part plays. A second press or ten seconds cancel it.") { $0.instrument.ranges.learnVelocities(part: $0.part, now: $0.now) },
    .display("/velocity/learn/armed", .part, .int(0...1), "1 while the part waits for its strokes.") { instrument, part, _ in .int(instrument.ranges.isLearningVelocities(part: part) ? 1 : 0) },
    .trigger("/velocity/curve/learn", .part, "The next ten strokes, soft and hard as their player plays, set the part's velocity curve, so that they lie around velocity 80. A second press, or ten seconds for each stroke, cancel it.") { $0.instrument.ranges.learnCurve(part: $0.part, now: $0.now) },
    .display("/velocity/curve/learn/armed", .part, .int(0...1), "1 while the part waits for the strokes of its curve.") { instrument, part, _ in .int(instrument.ranges.isLearningCurve(part: part) ? 1 : 0) },
    .trigger("/chord/learn", .part, "The keys struck next become the chord, the lowest its root, until a second press or for ten seconds.") { $0.instrument.ranges.learnChord(part: $0.part, now: $0.now) },
    .display("/chord/learn/armed", .part, .int(0...1), "1 while the part waits for the keys of its chord.") { instrument, part, _ in .int(instrument.ranges.isLearningChord(part: part) ? 1 : 0) },
    .trigger("/split", .instrument, "The next key struck splits the keyboard of part 1: part 2 plays it and those above, part 1 those below. A second press or ten seconds cancel it.") { $0.instrument.ranges.learnSplit(now: $0.now) },
    .display("/split/armed", .instrument, .int(0...1), "1 while the split waits for its key.") { instrument, _, _ in .int(instrument.ranges.isLearningSplit ? 1 : 0) },
    .display("/split/on", .instrument, .int(0...1), "1 while parts 1 and 2 split a keyboard.") { instrument, _, _ in .int(instrument.ranges.sharing == .split ? 1 : 0) },
    .command("/split/at", .instrument, [.string("a key, 60 or C4")], "Splits the keyboard of part 1 at a key.") { try $0.split() },
    .trigger("/layer", .instrument, "Parts 1 and 2 both play all keys of the keyboard of part 1.") { $0.instrument.ranges.layer() },
    .display("/layer/on", .instrument, .int(0...1), "1 while parts 1 and 2 are layered on a keyboard.") { instrument, _, _ in .int(instrument.ranges.sharing == .layer ? 1 : 0) },
    .trigger("/single", .instrument, "Ends a split or a layer: part 1 plays all keys. Part 2 is off and back on channel 2, unless it has another channel.") { $0.instrument.ranges.playSingle() },
  ]
}

extension Request {
  fileprivate func split() throws {
    let key: Int? =
      switch arguments.first {
      case .number(let number) where (0...127).contains(number): Int(clamping: number)
      case .string(let name): keyNumber(name)
      default: nil
      }
    guard let key, arguments.count == 1 else {
      throw Refusal("takes a key, 0…127 or its name, as C4", not: arguments.first)
    }
    instrument.ranges.split(at: key)
  }
}
