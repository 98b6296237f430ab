import Parameters
import Presets
import Scenes
import Storage
import System

/// Random sounds of the parts: drawn near the present sound or far from it, for a whole sound or for a section, by an
/// amount, with locks. A drawn sound is first rendered and measured on a thread of its own, so that it is neither
/// silent nor too loud. Control thread.
public final class RandomSounds {
  private let writer: SceneWriter
  private let presets: PartPresets
  private let notices: NoticeBoard
  private var locked: Set<String> = []
  // The parts for which a sound is being drawn.
  private var drawing: Set<Int> = []
  /// Plays the drawn sounds; without it, they are played at once.
  var worker: Worker?
  /// The seed of the next draw; a test sets it.
  var seed = UInt64.random(in: 0...UInt64.max)

  /// The distance that sounds move, 0…1.
  public private(set) var amount: Float = 0.5

  init(_ writer: SceneWriter, _ presets: PartPresets, _ notices: NoticeBoard) {
    (self.writer, self.presets, self.notices) = (writer, presets, notices)
  }

  // MARK: - Settings

  /// Sets how far sounds move, clamped to 0…1; NaN is ignored.
  public func move(by amount: Float) {
    if amount.isNaN { return }
    self.amount = max(0, min(amount, 1))
    writer.changed(.random)
  }

  /// The sections that can be locked: those with knobs that are drawn.
  public static let sections: [SoundSection] = {
    let drawn = Set(RandomRules.rows(of: nil))
    return SoundSection.base.filter { $0.knobs.contains { drawn.contains($0.row) } }
  }()

  /// The rows of a section that are drawn.
  public static func rows(of section: SoundSection) -> [Int] { RandomRules.rows(of: section) }

  /// Whether a section of `sections` stays as it is.
  public func isLocked(_ section: SoundSection) -> Bool { locked.contains(section.name) }

  /// Locks a section of `sections`, or unlocks it.
  public func lock(_ section: SoundSection, _ isOn: Bool) {
    if isOn { locked.insert(section.name) } else { locked.remove(section.name) }
    writer.changed(.random)
  }

  // MARK: - Drawing

  /// Draws a sound near that of a part, or a section of it.
  /// - Parameter now: CLOCK_MONOTONIC, to recognize a packet that the network has duplicated.
  public func drawNear(_ section: SoundSection?, part: Int, now: Int64) throws(DocumentError) {
    if writer.isDuplicate("near \(part) \(section?.name ?? "")", now) { return }
    try draw(section, part, .near)
  }

  /// Draws a sound between two presets of the category of a part's preset, or a section of it.
  /// - Parameter now: As for `drawNear`.
  public func drawFar(_ section: SoundSection?, part: Int, now: Int64) throws(DocumentError) {
    if writer.isDuplicate("far \(part) \(section?.name ?? "")", now) { return }
    let category = presets.about(part: part).category
    var generator = SeededGenerator(seed: seed)
    let library = presets.library
    let all = library.searchSlots(PresetQuery(category.map { "category:\($0.rawValue)" } ?? ""))
    var two = firstTwo(all.shuffled(using: &generator).lazy.compactMap { library[$0] })
    if two.count < 2 {
      // Soon after a start the search does not know all presets yet.
      let some = (0..<library.count).shuffled(using: &generator).prefix(RandomSounds.tries)
      two = firstTwo(
        some.lazy.compactMap { library.preset(at: $0) }.filter {
          category == nil || library.about($0).category == category
        })
    }
    guard two.count == 2 else {
      throw DocumentError(description: "needs two presets of the category \(category?.rawValue ?? "")")
    }
    try draw(section, part, .far(two[0], two[1]))
  }

  private func firstTwo(_ candidates: some Sequence<Preset>) -> [Patch] {
    Array(candidates.lazy.compactMap { [presets] in presets.library.patch(of: $0) }.prefix(2))
  }

  /// The most presets that are read to find two of a category without the search, some microseconds each.
  private static let tries = 256

  private func draw(_ section: SoundSection?, _ part: Int, _ reach: RandomDraw.Reach) throws(DocumentError) {
    let rows = RandomRules.rows(of: section, locked: locked)
    if rows.isEmpty {
      throw DocumentError(
        description: section.map { "moves nothing in \($0.name): it is locked, or never drawn" }
          ?? "moves nothing: all sections are locked")
    }
    guard drawing.insert(part).inserted else {
      throw DocumentError(description: "is still drawing a sound for part \(part + 1)")
    }
    presets.onStep(part)
    let before = presets.patch(part: part)
    let job = AuditionedDraw(
      RandomDraw(rows, reach, amount: amount), from: before, seed: seed,
      isLow: presets.about(part: part).category == .basses, keepsLevel: locked.contains("amp"))
    var next = SeededGenerator(seed: seed)
    seed = next.next()
    let name = section?.name ?? "sound"
    if let worker {
      worker.attempt({ job.run().map { [$0] } ?? [] }, then: { self.play($0?.first, name, part, before) })
    } else {
      play(job.run(), name, part, before)
    }
  }

  private func play(_ sound: Patch?, _ name: String, _ part: Int, _ before: Patch) {
    drawing.remove(part)
    presets.onStep(part)
    guard let sound else {
      return notices.post(
        "found no random \(name) that sounds; try again", about: .preset, .moment(seconds: 5), log: "")
    }
    if !presets.patch(part: part).isSame(as: before) {
      return notices.post(
        "left the sound as it is: it was changed meanwhile", about: .preset, .moment(seconds: 5), log: "")
    }
    presets.change(part, "random \(name)") { $0 = sound }
  }
}

/// Draws random sounds until one of them is audible. Pure, on a thread where it may take a second.
public struct AuditionedDraw: Sendable {
  private let draw: RandomDraw
  private let patch: Patch
  private let seed: UInt64
  private let keepsLevel: Bool
  private let audition: SoundAudition

  /// The maximum number of sounds that are drawn until one is audible.
  private static let attempts = 12

  /// Draws from `patch`, with the random numbers of a seed.
  /// - Parameters:
  ///   - isLow: Whether it is a bass, which is played by a low key.
  ///   - keepsLevel: Whether the level of the sound must stay as it is.
  public init(_ draw: RandomDraw, from patch: Patch, seed: UInt64, isLow: Bool, keepsLevel: Bool = false) {
    (self.draw, self.patch, self.seed) = (draw, patch, seed)
    (self.keepsLevel, audition) = (keepsLevel, SoundAudition(isLow: isLow))
  }

  /// The first audible sound, as loud as the one before unless its level is kept; nil if there was none. If the sound
  /// before is inaudible, the new one is as loud as factory presets.
  public func run() -> Patch? {
    var generator = SeededGenerator(seed: seed)
    let before = keepsLevel ? SoundAudition.loudness : audition.measure(patch).loudness
    let goal = before > SoundAudition.audible ? min(before, SoundAudition.loudest) : SoundAudition.loudness
    for _ in 0..<AuditionedDraw.attempts {
      let sound = draw.sound(from: patch, &generator)
      if keepsLevel {
        if audition.accepts(sound) { return sound }
      } else if let sound = audition.levelled(sound, to: goal) {
        return sound
      }
    }
    return nil
  }
}
