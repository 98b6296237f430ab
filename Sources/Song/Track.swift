import MIDI
import Scenes

/// One track of a file. Times are in ticks.
struct Track {
  /// A message and its time.
  struct Item {
    enum Content {
      case message(ChannelMessage)
      /// The bytes of a system exclusive message without the first and the last.
      case exclusive([UInt8])
      /// A time signature: its upper number, and the power of 2 that is its lower number.
      case meter(beats: Int, power: Int)
      /// A loop point.
      case loop(isStart: Bool)
      /// The first bytes of a text, a lyric or a marker.
      case text(SongTexts.Kind, [UInt8])
    }

    let tick: Int
    let content: Content
  }

  /// The channel messages, the system exclusive messages that pipit understands, the time signatures, the loop points
  /// and the texts, in order.
  private(set) var items: [Item] = []
  /// The tempo changes, microseconds per quarter note.
  private(set) var tempos: [(tick: Int, microseconds: Int)] = []
  /// The first kind of instrument that it names.
  private(set) var setUp: (tick: Int, setUp: SetUp)?
  /// Whether a text event says that it is for pipit.
  private(set) var isForPipit = false
  /// The number of its MIDI port (FF 21); 0 without one.
  private(set) var port: UInt8 = 0
  /// The end of the track.
  private(set) var end = 0

  /// The text event of a song whose programs are those of pipit's banks.
  static let mark = "pipit"

  private let number: Int
  private let maxMessages: Int
  // A message exceeded `maxMessages`.
  private var isFull = false
  private var parser = MIDIParser()
  private var held = HeldNotes()
  private var exclusive = ExclusivePackets()
  // Whether a start of a loop was found, and an end.
  private var loopPoints: Set<Bool> = []

  /// Reads the track number `number`, from 1, from the rest of `cursor`, with at most `maxMessages` messages. A missing
  /// end of track is assumed at the end of the bytes; bytes after one are not read. Notes held where a damaged track
  /// ends are released there.
  init(
    _ cursor: inout Cursor, number: Int, maxMessages: Int, _ findings: inout Findings
  ) throws(SongError) {
    (self.number, self.maxMessages) = (number, maxMessages)
    do {
      while cursor.left > 0 {
        let offset = cursor.offset
        if try event(&cursor, &findings) {
          take(exclusive.end())
          return
        }
        guard isFull else { continue }
        try findings.note(.messages, SongError("more messages than a song may have", at: offset))
        release()
        return
      }
      take(exclusive.end())
      // If the chunk lengths are invalid, a track without an end was cut off.
      if findings.has(.chunks) { release() }
    } catch {
      try findings.note(.broken, error)
      release()
    }
  }

  // MARK: - Packets

  /// A track without messages, which `add` fills.
  init(maxMessages: Int) { (number, self.maxMessages) = (1, maxMessages) }

  /// Moves the end by a number of ticks.
  mutating func wait(_ ticks: Int) { end += ticks }

  /// Adds a Universal MIDI Packet; false if there is no room for its message.
  mutating func add(_ packet: [UInt32]) -> Bool {
    let second = packet.count > 1 ? packet[1] : 0
    switch packet[0] >> 28 {
    case 0x3:
      let bytes = UMP.exclusive(packet[0], second)
      take(exclusive.add(bytes, status: packet[0] >> 20 & 15, at: end))
    // A tempo, in ten nanoseconds for a quarter note.
    case 0xD where packet[0] & 0xC0_FFFF == 0:
      if second >= 50 { tempos.append((end, (Int(second) + 50) / 100)) }
    default:
      let pitch = UMP.noteOnPitch(packet[0], second)
      for message in [pitch, UMP.message(packet[0], second)] {
        guard let message, message.message != .reset else { continue }
        isFull = items.count >= maxMessages
        if isFull { return false }
        items.append(Item(tick: end, content: .message(message)))
        held.take(message)
      }
    }
    return !isFull
  }

  /// Moves the track to a later tick, to be played by itself: it begins at the initial tempo and releases its notes at
  /// the end.
  mutating func begin(at tick: Int) {
    release()
    items = items.map { Item(tick: $0.tick + tick, content: $0.content) }
    tempos = [(tick, TempoMap.initial)] + tempos.map { ($0.tick + tick, $0.microseconds) }
    setUp = setUp.map { ($0.tick + tick, $0.setUp) }
    end += tick
  }

