import Control
import EngineHarness
import Glibc
import Parameters
import Playback
import Presets
import Scenes
import Song
import Synth

/// `benchmarks random [DRAWS] [SEED] [FOLDER [DRAW]]`: random sounds drawn near and far from factory presets, by amounts of 0 to
/// 1. Each is played by a chord, and every tenth by the phrase that demonstrates its category. It prints how many were
/// silent, how many peaked above -1 dBTP before the limiter, which these were, and the distributions. With the number of
/// a draw, only that one is made, and played eight times: its sound and the peaks.
func writeRandomDraws(_ arguments: [String]) {
  let draws = arguments.first.flatMap { Int($0) } ?? 10_000
  let seed = arguments.dropFirst().first.flatMap { UInt64($0) } ?? 1
  let library = Library(database: nil, factory: arguments.count > 2 ? arguments[2] : "presets", log: { _ in })
  var generator = SeededGenerator(seed: seed)
  let presets = library.presets.map {
    (name: $0.name, about: library.about($0), patch: library.patch(of: $0) ?? .initial)
  }
  guard !presets.isEmpty else {
    print("found no presets")
    exit(2)
  }
  let rows = RandomSounds.sections.flatMap { RandomSounds.rows(of: $0) }
  var (chords, phrases, refused) = (Figures(), Figures(), 0)
  for draw in 0..<draws {
    let base = presets[Int.random(in: presets.indices, using: &generator)]
    let kin = presets.filter { $0.about.category == base.about.category }
    let two = (0..<2).map { _ in kin[Int.random(in: kin.indices, using: &generator)].patch }
    let reach: RandomDraw.Reach = draw % 2 == 0 ? .near : .far(two[0], two[1])
    let isLow = base.about.category == .basses
    let random = AuditionedDraw(
      RandomDraw(rows, reach, amount: Float.random(in: 0...1, using: &generator)), from: base.patch,
      seed: generator.next(), isLow: isLow)
    if let only = arguments.count > 3 ? Int(arguments[3]) : nil {
      if draw != only { continue }
      guard let sound = random.run() else { return print("found none") }
      print(PresetText.write(sound, name: base.name, names: library.wavetables))
      for _ in 0..<8 {
        let (left, right) = play(sound, isLow ? [36] : [48, 60, 64, 67], strokes: Int.random(in: 1...9))
        print("\(decimals(Float(20 * log10(max(truePeak(left), truePeak(right)))) - quiet, 1)) dBTP")
      }
      return
    }
    guard let sound = random.run() else {
      refused += 1
      continue
    }
    let name = "draw \(draw), \(draw % 2 == 0 ? "near" : "far") \(base.name)"
    chords.add(play(sound, isLow ? [36] : [48, 60, 64, 67]), name)
    if draw % 10 == 0 { phrases.add(play(sound, phrase(base.about.category)), name) }
  }
  print("\(draws) draws, seed \(seed): \(refused) found none")
  chords.show("chords")
  phrases.show("phrases")
}

// The limiter stays idle at this level of the master, decibels; `gain` makes up for it.
private let quiet: Float = -30
private let gain = pow(10, -quiet / 20)

/// Loudnesses in LUFS and true peaks in dBTP.
private struct Figures {
  var loudness: [Double] = []
  var peaks: [Double] = []

  mutating func add(_ sound: ([Float], [Float]), _ name: String) {
    let louder = { (samples: [Float]) in samples.map { $0 * gain } }
    let (left, right) = (louder(sound.0), louder(sound.1))
    let loudness = Loudness.integrated(left, right)
    let peak = 20 * log10(max(truePeak(left), truePeak(right)))
    if loudness < -50 || peak > -1 {
      print("\(name): \(decimals(Float(loudness), 1)) LUFS, \(decimals(Float(peak), 1)) dBTP")
    }
    self.loudness.append(loudness)
    peaks.append(peak)
  }

  func show(_ name: String) {
    let (silent, loud) = (loudness.count { $0 < -50 }, peaks.count { $0 > -1 })
    print("\(loudness.count) \(name): \(silent) silent, \(loud) above -1 dBTP")
    print("  loudness, LUFS: " + spread(loudness))
    print("  true peak, dBTP: " + spread(peaks))
  }
}

private func phrase(_ category: PresetCategory?) -> Phrase {
  switch category {
  case .basses: .basses
  case .leads: .leads
  case .pads: .pads
  case .keys, nil: .keys
  case .plucks: .plucks
  case .organs: .organs
  case .strings: .strings
  case .motion: .motion
  }
}

private func play(_ patch: Patch, _ phrase: Phrase) -> ([Float], [Float]) {
  var scene = Scene.initial
  scene.master.level = quiet
  scene[0].patch = patch
  var (left, right): ([Float], [Float]) = ([], [])
  let renderer = SongRenderer(Song(phrase), scene: scene, rate: 48_000, hasKeys: true)
  try? renderer.render(block: 256) { one, other, frames, _ in
    left += UnsafeBufferPointer(start: one, count: frames)
    right += UnsafeBufferPointer(start: other, count: frames)
  }
  return (left, right)
}

private func spread(_ values: [Double]) -> String {
  let sorted = values.sorted()
  return [("least", 0.0), ("1 %", 0.01), ("median", 0.5), ("99 %", 0.99), ("most", 1)].map { name, share in
    let index = Int(Double(sorted.count - 1) * share)
    return "\(name) \(decimals(Float(sorted[index]), 1))"
  }.joined(separator: ", ")
}

private func play(_ patch: Patch, _ keys: [Int], strokes: Int = 1) -> ([Float], [Float]) {
  var scene = Scene.initial
  scene.master.level = quiet
  scene[0].patch = patch
  let player = Player(scene, running: true)
  player.link.scene.service()
  // The notes before take the first places in the order of random numbers.
  for _ in 0..<strokes {
    player.press(24, velocity: 0.01)
    player.play(64)
    player.release(24)
  }
  for key in keys { player.press(key, velocity: 0.8) }
  player.play(96_000)
  for key in keys { player.release(key) }
  player.play(24_000)
  return (player.left, player.right)
}

/// The greatest magnitude at four times the rate, by a windowed sinc of 32 samples.
private func truePeak(_ samples: [Float]) -> Double {
  var peak = samples.reduce(0.0) { max($0, Double(abs($1))) }
  for phase in 1..<4 {
    let kernel = (-15...16).map { tap -> Float in
      let x = Double(tap) - Double(phase) / 4
      return Float(sin(.pi * x) / (.pi * x) * (0.5 + 0.5 * cos(.pi * x / 16.5)))
    }
    for start in 0..<max(samples.count - kernel.count, 0) {
      // Only samples near a peak can have a higher one between them.
      if abs(samples[start + 15]) < 0.4 { continue }
      var sum: Float = 0
      for tap in 0..<kernel.count { sum += kernel[tap] * samples[start + tap] }
      peak = max(peak, Double(abs(sum)))
    }
  }
  return peak
}
