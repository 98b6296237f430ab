import Control
import Parameters
import Presets
import Scenes
import Testing

/// Each draw renders what it finds in an engine of its own. AddressSanitizer watches these tests (.ci/full).
struct RandomSoundTests {
  @Test("Random sounds near and far from the initial one are found, and saved as they are", arguments: 1...10)
  func found(seed: Int) throws {
    let rows = RandomSounds.sections.flatMap { RandomSounds.rows(of: $0) }
    let reach: RandomDraw.Reach = seed % 2 == 0 ? .near : .far(.initial, .initial)
    let draw = AuditionedDraw(
      RandomDraw(rows, reach, amount: Float(seed) / 10), from: .initial, seed: UInt64(seed),
      isLow: seed % 3 == 0)
    let sound = try #require(draw.run())
    let names = NameRegister()
    let text = PresetText.write(sound, name: "random", names: names)
    #expect(text.split(separator: "\n").count > 2, "a random sound differs from the initial one")
    let saved = try PresetText.read(text, names: names).patch
    #expect(PresetText.write(saved, name: "random", names: names) == text)
  }
}