  /// The channels that have notes.
  var channelsWithNotes: Set<UInt8> {
    items.reduce(into: []) { channels, item in
      if case .message(let played) = item.content, case .noteOn = played.message {
        channels.insert(played.channel)
      }
    }
  }

  /// Gives messages of each channel another one, and removes those of channels that get none, and system exclusive ones.
  mutating func move(to channels: [UInt8?]) {
    items = items.compactMap { item in
      switch item.content {
      case .message(let played):
        guard let channel = channels[Int(played.channel)] else { return nil }
        return Item(tick: item.tick, content: .message(ChannelMessage(channel, played.message)))
      case .exclusive: return nil
      case .meter, .loop, .text: return item
      }
    }
  }

  /// Releases held notes and pedals at the end.
  mutating func release() {
    for message in held.releases { items.append(Item(tick: end, content: .message(message))) }
    held = HeldNotes()
  }

  /// Reads one event and the time before it; true for the end of the track.
  private mutating func event(
    _ cursor: inout Cursor, _ findings: inout Findings
  ) throws(SongError) -> Bool {
    end += try cursor.quantity(number, &findings)
    var offset = cursor.offset
    var first = try cursor.peek()
    if first < 0x80 && !parser.hasStatus {
      let error = SongError("data byte \(first.hex) without a status before it", at: offset)
      try findings.note(.strayData, error, track: number)
      // The next event is assumed at the same time.
      while first < 0x80 {
        _ = try cursor.byte()
        if cursor.left == 0 { return false }
        first = try cursor.peek()
      }
      offset = cursor.offset
    }
    switch first {
    case 0xFF:
      // Running status ends here by the standard, but many programs continue it.
      if findings.isStrict { parser.endStatus() }
      return try meta(&cursor, &findings)
    case 0xF0, 0xF7:
      if findings.isStrict { parser.endStatus() }
      _ = try cursor.byte()
      let length = try cursor.quantity(number, &findings)
      let bytes = cursor.next(min(length, Limits.exclusiveBytes))
      try cursor.skip(length, of: "a system exclusive message")
      take(exclusive.add(bytes, isFirst: first == 0xF0, at: end))
    case 0xF1...0xFE:
      let error = SongError("status \(first.hex) is not allowed in a file", at: offset)
      try findings.note(.status, error, track: number)
      try skip(&cursor)
    default: try message(&cursor, &findings)
    }
    return false
  }

  /// Keeps the system exclusive messages that pipit understands.
  private mutating func take(_ found: [(tick: Int, bytes: [UInt8])]) {
    for (tick, bytes) in found
    where SystemExclusiveMessage.isKnown(bytes) || ReceivedChannels.change(bytes) != nil {
      if setUp == nil, let named = SetUp(bytes) { setUp = (tick, named) }
      isFull = items.count >= maxMessages
      if isFull { return }
      items.append(Item(tick: tick, content: .exclusive(bytes)))
    }
  }

  /// Reads a channel message, with its own or a running status.
  private mutating func message(
    _ cursor: inout Cursor, _ findings: inout Findings
  ) throws(SongError) {
    take(exclusive.end())
    if try cursor.peek() >= 0x80 { _ = parser.parse(try cursor.byte()) }
    while true {
      let offset = cursor.offset
      let byte = try cursor.byte()
      if byte > 127 {
        let error = SongError("\(byte.hex) instead of a data byte of 0 to 127", at: offset)
        try findings.note(.topBit, error, track: number)
      }
      guard let message = parser.parse(byte & 0x7F) else { continue }
      isFull = items.count >= maxMessages
      if isFull { return }
      items.append(Item(tick: end, content: .message(message)))
      held.take(message)
      return
    }
  }

  /// Skips a system message as used on a cable, with its data bytes.
  private func skip(_ cursor: inout Cursor) throws(SongError) {
    let status = try cursor.byte()
    var data = status == 0xF2 ? 2 : status == 0xF1 || status == 0xF3 ? 1 : 0
    while data > 0, cursor.left > 0, try cursor.peek() < 0x80 {
      _ = try cursor.byte()
      data -= 1
    }
  }

