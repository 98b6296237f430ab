import CTestCard
import Glibc
import Synth

@testable import ALSA

/// An output that plays on a card of the test, both in a time of their own.
final class PlayedCard {
  let card: TestCard
  let link = Link(.initial)
  let lines = Lines()
  private let simulation: Simulation

  /// Opens the card.
  init(_ card: TestCard, rate: Int = 48_000, period: Int = 128, periods: Int = 2) throws {
    self.card = card
    simulation = try Simulation(
      AudioOutput(
        device: .name(card.name), rate: rate, period: period, periods: periods, link: link, log: lines.add))
    card.card.pointee.now = simulation.now
  }

  // The card goes last.
  deinit { simulation.output.stop() }

  var playing: String { simulation.output.playing }
  var now: Int64 { simulation.now.pointee }

  /// Plays for so many seconds and fades out; `passes` is called whenever the audio thread has waited.
  func run(seconds: Double, passes: @escaping () -> Void = {}) {
    simulation.passes = { _ in passes() }
    simulation.run(seconds: seconds)
  }

  func press(_ note: Int, at frame: Int) {
    link.midi.push(Event(frame: Int64(frame), kind: .noteOn, note: UInt8(note), value: 1))
  }
}

/// A sound card that ALSA loads as it loads any plug-in (Tests/CTestCard). Opened as `name`.
final class TestCard {
  let card = UnsafeMutablePointer<test_card>.allocate(capacity: 1)

  /// Before any test opens a PCM, since ALSA's configuration is the process's.
  static let isInstalled: Bool = {
    let program = readLink("/proc/self/exe")
    let folder = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return test_card_install(folder.joined(separator: "/") + "/libTestCard.so") == 0
  }()

  /// A card that can do everything and keeps `bytes` of what it plays, in the time `now` or a second for ever.
  init(bytes: Int = 0, now: UnsafeMutablePointer<Int64>? = nil) {
    precondition(Self.isInstalled)
    card.initialize(to: test_card())
    card.pointee.now = now
    if bytes > 0 {
      card.pointee.sound = .allocate(capacity: bytes)
      card.pointee.sound_room = UInt64(bytes)
    }
  }

  deinit {
    card.pointee.sound?.deallocate()
    card.deallocate()
  }

  /// What ALSA opens.
  var name: String { "testcard:\(UInt(bitPattern: card))" }

  /// What it has played and will.
  var sound: [UInt8] {
    Array(
      UnsafeBufferPointer(
        start: card.pointee.sound, count: Int(min(card.pointee.sound_bytes, card.pointee.sound_room))))
  }

  /// Calls of a kind so far.
  func calls(_ kind: Int) -> Int {
    withUnsafeBytes(of: card.pointee.calls) { Int($0.bindMemory(to: UInt64.self)[kind]) }
  }
}

private func readLink(_ path: String) -> String {
  var bytes = [CChar](repeating: 0, count: 4096)
  let count = readlink(path, &bytes, bytes.count)
  return String(decoding: bytes.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
