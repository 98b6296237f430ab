import EngineHarness
import Foundation
import Playback
import Presets
import Scenes
import Song
import Testing
@testable import pipit

/// The factory's presets with the phrase of their kind, as `pipit render --preset` plays them.
@Suite("The factory presets' phrases")
struct PhraseTests {
  private static let factory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("presets").path

  /// What a phrase sounds like with a sound.
  private func play(_ phrase: Phrase, _ patch: Patch) throws -> (left: [Float], right: [Float]) {
    var (left, right): ([Float], [Float]) = ([], [])
    let song = Song(phrase)
    let assignment = ChannelAssignment(song.uses(mpe: .off), order: .pipit)
    let scene = assignment.scene { _ in patch }
    try SongRenderer(song, scene: scene, rate: 48_000, hasKeys: true).render(block: 256) {
      one, other, frames, _ in
      left += UnsafeBufferPointer(start: one, count: frames)
      right += UnsafeBufferPointer(start: other, count: frames)
    }
    return (left, right)
  }

  @Test("are at -18 LUFS within 1.5, by EBU R128, and end in silence", arguments: PresetCategory.allCases)
  func levels(_ category: PresetCategory) throws {
    let library = Library(database: nil, factory: Self.factory) { Issue.record("\($0)") }
    var worst = 0.0
    #expect(library.presets.count >= Slot.programs + 16)
    for preset in library.presets where preset.slot != nil {
      let reading = try PresetText.read(preset.text, names: library.wavetables)
      if reading.about.category != category { continue }
      let sound = try play(reading.phrase, reading.patch)
      let loudness = Loudness.integrated(sound.left, sound.right)
      worst = max(worst, abs(loudness + 18))
      #expect(abs(loudness + 18) < 1.5, "\(preset.name): \(loudness) LUFS")
      // 20 s after its end a song is faded out, with what still sounds then.
      #expect(sound.left.suffix(4_800).allSatisfy { $0.magnitude < 0.00001 }, "\(preset.name)")
    }
    print("phrases, \(category): at most \((worst * 10).rounded() / 10) LU from -18 LUFS")
  }
}
