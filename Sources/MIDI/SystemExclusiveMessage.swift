import Scenes

/// A system exclusive message that has a meaning here: universal messages of MIDI 1.0, GM and its extensions, and the
/// MIDI tuning standard. Its bytes are in the memory of the decoder, and valid until the next byte is read.
public struct SystemExclusiveMessage {
  enum Content {
    case identityRequest
    case reset(SetUp)
    case masterVolume(MIDIValue)
    case masterTuning(Float)
    /// The pitches of `count` keys, each after its key number, or of all keys in order.
    case keys(first: Int, count: Int)
    case allKeys(first: Int)
    /// The offsets of the twelve tones of an octave, of one byte or two each, for the given channels, one bit each.
    case scale(first: Int, isFine: Bool, channels: UInt32)
    /// The offsets of some tones from `tone` on, of one byte each, for a channel. Small numbers, because Swift 6.0.3
    /// does not compile an optional message with a larger payload.
    case tones(first: Int, tone: UInt8, count: UInt8, channel: UInt8)
    /// A setting of one channel, or of the source: the event that it is.
    case setting(Event.Kind, note: UInt8, channel: UInt8, Float)
  }

  private let bytes: UnsafePointer<UInt8>
  private var content: Content

  /// The message in `count` bytes, without F0 and F7; nil for any other.
  @_noLocks
  init?(_ bytes: UnsafePointer<UInt8>, count: Int, _ memory: inout SourceMemory) {
    self.bytes = bytes
    if let setUp = SetUp(bytes, count: count) {
      content = .reset(setUp)
      return
    }
    if count < 4 { return nil }
    if bytes[0] < 0x7E {
      // Not with `??`: Swift 6.0.3 cannot compile an optional of this type in memory here.
      if let found = Self.gs(bytes, count: count, &memory) {
        content = found
        return
      }
      guard let found = Self.xg(bytes, count: count, &memory) else { return nil }
      content = found
      return
    }
    // 7E or 7F, the device number, and two sub-IDs of the message.
    let isRealtime = bytes[0] == 0x7F
    switch (isRealtime, bytes[2], bytes[3]) {
    case (false, 0x06, 0x01): content = .identityRequest
    case (true, 0x04, 0x01):
      if count < 6 { return nil }
      content = .masterVolume(MIDIValue(UInt32(bytes[5]) << 7 | UInt32(bytes[4]), bits: 14))
    case (true, 0x04, 0x02):
      if count < 6 { return nil }
      let value = MIDIValue(UInt32(bytes[5]) << 7 | UInt32(bytes[4]), bits: 14)
      content = .setting(.masterBalance, note: 0, channel: 0, value.bipolar)
    case (true, 0x04, 0x03):
      if count < 6 { return nil }
      memory.fine = (Float(Int(bytes[5]) << 7 | Int(bytes[4])) - 8192) / 8192
      content = .masterTuning(memory.tuning)
    case (true, 0x04, 0x04):
      if count < 6 { return nil }
      memory.coarse = Float(bytes[5]) - 64
      content = .masterTuning(memory.tuning)
    // A bulk dump: tuning program, sixteen letters, all keys. Checksums are wrong so often that they are ignored.
    case (false, 0x08, 0x01):
      if count < 405 { return nil }
      content = .allKeys(first: 21)
    case (true, 0x08, 0x02):
      guard count >= 6, count >= 6 + 4 * Int(bytes[5]) else { return nil }
      content = .keys(first: 6, count: Int(bytes[5]))
    // Single notes, in a bank.
    case (_, 0x08, 0x07):
      guard count >= 7, count >= 7 + 4 * Int(bytes[6]) else { return nil }
      content = .keys(first: 7, count: Int(bytes[6]))
    case (_, 0x08, 0x08), (_, 0x08, 0x09):
      let isFine = bytes[3] == 0x09
      if count < 7 + (isFine ? 24 : 12) { return nil }
      let (high, middle, low) = (UInt32(bytes[4] & 3), UInt32(bytes[5]), UInt32(bytes[6]))
      content = .scale(first: 7, isFine: isFine, channels: high << 14 | middle << 7 | low)
    default: return nil
    }
  }

  /// Stores the key shift or the bend range of one of the sixteen channels of its source, which later messages change.
  @_noLocks
  mutating func keep(in channels: UnsafeMutablePointer<ChannelMemory>) {
    guard case .setting(let kind, let note, let channel, let value) = content else { return }
    let parameters = channels + Int(channel & 15)
    switch kind {
    case .tuning:
      let whole = parameters.pointee.parameters.shift(by: value)
      content = .setting(kind, note: note, channel: channel, whole)
    case .bendRange: parameters.pointee.parameters.setBendRange(value)
    default: break
    }
  }

