import CTestCard
import Glibc

/// A sound card that ALSA loads as a plug-in (Tests/CTestCard) and opens as `name`.
public final class TestCard {
  /// The card's abilities, faults and recorded calls.
  public let card = UnsafeMutablePointer<test_card>.allocate(capacity: 1)

  /// Initialized before any test opens a PCM, because ALSA has one configuration per process.
  static let isInstalled: Bool = {
    let program = readLink("/proc/self/exe")
    let folder = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return test_card_install(folder.joined(separator: "/") + "/libtestcard.so") == 0
  }()

  /// Creates a card without limitations that stores `bytes` of its output. Its time is `now`; with nil,
  /// `card.pointee.now` must be set before the card is started.
  public init(bytes: Int = 0, now: UnsafeMutablePointer<Int64>? = nil) {
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

  /// The name that ALSA opens.
  public var name: String { "testcard:\(UInt(bitPattern: card))" }

  /// The bytes that the card has played, or will play unless it is stopped: `bytes` at most.
  public var sound: [UInt8] {
    Array(
      UnsafeBufferPointer(
        start: card.pointee.sound, count: Int(min(card.pointee.sound_bytes, card.pointee.sound_room))))
  }

  /// Makes the next calls of a kind fail, after `after` calls that succeed.
  public func fail(_ call: Int, after: Int = 0, times: UInt64 = 1, with error: Int32) {
    card.pointee.fault_call = Int32(call)
    card.pointee.fault_first = UInt64(calls(call) + after)
    card.pointee.fault_count = times
    card.pointee.fault_error = error
  }

  /// Ends all faults.
  public func heal() { card.pointee.fault_count = 0 }

  /// The number of calls so far.
  public var calls: Int { (0..<Int(TEST_CARD_CALLS)).reduce(0) { $0 + calls($1) } }

  /// The number of calls of a kind so far.
  public func calls(_ kind: Int) -> Int {
    withUnsafeBytes(of: card.pointee.calls) { Int($0.bindMemory(to: UInt64.self)[kind]) }
  }
}

private func readLink(_ path: String) -> String {
  var bytes = [CChar](repeating: 0, count: 4096)
  let count = readlink(path, &bytes, bytes.count)
  return String(decoding: bytes.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
