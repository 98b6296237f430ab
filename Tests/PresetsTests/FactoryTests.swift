import Foundation
import Parameters
import Synth
import Testing

@testable import Presets

/// The factory presets of this checkout.
let factoryFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().appendingPathComponent("presets").path

private func factory() throws -> [(preset: Preset, patch: Patch)] {
  var log: [String] = []
  let presets = try #require(factoryPresets(factoryFolder) { log.append($0) }).presets
  #expect(log.isEmpty, "\(log)")
  return try presets.filter { $0.slot != nil }.map { ($0, try PresetText.read($0.text).patch) }
}

#if DEBUG
  private let isRelease = false
#else
  private let isRelease = true
#endif

/// Basses and drums are played where they are played.
private func register(_ preset: Preset) -> UInt8 {
  preset.name.hasSuffix("Bass") || preset.name.hasSuffix("Drum") ? 36 : 60
}

@Test("There are 28 factory presets in order, and the one for benchmarks outside the bank")
func order() throws {
  let presets = try factory().map(\.preset)
  #expect(presets.map(\.slot?.program) == Array(0..<28))
  #expect(Set(presets.map(\.name)).count == 28)
  let library = Library(database: nil, factory: factoryFolder) { Issue.record("\($0)") }
  #expect(library.presets.count == 28)
  let bench = try #require(library.named("bench"))
  #expect(bench.slot == nil)
  let patch = try #require(library.patch(of: bench))
  #expect(patch.oscillator1.wave == 2 && patch.oscillator2.wave == 2)
  #expect(patch.oscillator1.level == patch.oscillator2.level && patch.oscillator2.fine == 7)
  #expect(patch.filter.cutoff == 400 && patch.filter.amount == 3 && patch.filter.resonance == 0.3)
  #expect(patch.lfo.shape.rate == 5 && patch.lfo.cutoff == 0.5 && patch.lfo.pitch == 5)
  for (envelope, sustain) in [(patch.filter.envelope, 0.5), (patch.amplifier.envelope, 0.7)]
    as [(EnvelopeKnobs, Float)]
  {
    #expect(envelope.attack == 0.01 && envelope.decay == 0.3 && envelope.sustain == sustain)
    #expect(envelope.release == 0.3)
  }
}

@Test("The example in the page about the format is a preset without a wrong line")
func example() throws {
  let page = try String(contentsOfFile: factoryFolder + "/README.md", encoding: .utf8)
  let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
  let block = lines.drop { $0 != "    pipit preset 1" }.prefix { $0.hasPrefix("    ") }.map {
    $0.dropFirst(4)
  }
  #expect(block.count > 5)
  let reading = try PresetText.read(block.joined(separator: "\n"))
  #expect(reading.warnings.isEmpty && reading.name == "Warm Bass" && reading.patch.filter.cutoff == 320)
}

@Test(
  "The factory presets are in level: a triad of each has -16 LUFS within 1 dB",
  .enabled(if: isRelease, "a debug build renders too slowly"))
func level() throws {
  for (preset, patch) in try factory() {
    let root = register(preset)
    let sound = RenderedSound(patch, keys: [root, root + 4, root + 7], held: 2.5, seconds: 3)
    print(
      "\(preset.name): \((sound.loudness * 10).rounded() / 10) LUFS, peak \((sound.peak * 100).rounded() / 100)"
    )
    // Measured: 0.2 at most.
    #expect(abs(sound.loudness + 16) < 1, "\(preset.name)")
  }
}

@Test(
  "The factory presets are in tune: the key's own partial is where it belongs within 5 cents",
  .enabled(if: isRelease, "a debug build renders too slowly"))
func tune() throws {
  for (preset, patch) in try factory() where preset.name != "Wind" {
    let key = register(preset) + 9
    let hertz = 440 * pow(2, Double(Int(key) - 69) / 12)
    let sound = RenderedSound(patch, keys: [key], held: 2, seconds: 2)
    // What sounds an octave above its key by intent is measured there.
    let octave = ["Glass", "Whistle"].contains(preset.name) ? 2.0 : 1.0
    let (cents, strength) = sound.tuning(hertz * octave, from: 0.5)
    print(
      "\(preset.name): \((cents * 10).rounded() / 10) cents, \((strength * 100).rounded()) % of the power")
    // Measured: 3.5 at most, of sounds whose oscillators stand apart.
    #expect(abs(cents) <= 5, "\(preset.name)")
    // Measured: 0.08 at least, of the synchronized lead.
    #expect(strength > 0.05, "\(preset.name)")
  }
}

@Test(
  "The factory presets sound different from each other",
  .enabled(if: isRelease, "a debug build renders too slowly"))
func different() throws {
  let pictures = try factory().map { preset, patch in
    // All on the same key, so that the key does not make the difference.
    (preset.name, RenderedSound(patch, keys: [57], held: 1.5, seconds: 2.5).picture)
  }
  var nearest: [(Float, String, String)] = []
  for (index, one) in pictures.enumerated() {
    for other in pictures[(index + 1)...] {
      let pairs = zip(one.1.joined(), other.1.joined())
      let distance = pairs.reduce(Float(0)) { $0 + ($1.0 - $1.1).magnitude } / Float(one.1.count * 16)
      nearest.append((distance, one.0, other.0))
    }
  }
  nearest.sort { $0.0 < $1.0 }
  for pair in nearest.prefix(6) { print("\(pair.1) and \(pair.2): \(pair.0) dB apart") }
  // Measured: 3.4 for the two of pure sines.
  #expect(nearest[0].0 > 3, "\(nearest[0].1) and \(nearest[0].2)")
}
