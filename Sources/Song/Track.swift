import MIDI

/// One track of a file, in ticks.
struct Track {
  /// A message and when it comes.
  struct Item {
    let tick: Int
    let message: ChannelMessage
  }

  /// The channel messages, in order.
  private(set) var items: [Item] = []
  /// The tempo changes: microseconds for a quarter note.
  private(set) var tempos: [(tick: Int, microseconds: Int)] = []
  /// What it says of the instrument, first.
  private(set) var setUp: (tick: Int, setUp: SetUp)?
  /// Where the track ends, ticks.
  private(set) var end = 0

  private let number: Int
  private let room: Int
  // A message has found no room.
  private var isFull = false
  private var parser = MIDIParser()
  private var held = Held()

  /// Reads the track that fills the rest of `cursor`, the `number`th from 1, no more than `room` messages. An end of
  /// track that is missing is taken to stand where the bytes end; what follows one is not read. What is held where a
  /// track breaks off is let go there.
  init(
    _ cursor: inout Cursor, number: Int, room: Int, _ findings: inout Findings
  ) throws(SongError) {
    (self.number, self.room) = (number, room)
    do {
      while cursor.left > 0 {
        let place = cursor.offset
        if try event(&cursor, &findings) { return }
        guard isFull else { continue }
        try findings.note(.messages, SongError("more messages than a song may have", at: place))
        release()
        return
      }
      // Where the lengths lie, a track without an end has been cut off.
      if findings.has(.chunks) { release() }
    } catch {
      try findings.note(.broken, error)
      release()
    }
  }

  /// Moves the track to begin at a later tick, with the tempo of a file that says nothing and with nothing held at its
  /// end: it is played on its own.
  mutating func begin(at tick: Int) {
    release()
    items = items.map { Item(tick: $0.tick + tick, message: $0.message) }
    tempos = [(tick, TempoMap.initial)] + tempos.map { ($0.tick + tick, $0.microseconds) }
    setUp = setUp.map { ($0.tick + tick, $0.setUp) }
    end += tick
  }

  /// Lets go what is held, at the end.
  private mutating func release() {
    for message in held.releases { items.append(Item(tick: end, message: message)) }
    held = Held()
  }

  /// Reads one event and the time before it; true for the end of the track.
  private mutating func event(
    _ cursor: inout Cursor, _ findings: inout Findings
  ) throws(SongError) -> Bool {
    end += try cursor.quantity(number, &findings)
    var place = cursor.offset
    var first = try cursor.peek()
    if first < 0x80 && !parser.hasStatus {
      let error = SongError("data byte \(first.hex) without a status before it", at: place)
      try findings.note(.strayData, error, track: number)
      // What comes next is taken to be at the same time.
      while first < 0x80 {
        _ = try cursor.byte()
        if cursor.left == 0 { return false }
        first = try cursor.peek()
      }
      place = cursor.offset
    }
    switch first {
    case 0xFF:
      // Running status ends here, which many writers of files do not know.
      if findings.isStrict { parser.endStatus() }
      return try meta(&cursor, &findings)
    case 0xF0, 0xF7:
      if findings.isStrict { parser.endStatus() }
      _ = try cursor.byte()
      let length = try cursor.quantity(number, &findings)
      let bytes = cursor.next(min(length, 16))
      try cursor.skip(length, of: "a system exclusive message")
      let told = bytes.withUnsafeBufferPointer { bytes in
        bytes.baseAddress.flatMap { SetUp($0, count: bytes.count) }
      }
      if first == 0xF0, setUp == nil, let told { setUp = (end, told) }
    case 0xF1...0xFE:
      let error = SongError("status \(first.hex) must not stand in a file", at: place)
      try findings.note(.status, error, track: number)
      try skip(&cursor)
    default: try message(&cursor, &findings)
    }
    return false
  }

  /// Takes a channel message, whose status may be the one before it.
  private mutating func message(
    _ cursor: inout Cursor, _ findings: inout Findings
  ) throws(SongError) {
    if try cursor.peek() >= 0x80 { _ = parser.parse(try cursor.byte()) }
    while true {
      let place = cursor.offset
      let byte = try cursor.byte()
      if byte > 127 {
        let error = SongError("\(byte.hex) stands where a data byte of 0 to 127 must", at: place)
        try findings.note(.topBit, error, track: number)
      }
      guard let message = parser.parse(byte & 0x7F) else { continue }
      isFull = items.count >= room
      if isFull { return }
      items.append(Item(tick: end, message: message))
      held.take(message)
      return
    }
  }

  /// Steps over a message of the system as it is on a cable, with those of its data that are there.
  private func skip(_ cursor: inout Cursor) throws(SongError) {
    let status = try cursor.byte()
    var data = status == 0xF2 ? 2 : status == 0xF1 || status == 0xF3 ? 1 : 0
    while data > 0, cursor.left > 0, try cursor.peek() < 0x80 {
      _ = try cursor.byte()
      data -= 1
    }
  }

  /// Takes a meta event; true for the end of the track.
  private mutating func meta(
    _ cursor: inout Cursor, _ findings: inout Findings
  ) throws(SongError) -> Bool {
    _ = try cursor.byte()
    let place = cursor.offset
    let type = try cursor.byte()
    let length = try cursor.quantity(number, &findings)
    let isTempo = type == 0x51
    var tempo = cursor
    if isTempo && length < 3 {
      let error = SongError("a tempo has \(length) bytes instead of 3", at: place)
      try findings.note(.tempo, error, track: number)
    }
    try cursor.skip(length, of: isTempo ? "a tempo" : "meta event \(type.hex)")
    if isTempo && length >= 3 {
      let microseconds = try tempo.number(3)
      if microseconds > 0 {
        tempos.append((end, microseconds))
      } else {
        let error = SongError("a tempo of 0 microseconds", at: place)
        try findings.note(.tempo, error, track: number)
      }
    }
    return type == 0x2F
  }
}
