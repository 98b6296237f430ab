import CTestCard
import Glibc

/// What brings the audio loop to where a fault is waiting.
enum Occasion: String, CaseIterable {
  /// Nothing: it plays.
  case playing
  /// The thread was held up until the card ran dry.
  case xrun
  /// The card was pulled out and put back.
  case unplugged
  /// The machine slept.
  case suspended

  /// The calls of the driver that are made then.
  var calls: [Int] {
    switch self {
    case .playing: [TEST_CARD_POINTER, TEST_CARD_TRANSFER, TEST_CARD_POLL].map { Int($0) }
    case .xrun: [TEST_CARD_PREPARE, TEST_CARD_START, TEST_CARD_POINTER, TEST_CARD_TRANSFER].map { Int($0) }
    case .unplugged:
      [
        TEST_CARD_OPEN, TEST_CARD_HW_PARAMS, TEST_CARD_SW_PARAMS, TEST_CARD_PREPARE, TEST_CARD_START,
        TEST_CARD_STOP, TEST_CARD_TRANSFER, TEST_CARD_POLL,
      ].map { Int($0) }
    case .suspended: [TEST_CARD_RESUME, TEST_CARD_PREPARE].map { Int($0) }
    }
  }
}

/// A call that fails.
struct Fault {
  let occasion: Occasion
  let call: Int
  /// The error, negative; 0 is a short write or a wake-up for nothing.
  let error: Int32
  /// Calls that succeed before it, and how often it fails then.
  let after: Int
  let times: Int

  /// What ALSA's functions are documented to answer, and what drivers answer beside it.
  static let errors: [Int32] = [
    0, EPIPE, ESTRPIPE, ENODEV, EIO, EBADFD, EBUSY, EAGAIN, EINVAL, EINTR, ENOMEM, ENOSYS, ETIMEDOUT, ENOENT,
    EPERM, EACCES, ENOTTY, ENXIO, EFAULT, EMFILE,
  ]

  /// Those that a broken card may answer for ever.
  private static let lasting: [Int32] = [EPIPE, ESTRPIPE, ENODEV, EIO, EBUSY, EAGAIN, EINVAL]

  /// Every call that an occasion makes, with every error: the first time, a later time, three times and for ever.
  static func all(on occasion: Occasion) -> [Fault] {
    occasion.calls.flatMap { call in
      errors.flatMap { error in
        [(0, 1), (2, 1), (0, 3)].map {
          Fault(occasion: occasion, call: call, error: -error, after: $0.0, times: $0.1)
        }
      } + lasting.map { Fault(occasion: occasion, call: call, error: -$0, after: 0, times: .max) }
    }
  }

  var description: String {
    let names = [
      "open", "hw_params", "sw_params", "prepare", "start", "stop", "pointer", "transfer", "poll", "resume",
      "delay",
    ]
    let what = error == 0 ? "nothing" : String(cString: strerror(-error))
    return "\(occasion): \(names[call]) after \(after), \(times == .max ? "for ever" : "\(times)"): \(what)"
  }
}
