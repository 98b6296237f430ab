import Scenes

// The page of songs: the choice of a song, its position, and its channels.

extension Panel {
  /// A page of sixteen songs; on a tablet beside them the song that plays, with its channels.
  mutating func songs(_ frame: Frame) {
    var rest = frame
    let isWide = size == .tablet
    notice(&rest)
    if isWide { song(rest.cutRight(660, gap: size.gap * 2)) }
    var top = rest.cutTop(isWide ? 56 : Size.finger, gap: size.gap)
    pageButtons("song", "PAGE", Color.green.dimmed(0.5), &top, width: isWide ? 120 : 88)
    background("songs", top)
    readout("/song/page", top, characters: 14, largest: isWide ? 22 : 15)
    if !isWide { songTransport(rest.cutBottom(Size.finger, gap: size.gap)) }
    slots("/song/slot", rest)
  }

  /// The song: its name and position, the transport buttons, tempo, transposition, and its channels. On a phone a
  /// page of its own.
  mutating func song(_ frame: Frame) {
    var rest = frame
    let isWide = size == .tablet
    if !isWide { notice(&rest) }
    songPosition(rest.cutTop(isWide ? 116 : 84, gap: size.gap))
    songTransport(rest.cutTop(isWide ? 56 : Size.finger, gap: size.gap))
    let cells = rest.cutTop(Size.finger + size.title + 8, gap: size.gap).columns(2, gap: size.gap * 2)
    songFader(
      "/song/tempo", "TEMPO", cells[0], start: 0.5, .value("x", .float), reset: ("/song/tempo/percent", "100")
    )
    songFader(
      "/song/transpose", "TRANSPOSE", cells[1], start: 0.5, .value("x", .int, low: -12, high: 12),
      reset: ("/song/transpose", "0"))
    let channels = rest.rows(4, gap: size.gap).flatMap { $0.columns(4, gap: size.gap) }
    for (index, cell) in channels.enumerated() { songChannel(index + 1, cell) }
  }

  /// The name, the time played and the length, and the position to drag.
  private mutating func songPosition(_ frame: Frame) {
    background("song", frame)
    var rest = frame.inset(size.padding)
    position(rest.cutBottom(Size.finger, gap: 2))
    let (isWide, text) = (size == .tablet, size == .tablet ? 20 : 13)
    let length = rest.cutRight(isWide ? 80 : 50)
    caption("/", rest.cutRight(isWide ? 16 : 10), largest: text)
    readout("/song/length/text", length, .grey, characters: 6, largest: text, align: 1)
    readout("/song/position/text", rest.cutRight(isWide ? 80 : 50), characters: 6, largest: text, align: 3)
    readout("/song/name", rest, characters: 26, largest: isWide ? 26 : 16, align: 1)
  }

  private mutating func position(_ frame: Frame) {
    var fader = LayoutNode(.fader, "/song/position/fader", frame, .green)
    fader["orientation"] = .int(1)
    fader.messages = [.both("/song/position/fader", .value("x", .float))]
    add(fader)
  }

  private mutating func songTransport(_ frame: Frame) {
    let cells = frame.columns(5, gap: size.gap)
    trigger("/song/rewind", "REWIND", cells[0], Color.silver.dimmed(0.6))
    trigger("/song/play", "PLAY", cells[1], Color.green.dimmed(0.75))
    var inside = cells[1].inset(6)
    lamp("/song/playing", inside.cutBottom(5), .amber, .int)
    trigger("/song/pause", "PAUSE", cells[2], Color.green.dimmed(0.5))
    trigger("/song/stop", "STOP", cells[3], Color.silver.dimmed(0.6))
    button(
      "/song/loop", "LOOP", cells[4], Color.amber.dimmed(0.6), [.both("/song/loop", .value("x", .int))],
      type: 2)
  }

  /// A fader with its name and its value above, and beside it a button that resets it to the song as it is written.
  private mutating func songFader(
    _ address: String, _ words: String, _ frame: Frame, start: Double, _ value: ControlMessage.Partial,
    reset: (address: String, value: String)
  ) {
    var rest = frame
    var head = rest.cutTop(size.title + 4, gap: 4)
    readout(address + "/text", head.cutRight(head.w / 2), characters: 8, largest: size.title, align: 3)
    caption(words, head, .grey, largest: size.text, align: 1)
    button(
      "\(reset.address) \(reset.value)", reset.value, rest.cutRight(Size.finger, gap: size.gap),
      Color.silver.dimmed(0.6), [.send(reset.address, [.constant(reset.value, .int)], on: ["x"], .rise)])
    var fader = LayoutNode(.fader, address, rest, .violet)
    fader["orientation"] = .int(1)
    fader["centered"] = .flag(true)
    fader.messages = [.both(address, value)]
    fader.values["x"] = .float(start)
    add(fader)
  }

  /// A channel: a touch mutes it. Its number, the sound that it plays, and a lamp while notes sound.
  private mutating func songChannel(_ number: Int, _ frame: Frame) {
    let stem = "/song/channel/\(number)"
    button(
      stem + "/mute", "", frame, Color.red.dimmed(0.8), [.both(stem + "/mute", .value("x", .int))], type: 2)
    var inside = frame.inset(6)
    lamp(stem + "/sounding", inside.cutBottom(size == .tablet ? 8 : 5), .green, .int)
    var head = inside.cutTop(size.text + 4)
    caption("\(number)", head.cutLeft(head.w / 2), .silver, largest: size.text, align: 1)
    caption("MUTE", head, .grey, largest: size.text - 3, align: 3)
    readout(stem + "/name", inside, characters: 16, largest: size.text)
  }
}
