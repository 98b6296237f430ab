import Parameters

/// A page or a strip in the making: controls are put on it one after the other, later ones on top.
struct Panel {
  /// What it is made for.
  let size: Size
  /// What lies on it.
  private(set) var nodes: [Node] = []

  init(_ size: Size) { self.size = size }

  /// Puts a control on top. One that shows what it sends says when a hand has left it, so that pipit sets it
  /// right even if all that the hand said was lost.
  mutating func add(_ node: Node) {
    nodes.append(node)
    if node.isInteractive && node.messages.contains(where: { $0.receives }) {
      let here = Message.send("/here", [.constant("1", .int)], on: ["touch"], .fall)
      nodes[nodes.count - 1].messages.append(here)
    }
  }

  // MARK: - What is only looked at

  /// A surface that belongs together.
  mutating func plate(_ name: String, _ frame: Frame, _ color: Color = .panel) {
    var box = Node(.box, name, frame, color)
    box["outline"] = .flag(false)
    box["cornerRadius"] = .float(8)
    add(box)
  }

  /// Words that stay.
  mutating func caption(
    _ words: String, _ frame: Frame, _ color: Color = .grey, most: Int? = nil, align: Int = 2
  ) {
    var label = text("caption \(words)", frame, color, letters: words.count, most: most ?? size.text)
    label.values["text"] = .text(words)
    label["textAlignH"] = .int(align)
    add(label)
  }

  /// A text that pipit sends, which is at most so many letters long.
  mutating func readout(
    _ address: String, _ frame: Frame, _ color: Color = .white, letters: Int, most: Int? = nil, align: Int = 2
  ) {
    var label = text(address, frame, color, letters: letters, most: most ?? size.text, tenths: 6)
    label["textAlignH"] = .int(align)
    label.messages = [.hear(address, .value("text", .string))]
    add(label)
  }

  /// A light that pipit switches.
  mutating func lamp(_ address: String, _ frame: Frame, _ color: Color, _ wire: Message.Wire) {
    var lamp = Node(.button, address, frame, color)
    lamp["interactive"] = .flag(false)
    lamp["grabFocus"] = .flag(false)
    lamp["outline"] = .flag(false)
    lamp.messages = [.hear(address, .value("x", wire))]
    add(lamp)
  }

  private func text(_ name: String, _ frame: Frame, _ color: Color, letters: Int, most: Int, tenths: Int = 7)
    -> Node
  {
    var label = Node(.label, name, frame, .none)
    label["textColor"] = .color(color)
    label["textSize"] = .int(Panel.size(letters: letters, width: frame.w, most: most, tenths: tenths))
    return label
  }

  /// The largest size at which so many letters fit. A capital is seven tenths as wide as the size says, a
  /// digit or a small letter six.
  static func size(letters: Int, width: Int, most: Int, tenths: Int = 7) -> Int {
    max(8, min(most, width * 10 / (tenths * max(letters, 1))))
  }

  // MARK: - What is touched

  /// Something to push, with words on it.
  mutating func button(
    _ name: String, _ words: String, _ frame: Frame, _ color: Color, _ messages: [Message], type: Int = 0,
    most: Int? = nil, script: String? = nil
  ) {
    var button = Node(.button, name, frame, color)
    button["buttonType"] = .int(type)
    button.messages = messages
    if let script { button["script"] = .text(script) }
    add(button)
    if !words.isEmpty { caption(words, frame.inset(2), .white, most: most) }
  }

  /// Something to push that makes pipit do something once.
  mutating func trigger(_ address: String, _ words: String, _ frame: Frame, _ color: Color, most: Int? = nil)
  {
    button(
      address, words, frame, color, [.send(address, [.constant("1", .int)], on: ["x"], .rise)], most: most)
  }

  /// A row of choices, of which one is taken; `first` is the number of the first.
  mutating func radio(
    _ address: String, _ names: [String], _ frame: Frame, _ color: Color, first: Int = 0, most: Int? = nil,
    isLabelled: Bool = true
  ) {
    var radio = Node(.radio, address, frame, color.dimmed(0.8))
    radio["steps"] = .int(names.count)
    radio.messages = [
      .both(address, .value("x", .int, low: Double(first), high: Double(first + 1)))
    ]
    add(radio)
    if !isLabelled { return }
    // All as large as the longest can be.
    let longest = names.map(\.count).max() ?? 1
    let fitting = Panel.size(letters: longest, width: frame.w / names.count - 4, most: most ?? size.text)
    for (name, cell) in zip(names, frame.columns(names.count, gap: 0)) {
      caption(name, cell.inset(2), .white, most: fitting)
    }
  }

  /// A fader, without words.
  mutating func fader(_ row: Row, _ address: String, _ frame: Frame, _ color: Color, isAcross: Bool) {
    var fader = Node(.fader, address, frame, color)
    fader["orientation"] = .int(isAcross ? 1 : 0)
    let (low, high) = (row.kind.range.lowerBound, row.kind.range.upperBound)
    fader["centered"] = .flag(low == -high)
    if row.kind.isDiscrete {
      fader.messages = [.both(address, .value("x", .int, low: 0, high: Double(high)))]
    } else {
      fader.messages = [.both(address, .value("x", .float))]
    }
    if case .steps = row.kind {
      fader["grid"] = .flag(true)
      fader["gridSteps"] = .int(Int(high - low))
    }
    fader.values["x"] = .float(
      Double(row.kind.isDiscrete ? row.initial / high : row.kind.fader(value: row.initial)))
    add(fader)
  }
}
