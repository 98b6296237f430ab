import Foundation
import Parameters
import Scenes
import Scratch
import Testing
@testable import Presets

/// The factory presets of this checkout.
let factoryFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().appendingPathComponent("presets").path

func factoryBank() throws -> [(preset: Preset, patch: Patch)] {
  var log: [String] = []
  let presets = try #require(factoryPresets(factoryFolder) { log.append($0) }).presets
  #expect(log.isEmpty, "\(log)")
  return try presets.filter { $0.slot != nil }.map { preset in
    let reading = try PresetText.read(preset.text)
    #expect(reading.warnings.isEmpty, "\(preset.name): \(reading.warnings)")
    return (preset, reading.patch)
  }
}

@Test(
  "The factory's first bank is full, in order, with one name each, and the one for benchmarks lies outside it"
)
func order() throws {
  let all = try factoryBank().map(\.preset)
  #expect(Set(all.map { $0.name.lowercased() }).count == all.count)
  let presets = all.filter { $0.slot?.bank == 0 }.sorted {
    ($0.slot?.program ?? 0) < ($1.slot?.program ?? 0)
  }
  #expect(presets.map(\.slot?.program) == Array(0..<Slot.programs))
  let first = presets.prefix(4).map(\.name)
  #expect(first == ["Warm Bass", "Sub Bass", "Bright Lead", "Soft Lead"])
  let library = Library(database: nil, factory: factoryFolder) { Issue.record("\($0)") }
  #expect(library.presets.count == all.count)
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

@Test(
  "Each factory preset says its category, tags, author and what it is; each category of the first bank has sixteen, four are drums"
)
func categories() throws {
  var counts: [PresetCategory: Int] = [:]
  var drums = 0
  for (preset, _) in try factoryBank() {
    let about = try PresetText.read(preset.text).about
    let isSaid = about.author != nil && about.description != nil
    let isWhole = isSaid && about.category != nil && !about.tags.isEmpty
    #expect(isWhole, "\(preset.name)")
    if preset.slot?.bank != 0 { continue }
    if let category = about.category { counts[category, default: 0] += 1 }
    if about.tags.contains("drum") { drums += 1 }
  }
  #expect(counts.count == PresetCategory.allCases.count && counts.values.allSatisfy { $0 == 16 })
  #expect(drums == 4)
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

/// Basses and drums are played where they are played.
private func register(_ about: PresetAbout) -> UInt8 {
  about.category == .basses || about.tags.contains("drum") ? 36 : 60
}

/// The sound with all that its second LFO does besides the pitch at rest: a filter or a width that swings turns the phases of
/// partials, and what wobbles as deeply as Growl Bass has more in the sidebands than in the partial itself.
private func withoutWobble(_ patch: Patch) -> Patch {
  var patch = patch
  let cases = ModulationSource.names
  let second = Float(cases.firstIndex(of: ModulationSource.lfo2.rawValue) ?? 0)
  let targets = ModulationTarget.allCases.map(\.rawValue)
  for slot in Table.slots where patch[keyPath: slot].source == second {
    let target = targets[Int(patch[keyPath: slot].target)]
    if !target.hasSuffix("pitch") { patch[keyPath: slot].amount = 0 }
  }
  return patch
}

@Test(
  "The factory presets are in tune: the key's own partial, or an octave of it, is where it belongs within 5 cents"
)
func tuneOfTheBank() throws {
  for (preset, patch) in sample(try factoryBank()) {
    let about = try PresetText.read(preset.text).about
    // Drums, weather and machines have no pitch; a piano in a bar and a worn tape have no right one.
    if about.category == .motion || about.tags.contains("drum") || about.tags.contains("detuned") { continue }
    let key = register(about) + 9
    let hertz = 440 * pow(2, Double(Int(key) - 69) / 12)
    let sound = RenderedSound(withoutWobble(patch), keys: [key], held: 2.1, seconds: 2.1)
    let octaves = (-2...3).map { sound.tuning(hertz * pow(2, Double($0)), from: 0.1) }
    let loudest = try #require(octaves.max { $0.strength < $1.strength })
    let (cents, strength) = ((loudest.cents * 10).rounded() / 10, (loudest.strength * 100).rounded())
    print("\(preset.name): \(cents) cents, \(strength) % of the power")
    #expect(abs(cents) <= 5, "\(preset.name)")
    #expect(strength > 2, "\(preset.name)")
  }
}

@Test(
  "The factory presets sound different from each other")
func differencesOfTheBank() throws {
  let pictures = sample(try factoryBank()).map { preset, patch in
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
  // packaging/audition tells them apart on three keys, by narrower bands.
  #expect(nearest[0].0 > 2, "\(nearest[0].1) and \(nearest[0].2)")
}

@Test("The bank gm has all programs of General MIDI, and its drums")
func generalMIDI() throws {
  let library = Library(database: nil, factory: factoryFolder) { Issue.record("\($0)") }
  for program in 0..<Slot.programs {
    let preset = try #require(library.generalMIDI(program), "program \(program + 1)")
    let patch = try #require(library.patch(of: preset))
    // Two keys sound together, also those of a preset that plays one.
    #expect(patch.play.mode == 0 && patch.play.glide == 0, "program \(program + 1)")
  }
  let kit = try #require(library.drums)
  #expect(kit.name == "Drum Kit" && kit.slot == nil)
  let reading = try PresetText.read(kit.text)
  #expect(reading.warnings.isEmpty, "\(reading.warnings)")
  // All drums of General MIDI lie where the kit has their like, the kick lowest.
  let drums = library.kit.drums
  #expect(drums.count == 128 && drums[26] == .silent && drums[88] == .silent)
  #expect(drums[36].key < drums[41].key && drums[41].key < drums[38].key && drums[38].key < drums[42].key)
  // The three hi-hats are one group; whistles, guiros, cuicas, triangles and surdos are pairs.
  var groups: [UInt8: [Int]] = [:]
  for key in drums.indices where drums[key].group > 0 { groups[drums[key].group, default: []].append(key) }
  let pairs = [[42, 44, 46], [71, 72], [73, 74], [78, 79], [80, 81], [86, 87]]
  #expect(groups.values.sorted { $0[0] < $1[0] } == pairs)
  // All keys of General MIDI 2 have sounds of their own.
  #expect(drums.indices.filter { drums[$0].sound > 0 } == Array(27...87))
}

@Test("Sounds that only General MIDI needs say category, tags, author and what they are, and can be read")
func generalMIDISounds() throws {
  let library = Library(database: nil, factory: factoryFolder) { Issue.record("\($0)") }
  let taken = Set(library.presets.map { $0.name.lowercased() })
  for preset in library.outside {
    let reading = try PresetText.read(preset.text)
    #expect(reading.warnings.isEmpty, "\(preset.name): \(reading.warnings)")
    #expect(!taken.contains(preset.name.lowercased()), "\(preset.name)")
    if preset.name == "bench" { continue }
    #expect(reading.about.category != nil && !reading.about.tags.isEmpty, "\(preset.name)")
    #expect(reading.about.author == "pipit" && reading.about.description != nil, "\(preset.name)")
  }
}

@Test("The drums of General MIDI do not hear the end of their keys, end by themselves, and do not overload")
func drumSounds() throws {
  let library = Library(database: nil, factory: factoryFolder) { Issue.record("\($0)") }
  let kit = library.kit
  #expect(kit.patches.count > 40)
  for (index, patch) in kit.patches.enumerated().dropFirst() {
    let envelope = patch.amplifier.envelope
    #expect(envelope.sustain == 0 && envelope.loop == 0, "sound \(index)")
    #expect(envelope.release >= envelope.decay, "sound \(index)")
    #expect(patch.play.mode == 0, "sound \(index)")
  }
}
