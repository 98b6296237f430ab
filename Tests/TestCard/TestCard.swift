import CTestCard
import Glibc

/// A sound card that ALSA loads as it loads any plug-in (Tests/CTestCard). Opened as `name`.
public final class TestCard {
  /// What it can do, what becomes of it and what it was asked.
  public let card = UnsafeMutablePointer<test_card>.allocate(capacity: 1)

  /// Before any test opens a PCM, since ALSA's configuration is the process's.
  static let isInstalled: Bool = {
    let program = readLink("/proc/self/exe")
    let folder = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return test_card_install(folder.joined(separator: "/") + "/libtestcard.so") == 0
  }()

  /// A card that can do everything and keeps `bytes` of what it plays, in the time `now` or a second for ever.
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

  /// What ALSA opens.
  public var name: String { "testcard:\(UInt(bitPattern: card))" }

  /// What it has played and will.
  public var sound: [UInt8] {
    Array(
      UnsafeBufferPointer(
        start: card.pointee.sound, count: Int(min(card.pointee.sound_bytes, card.pointee.sound_room))))
  }

  /// The next calls of a kind fail, after so many that do not.
  public func fail(_ call: Int, after: Int = 0, times: UInt64 = 1, with error: Int32) {
    card.pointee.fault_call = Int32(call)
    card.pointee.fault_first = UInt64(calls(call) + after)
    card.pointee.fault_count = times
    card.pointee.fault_error = error
  }

  /// No more faults.
  public func heal() { card.pointee.fault_count = 0 }

  /// Calls so far.
  public var calls: Int { (0..<Int(TEST_CARD_CALLS)).reduce(0) { $0 + calls($1) } }

  /// Calls of a kind so far.
  public func calls(_ kind: Int) -> Int {
    withUnsafeBytes(of: card.pointee.calls) { Int($0.bindMemory(to: UInt64.self)[kind]) }
  }
}

private func readLink(_ path: String) -> String {
  var bytes = [CChar](repeating: 0, count: 4096)
  let count = readlink(path, &bytes, bytes.count)
  return String(decoding: bytes.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
