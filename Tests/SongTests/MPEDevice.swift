import Glibc

/// How a keyboard of MPE sends what fingers do: what it says first, in which order a note begins, how often a finger is
/// told of, and in how many bits.
struct MPEDevice {
  let name: String
  /// Its configuration message, as a song of it has it; none of those that send none.
  let members: UInt8?
  /// Semitones that full bend is, and whether it says so by RPN 0.
  let range: Double
  let saysRange: Bool
  /// Milliseconds between two reports of a finger.
  let period: Int
  /// What comes before the note on, in this order.
  let first: [Dimension]
  /// How 74 comes: in one half or two.
  let isFine: Bool
  /// What comes when the finger has gone, after the note off.
  let last: [Dimension]

  /// What a finger moves.
  enum Dimension { case bend, slide, pressure }

  /// A Seaboard: says all of it, 48 semitones; lets a finger begin where it is, and reports it every 4 ms.
  static let seaboard = MPEDevice(
    name: "Seaboard", members: 15, range: 48, saysRange: true, period: 4, first: [.bend, .slide, .pressure],
    isFine: false, last: [])

  /// A LinnStrument, a channel for each note: sends no configuration, takes 48 semitones for known, and puts the channel
  /// to rest when the finger has gone.
  static let linnstrument = MPEDevice(
    name: "LinnStrument", members: nil, range: 48, saysRange: false, period: 8,
    first: [.pressure, .slide, .bend], isFine: false, last: [.pressure, .bend])

  /// An Osmose: its keys press before they strike; 24 semitones by RPN 0, slides in 14 bits.
  static let osmose = MPEDevice(
    name: "Osmose", members: 15, range: 24, saysRange: true, period: 3, first: [.pressure, .bend, .slide],
    isFine: true, last: [.pressure])

  /// A finger: its key, when it comes and goes, ms, and where it bends to, semitones, within 200 ms.
  struct NoteExpression {
    let key: UInt8
    let from: Int
    let to: Int
    let bend: Double
  }

  /// A file of what fingers do, one after the other on channels 2 to 16 in turn.
  func song(_ fingers: [NoteExpression]) -> [UInt8] {
    var messages: [(at: Int, bytes: [UInt8])] = []
    func send(_ at: Int, _ bytes: [UInt8]) { messages.append((at, bytes)) }
    func parameter(_ at: Int, _ number: UInt8, _ value: UInt8, channel: UInt8) {
      for (controller, value) in [(101, 0), (100, number), (6, value), (101, 127), (100, 127)]
        as [(UInt8, UInt8)]
      {
        send(at, [0xB0 | channel, controller, value])
      }
    }
    if let members { parameter(0, 6, members, channel: 0) }
    if saysRange { parameter(1, 0, UInt8(range), channel: 1) }
    for (index, finger) in fingers.enumerated() {
      let channel = UInt8(1 + index % 15)
      func report(_ at: Int, _ dimensions: [Dimension], bend: Double, pressure: Double) {
        for dimension in dimensions {
          switch dimension {
          case .bend:
            let value = max(0, min(Int((8192 + bend / range * 8192).rounded()), 16_383))
            send(at, [0xE0 | channel, UInt8(value & 127), UInt8(value >> 7)])
          case .pressure: send(at, [0xD0 | channel, UInt8(max(0, min(pressure * 127, 127)))])
          case .slide:
            let value = 8192 + (at * 37) % 2_000
            send(at, [0xB0 | channel, 74, UInt8(value >> 7)])
            if isFine { send(at, [0xB0 | channel, 106, UInt8(value & 127)]) }
          }
        }
      }
      report(finger.from, first, bend: 0, pressure: 0.1)
      send(finger.from, [0x90 | channel, finger.key, 100])
      var at = finger.from + period
      while at < finger.to {
        let way = min(1, Double(at - finger.from) / 200)
        report(at, [.bend, .pressure], bend: finger.bend * way, pressure: 0.3 + 0.2 * way)
        if at % (2 * period) == 0 { report(at, [.slide], bend: 0, pressure: 0) }
        at += period
      }
      // Lift is the release velocity.
      send(finger.to, [0x80 | channel, finger.key, 40])
      report(finger.to, last, bend: 0, pressure: 0)
    }
    return midi(format: 0, division: 500, tracks: [Self.track(messages)])
  }

  /// A track of messages at milliseconds: a quarter note of 500 ticks takes half a second.
  private static func track(_ messages: [(at: Int, bytes: [UInt8])]) -> [UInt8] {
    var (bytes, now) = ([UInt8](), 0)
    for (_, message) in messages.enumerated().sorted(by: {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }) {
      bytes += variable(message.at - now) + message.bytes
      now = message.at
    }
    return bytes + end
  }

  /// A number as files write it, seven bits at a time.
  private static func variable(_ value: Int) -> [UInt8] {
    value < 128 ? [UInt8(value)] : [UInt8(value >> 7 & 127 | 128), UInt8(value & 127)]
  }
}
