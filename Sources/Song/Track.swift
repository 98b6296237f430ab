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
  /// Where the track ends, ticks.
  private(set) var end = 0

  /// Reads the track that fills the rest of `cursor`. An end of track that is missing is taken to stand where
  /// the bytes end; what follows one is not read.
  init(_ cursor: inout Cursor) throws(SongError) {
    var parser = MIDIParser()
    while cursor.left > 0 {
      end += try cursor.quantity()
      let place = cursor.offset
      let first = try cursor.peek()
      switch first {
      case 0xFF:
        parser.endStatus()
        if try meta(&cursor) { return }
      case 0xF0, 0xF7:
        parser.endStatus()
        _ = try cursor.byte()
        try cursor.skip(try cursor.quantity(), of: "a system exclusive message")
      case 0xF1...0xFE:
        throw SongError("status \(first.hex) must not stand in a file", at: place)
      default:
        var message: ChannelMessage?
        if first >= 0x80 { message = parser.take(try cursor.byte()) }
        if !parser.hasStatus {
          throw SongError("data byte \(first.hex) without a status before it", at: place)
        }
        while message == nil { message = parser.take(try cursor.data()) }
        if let message { items.append(Item(tick: end, message: message)) }
      }
    }
  }

  /// Takes a meta event; true for the end of the track.
  private mutating func meta(_ cursor: inout Cursor) throws(SongError) -> Bool {
    _ = try cursor.byte()
    let place = cursor.offset
    let type = try cursor.byte()
    let length = try cursor.quantity()
    if type == 0x51 {
      guard length >= 3 else { throw SongError("a tempo has \(length) bytes instead of 3", at: place) }
      var tempo = cursor
      try cursor.skip(length, of: "a tempo")
      let microseconds = try tempo.number(3)
      if microseconds == 0 { throw SongError("a tempo of 0 microseconds", at: place) }
      tempos.append((end, microseconds))
    } else {
      try cursor.skip(length, of: "meta event \(type.hex)")
    }
    return type == 0x2F
  }
}