  /// Keeps a time signature that bars can have.
  private mutating func take(signature bytes: [UInt8]) {
    guard bytes.count == 2, 1...127 ~= bytes[0], bytes[1] <= Meter.shortest else { return }
    isFull = items.count >= maxMessages
    if isFull { return }
    items.append(Item(tick: end, content: .meter(beats: Int(bytes[0]), power: Int(bytes[1]))))
  }

  /// Keeps a text, or the first loop point of each kind.
  private mutating func take(_ kind: SongTexts.Kind, _ text: [UInt8]) {
    isFull = items.count >= maxMessages
    if isFull { return }
    let word = text.count > 9 ? "" : String(decoding: text, as: UTF8.self).lowercased()
    if kind != .lyric, word == "loopstart" || word == "loopend" {
      let isStart = word == "loopstart"
      if loopPoints.insert(isStart).inserted {
        items.append(Item(tick: end, content: .loop(isStart: isStart)))
      }
    } else if !text.isEmpty {
      items.append(Item(tick: end, content: .text(kind, text)))
    }
  }

  /// Reads a meta event; true for the end of the track.
  private mutating func meta(
    _ cursor: inout Cursor, _ findings: inout Findings
  ) throws(SongError) -> Bool {
    _ = try cursor.byte()
    let offset = cursor.offset
    let type = try cursor.byte()
    let length = try cursor.quantity(number, &findings)
    if type == 0x01, length == Track.mark.utf8.count, cursor.next(length).elementsEqual(Track.mark.utf8) {
      isForPipit = true
    }
    if type == 0x21, length == 1 { port = cursor.next(1).first ?? 0 }
    if type == 0x58, length >= 2 { take(signature: Array(cursor.next(2))) }
    if let kind = SongTexts.Kind(rawValue: type) {
      take(kind, Array(cursor.next(min(length, SongTexts.longestEvent))))
    }
    let isTempo = type == 0x51
    var tempo = cursor
    if isTempo && length < 3 {
      let error = SongError("a tempo has \(length) bytes instead of 3", at: offset)
      try findings.note(.tempo, error, track: number)
    }
    try cursor.skip(length, of: isTempo ? "a tempo" : "meta event \(type.hex)")
    if isTempo && length >= 3 {
      let microseconds = try tempo.number(3)
      if microseconds > 0 {
        tempos.append((end, microseconds))
      } else {
        let error = SongError("a tempo of 0 microseconds", at: offset)
        try findings.note(.tempo, error, track: number)
      }
    }
    return type == 0x2F
  }
}

/// Assembles the system exclusive messages of a track. An F0 packet begins a message, and F7 packets continue it
/// until one ends with F7. An F7 packet that continues no message may hold any bytes.
struct ExclusivePackets {
  // The bytes so far, without F0, and the tick of the last packet; nil between messages.
  private var begun: (tick: Int, bytes: [UInt8])?

  /// Reads a packet. Returns the messages that it ends, with their ticks, without F0 and F7.
  mutating func add(_ packet: ArraySlice<UInt8>, isFirst: Bool, at tick: Int) -> [(tick: Int, bytes: [UInt8])]
  {
    var found: [(tick: Int, bytes: [UInt8])] = []
    if isFirst {
      found = end()
      begun = (tick, Array(packet))
    } else if let bytes = begun?.bytes {
      begun = (tick, Array((bytes + packet).prefix(Limits.exclusiveBytes)))
    } else if packet.first == 0xF0 {
      begun = (tick, Array(packet.dropFirst()))
    }
    if begun?.bytes.last == 0xF7 { found += end() }
    return found
  }

  /// Reads a packet of type 3 of a clip, which says whether it is whole (0), begins (1), continues (2) or ends (3).
  mutating func add(
    _ packet: [UInt8], status: UInt32, at tick: Int
  ) -> [(tick: Int, bytes: [UInt8])] {
    if status < 2 { begun = (tick, packet) }
    if status >= 2, let bytes = begun?.bytes {
      begun = (tick, Array((bytes + packet).prefix(Limits.exclusiveBytes)))
    }
    return status == 0 || status == 3 ? end() : []
  }

  /// Ends a message that has begun, because another event follows: many programs leave out the last F7.
  mutating func end() -> [(tick: Int, bytes: [UInt8])] {
    guard var message = begun else { return [] }
    begun = nil
    if message.bytes.last == 0xF7 { message.bytes.removeLast() }
    return message.bytes.contains { $0 > 127 } ? [] : [message]
  }
}