  /// True for an identity request.
  public var isIdentityRequest: Bool {
    @_noLocks get { if case .identityRequest = content { true } else { false } }
  }
  /// True for a message that resets its source.
  var isReset: Bool { @_noLocks get { if case .reset = content { true } else { false } } }
  /// Whether a message, without F0 and F7, has a meaning here.
  public static func isKnown(_ bytes: [UInt8]) -> Bool {
    var memory = SourceMemory()
    return bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.flatMap { SystemExclusiveMessage($0, count: buffer.count, &memory) } != nil
    }
  }
  /// The device number that it is for, 0…127; 127 addresses all devices.
  public var device: UInt8 { @_noLocks get { bytes[1] } }

  /// The number of events that it may have.
  public var count: Int {
    @_noLocks get {
      switch content {
      case .identityRequest: 0
      case .reset, .masterVolume, .masterTuning, .setting: 1
      case .keys(_, let count): count
      case .allKeys: 128
      case .scale: Limits.channels * 12
      case .tones(_, _, let count, _): Int(count)
      }
    }
  }

  /// The event at an index 0..<`count`; nil if it changes nothing.
  @_noLocks
  public func event(_ index: Int, source: UInt8, frame: Int64) -> Event? {
    var event = Event(frame: frame, kind: .panic, source: source)
    switch content {
    case .identityRequest: return nil
    case .reset(.generalMIDI): return .generalMIDI(source: source, frame: frame)
    case .reset(.native): (event.kind, event.value) = (.setUp, 1)
    case .masterVolume(let value):
      (event.kind, event.value) = (.masterVolume, value.fraction)
    case .masterTuning(let semitones): (event.kind, event.value) = (.masterTuning, semitones)
    case .keys(let first, _):
      let offset = first + 4 * index
      return tune(&event, key: bytes[offset], at: offset + 1)
    case .allKeys(let first):
      return tune(&event, key: UInt8(truncatingIfNeeded: index), at: first + 3 * index)
    case .scale(let first, let isFine, let channels):
      let (channel, tone) = (index / 12, index % 12)
      if channels >> UInt32(channel) & 1 == 0 { return nil }
      (event.kind, event.target) = (.scaleTuning, UInt8(truncatingIfNeeded: channel))
      event.note = UInt8(truncatingIfNeeded: tone)
      event.value =
        isFine
        ? (Float(Int(bytes[first + 2 * tone]) << 7 | Int(bytes[first + 2 * tone + 1])) - 8192) / 8192
        : (Float(bytes[first + tone]) - 64) / 100
    case .tones(let first, let tone, _, let channel):
      (event.kind, event.target) = (.scaleTuning, channel)
      event.note = tone &+ UInt8(truncatingIfNeeded: index)
      event.value = (Float(bytes[first + index]) - 64) / 100
    case .setting(let kind, let note, let channel, let value):
      (event.kind, event.note) = (kind, note)
      (event.target, event.value) = (channel, value)
    }
    return event
  }

  /// The pitch of a key: whole semitones, and a fraction of 14 bits. 7F 7F 7F is no change.
  @_noLocks
  private func tune(_ event: inout Event, key: UInt8, at offset: Int) -> Event? {
    let (semitone, high, low) = (bytes[offset], bytes[offset + 1], bytes[offset + 2])
    if semitone == 127, high == 127, low == 127 { return nil }
    (event.kind, event.note) = (.keyTuning, key)
    event.value = Float(semitone) - Float(key) + Float(Int(high) << 7 | Int(low)) / 16_384
    return event
  }
}

/// State of a source that later system exclusive messages depend on.
struct SourceMemory {
  /// Coarse and fine master tuning in semitones.
  var (coarse, fine): (Float, Float) = (0, 0)
  var tuning: Float { @_noLocks get { coarse + fine } }

  @_noLocks init() {}
}

extension MIDIDecoder {
  /// The events, at frame 0, of a whole system exclusive message, without F0 and F7; none if it means nothing.
  public func events(exclusive bytes: [UInt8], source: UInt8) -> [Event] {
    _ = read(exclusive: 0xF0, source: source)
    for byte in bytes { _ = read(exclusive: byte, source: source) }
    guard let message = read(exclusive: 0xF7, source: source) else { return [] }
    return (0..<message.count).compactMap { message.event($0, source: source, frame: 0) }
  }
}

/// The reply to an identity request.
public enum Identity {
  /// The identity reply of the device number that was asked, 0…127: manufacturer ID 7D, which is for devices without
  /// an ID of their own, family and model 0, and the first four of the numbers in `version`, which are
  /// separated by points.
  public static func answer(device: UInt8, version: String) -> [UInt8] {
    var numbers = version.split(separator: ".").prefix(4).map { UInt8(clamping: Int($0) ?? 0) & 0x7F }
    while numbers.count < 4 { numbers.append(0) }
    // 127 asks all devices: number 0 replies.
    let responder: UInt8 = device > 126 ? 0 : device
    return [0xF0, 0x7E, responder, 0x06, 0x02, 0x7D, 0, 0, 0, 0] + numbers + [0xF7]
  }
}

/// A system exclusive message that states the instrument for which a device or a song is made.
public enum SetUp: Sendable {
  /// General MIDI, its second version, or one of its extensions: GS, XG.
  case generalMIDI
  /// The programs of the instrument itself: GM System Off.
  case native

  /// Reads `count` bytes of a message, without F0; bytes after the message, such as F7, are ignored. Nil for any
  /// other message. The second byte, the device number, may be any.
  @_noLocks
  public init?(_ bytes: UnsafePointer<UInt8>, count: Int) {
    guard count >= 4 else { return nil }
    switch (bytes[0], bytes[2], bytes[3]) {
    case (0x7E, 0x09, 0x01), (0x7E, 0x09, 0x03): self = .generalMIDI
    case (0x7E, 0x09, 0x02): self = .native
    // Roland: data for an address, of the GS reset or the system mode, and their checksum.
    case (0x41, 0x42, 0x12):
      guard count >= 9, bytes[5] == 0, bytes[6] == 0x7F else { return nil }
      let sum = Int(bytes[4]) &+ Int(bytes[6]) &+ Int(bytes[7]) &+ Int(bytes[8])
      if sum & 127 != 0 { return nil }
      guard bytes[4] == 0 || bytes[4] == 0x40 && bytes[7] == 0 else { return nil }
      self = .generalMIDI
    // Yamaha: XG System On, and the reset of all parameters.
    case (0x43, 0x4C, 0x00):
      guard count >= 7, bytes[4] == 0, bytes[5] == 0x7E || bytes[5] == 0x7F, bytes[6] == 0 else { return nil }
      self = .generalMIDI
    default: return nil
    }
  }
}
