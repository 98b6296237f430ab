import CTestCard
import EngineHarness
import Foundation
import Scenes
import TestCard
import Testing

/// What a card may do in the middle of playing, and what becomes of the sound. In virtual time.
@Suite("Faults of the sound card") struct FaultTests {
  // A process of its own, since its descriptors and its memory are counted (Tests/Faults). One fault of five where there
  // are hundreds; all of them by `packaging/swift run faults`.
  @Test(
    "The output survives any error from any ALSA call",
    arguments: [("playing", 5), ("xrun", 5), ("unplugged", 5), ("suspended", 1)])
  func callErrors(_ occasion: String, every count: Int) throws {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(
      fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    ).deletingLastPathComponent().appendingPathComponent("faults")
    process.arguments = ["--every", "\(count)", occasion]
    process.standardOutput = pipe
    try process.run()
    let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(said)")
  }

  /// What interrupts the sound of a held note for a while, at a second.
  enum Interruption: String, CaseIterable {
    case xrun, suspend, stands, standsLong, unplug, busy
  }

  @Test(
    "A held note continues bit for bit after an interruption of the card",
    arguments: Interruption.allCases)
  func heldNote(_ interruption: Interruption) throws {
    let (rate, period) = (22_050, 256)
    let card = TestCard(bytes: 10 * rate * 8)
    card.card.pointee.formats = 1 << 14  // float
    let played = try PlayedCard(card, rate: rate, period: period)
    played.press(60, at: 1_000)
    let second: Int64 = 1_000_000_000
    var (isDone, soundBytes) = (false, 0)
    played.run(seconds: 6) {
      guard !isDone, played.now > 2 * second else { return }
      isDone = true
      soundBytes = Int(card.card.pointee.sound_bytes)
      switch interruption {
      case .xrun: card.card.pointee.late = 300_000_000
      case .suspend:
        card.card.pointee.suspended = 1
        card.fail(Int(TEST_CARD_RESUME), times: 20, with: -EAGAIN)
      case .stands, .standsLong:
        card.card.pointee.stands_from = played.now
        card.card.pointee.stands_to = played.now + (interruption == .stands ? second : 3 * second)
      case .unplug:
        card.card.pointee.unplugged = 1
        card.fail(Int(TEST_CARD_OPEN), times: 5, with: -ENOENT)
      case .busy:
        card.card.pointee.unplugged = 1
        card.fail(Int(TEST_CARD_OPEN), times: 5, with: -EBUSY)
      }
    }
    #expect(isDone)
    let heard = Self.left(card.sound)
    let before = soundBytes / 8

    // All that was played until it ended is the note, bit for bit; and so is what comes after.
    let frames = Int(played.link.meters[.frames])
    let alone = Player(rate: Double(rate))
    alone.press(60, at: 1_000, velocity: 1)
    alone.play(frames, block: period)
    let fade = rate / 100
    #expect(heard.count > before + rate)
    #expect(
      heard[(period + fade)..<(before - 2 * period)].elementsEqual(alone.left[fade..<(before - 3 * period)]))
    // It ends with a fade over the last 10 ms and perhaps a rest of a block; before that, a second of sound.
    let rest = fade + 2 * period
    #expect(
      heard.suffix(rate + rest).dropLast(rest).elementsEqual(alone.left.suffix(rate + rest).dropLast(rest)))

    // Of the time only what it takes to find out is lost: what was not heard went on. In an xrun the thread itself was
    // held up.
    let lost = Double(played.now - second) * 1e-9 - Double(frames) / Double(rate)
    #expect(lost < (interruption == .xrun ? 0.35 : 0.16))
    // Between the two it comes out of silence, no louder than its fade-in.
    let gap = heard[(before - 3 * period)...].prefix(8 * period)
    if let silence = gap.lastIndex(of: 0) {
      let rise = heard[(silence + 1)...].prefix(fade)
      #expect(rise.enumerated().allSatisfy { abs($1) <= Float($0 + 1) / Float(fade) })
    } else {
      Issue.record("nothing was interrupted")
    }
    #expect(played.lines.count <= 3, "\(played.lines)")
  }

  /// The left channel of floats.
  private static func left(_ bytes: [UInt8]) -> [Float] {
    bytes.withUnsafeBytes { raw in
      stride(from: 0, to: raw.count - 7, by: 8).map { raw.loadUnaligned(fromByteOffset: $0, as: Float.self) }
    }
  }
}
