import Scenes

/// Converts MIDI messages to events of the instrument, for keyboards and song files alike. It keeps the state that
/// later messages depend on, for each source and channel.
///
/// No clock, no locks, no allocation: the caller knows at which frame a message is to be played.
public struct MIDIDecoder: ~Copyable {
  private let channels: UnsafeMutablePointer<ChannelMemory>
  private let sources: UnsafeMutablePointer<SourceMemory>
  private let zones: UnsafeMutablePointer<MPEZones>
  private let exclusives: UnsafeMutablePointer<ExclusiveBytes>
  private let bytes: UnsafeMutablePointer<UInt8>

  /// A decoder in its initial state, for `Limits.sources` sources.
  public init() {
    channels = .allocate(capacity: Limits.sources * Limits.channels)
    channels.initialize(repeating: ChannelMemory(), count: Limits.sources * Limits.channels)
    sources = .allocate(capacity: Limits.sources)
    sources.initialize(repeating: SourceMemory(), count: Limits.sources)
    zones = .allocate(capacity: Limits.sources)
    zones.initialize(repeating: MPEZones(), count: Limits.sources)
    bytes = .allocate(capacity: Limits.sources * Limits.exclusiveBytes)
    bytes.initialize(repeating: 0, count: Limits.sources * Limits.exclusiveBytes)
    exclusives = .allocate(capacity: Limits.sources)
    for source in 0..<Limits.sources {
      (exclusives + source).initialize(to: ExclusiveBytes(bytes + source * Limits.exclusiveBytes))
    }
  }

  deinit {
    channels.deallocate()
    sources.deallocate()
    zones.deallocate()
    exclusives.deallocate()
    bytes.deallocate()
  }

  /// Forgets the controller values of a source that has ended, but not the player's settings for it.
  @_noLocks
  public func forget(_ source: UInt8) {
    exclusives[number(source)].reset()
    reset(source)
  }

  /// Forgets the state that the messages of a source have left.
  @_noLocks
  private func reset(_ source: UInt8) {
    sources[number(source)] = SourceMemory()
    zones(of: source).pointee.forget()
    settle(source, UInt32.max)
  }

  /// Reads the next byte of a system exclusive message from `source`, including F0 and F7; other bytes of a stream do
  /// no harm. Returns the message that it completes, if that has a meaning here. Read its events before the next
  /// byte.
  @_noLocks
  public func read(exclusive byte: UInt8, source: UInt8) -> SystemExclusiveMessage? {
    let number = number(source)
    guard let whole = exclusives[number].append(byte),
      var message = SystemExclusiveMessage(whole.bytes, count: whole.count, &sources[number])
    else { return nil }
    if message.isReset { reset(source) }
    message.keep(in: channel(source, 0))
    return message
  }

  /// Reads the next piece of a system exclusive message, six bytes at most, from a Universal MIDI Packet of type 3.
  /// Packets of other types are ignored.
  @_noLocks
  public func read(exclusive first: UInt32, _ second: UInt32, source: UInt8) -> SystemExclusiveMessage? {
    if first >> 28 != 3 { return nil }
    let (status, count) = (first >> 20 & 15, min(Int(first >> 16 & 15), 6))
    if status > 3 { return nil }
    if status < 2 { _ = read(exclusive: 0xF0, source: source) }
    let all = UInt64(first & 0xFFFF) << 32 | UInt64(second)
    var index = 0
    while index < count {
      let byte = UInt8(truncatingIfNeeded: all >> UInt64(40 &- 8 &* index)) & 0x7F
      _ = read(exclusive: byte, source: source)
      index &+= 1
    }
    return status == 0 || status == 3 ? read(exclusive: 0xF7, source: source) : nil
  }

  /// Reads a message that `source` has sent at a time in nanoseconds. Every message must be read once, in order.
  /// Without a clock the time may stay 0.
  @_noLocks
  public func read(_ received: ChannelMessage, source: UInt8, at now: Int64) -> SourceMessage {
    guard let (number, value) = received.message.controller else {
      return SourceMessage(received, source: source, .none)
    }
    let kept = channel(source, received.channel)
    return SourceMessage(received, source: source, kept.pointee.read(number, value, at: now))
  }

  /// Reads a message and returns its event at `frame`, for callers without bound controls.
  @_noLocks
  public func event(_ received: ChannelMessage, source: UInt8, frame: Int64) -> Event? {
    event(read(received, source: source, at: 0), frame: frame)
  }

  @_noLocks
  func channel(_ source: UInt8, _ index: UInt8) -> UnsafeMutablePointer<ChannelMemory> {
    channels + (number(source) * Limits.channels + Int(index & 15))
  }

  @_noLocks
  func zones(of source: UInt8) -> UnsafeMutablePointer<MPEZones> { zones + number(source) }

  @_noLocks
  private func number(_ source: UInt8) -> Int { min(Int(source), Limits.sources - 1) }
}

/// Assembles the system exclusive messages of a source from pieces of any size. A message that is longer than any
/// known one is dropped.
struct ExclusiveBytes {
  private let bytes: UnsafeMutablePointer<UInt8>
  /// Bytes of the message so far; -1 between messages, and above `Limits.exclusiveBytes` if it is too long.
  private var count = -1

  /// No message, in memory for `Limits.exclusiveBytes` bytes, which it uses exclusively.
  init(_ bytes: UnsafeMutablePointer<UInt8>) { self.bytes = bytes }

  /// Drops a message that has begun.
  @_noLocks
  mutating func reset() { count = -1 }

  /// Appends the next byte of a stream, which may be any. Returns the message that it completes, without F0 and F7;
  /// nil if it completes none.
  @_noLocks
  mutating func append(_ byte: UInt8) -> (bytes: UnsafePointer<UInt8>, count: Int)? {
    switch byte {
    case 0..<0x80:
      if count >= 0, count < Limits.exclusiveBytes {
        bytes[count] = byte
        count &+= 1
      } else if count >= 0 {
        count = Limits.exclusiveBytes &+ 1
      }
    case 0xF0: count = 0
    // System real-time messages may occur anywhere.
    case 0xF8...: break
    case 0xF7:
      let whole = count
      count = -1
      if whole >= 0, whole <= Limits.exclusiveBytes { return (UnsafePointer(bytes), whole) }
    // Any other status byte aborts the message.
    default: count = -1
    }
    return nil
  }
}
