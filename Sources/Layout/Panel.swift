import Parameters

/// Collects the controls of a page or a strip, each above those before.
struct Panel {
  let size: Size
  private(set) var nodes: [LayoutNode] = []

  init(_ size: Size) { self.size = size }

  /// Adds a control on top. A control that sends and receives a value also sends `/here` when the finger leaves, so
  /// that pipit corrects it even if all other messages of the touch were lost.
  mutating func add(_ node: LayoutNode) {
    nodes.append(node)
    if node.isInteractive && node.messages.contains(where: { $0.receives }) {
      let here = ControlMessage.send("/here", [.constant("1", .int)], on: ["touch"], .fall)
      nodes[nodes.count - 1].messages.append(here)
    }
  }

  // MARK: - Displays

  /// A filled rectangle behind controls that belong together.
  mutating func background(_ name: String, _ frame: Frame, _ color: Color = .panel) {
    var box = LayoutNode(.box, name, frame, color)
    box["outline"] = .flag(false)
    box["cornerRadius"] = .float(8)
    add(box)
  }

  /// A fixed text, in the largest size up to `largest` that fits.
  mutating func caption(
    _ words: String, _ frame: Frame, _ color: Color = .grey, largest: Int? = nil, align: Int = 2,
    keepsColor: Bool = false
  ) {
    var label = label(
      "caption \(words)", frame, color, characters: words.count, largest: largest ?? size.text)
    label.values["text"] = .text(words)
    label.keepsColors = keepsColor
    label["textAlignH"] = .int(align)
    add(label)
  }

  /// A text that pipit sends, at most `characters` long.
  mutating func readout(
    _ address: String, also other: String? = nil, _ frame: Frame, _ color: Color = .white, characters: Int,
    largest: Int? = nil, align: Int = 2, script: String? = nil
  ) {
    var label = label(
      address, frame, color, characters: characters, largest: largest ?? size.text, tenths: 6)
    label["textAlignH"] = .int(align)
    if let script { label["script"] = .text(script) }
    label.messages = [address, other].compactMap { $0 }.map { .receive($0, .value("text", .string)) }
    add(label)
  }

  /// Cuts off a line at the bottom of a frame for notices. It also shows errors for a moment, until pipit sends the
  /// notice again.
  mutating func notice(_ frame: inout Frame) {
    readout(
      "/notice", also: "/error", frame.cutBottom(size == .tablet ? 28 : 24, gap: size.gap), .amber,
      characters: 70,
      largest: size.text)
  }

  /// The shape of a lamp, by its number in the file: lamps beside each other differ in more than colour.
  enum Shape: Int { case rectangle = 1, circle, triangle }

  /// An indicator that pipit switches.
  mutating func lamp(
    _ address: String, _ frame: Frame, _ color: Color, _ conversion: ControlMessage.Conversion,
    shape: Shape = .rectangle
  ) {
    var lamp = LayoutNode(.button, address, frame, color)
    lamp["shape"] = .int(shape.rawValue)
    lamp["interactive"] = .flag(false)
    lamp["grabFocus"] = .flag(false)
    lamp["outline"] = .flag(false)
    lamp.messages = [.receive(address, .value("x", conversion))]
    add(lamp)
  }

  private func label(
    _ name: String, _ frame: Frame, _ color: Color, characters: Int, largest: Int, tenths: Int = 7
  ) -> LayoutNode {
    var label = LayoutNode(.label, name, frame, .clear)
    label["textColor"] = .color(color)
    label["textSize"] = .int(
      Panel.textSize(characters: characters, width: frame.w, largest: largest, tenths: tenths))
    return label
  }

  /// The largest text size at which `characters` fit into `width`. A capital is `tenths` = 7 tenths of the text size
  /// wide, a digit or a small letter 6.
  static func textSize(characters: Int, width: Int, largest: Int, tenths: Int = 7) -> Int {
    max(8, min(largest, width * 10 / (tenths * max(characters, 1))))
  }

  // MARK: - Controls

  /// A button with a caption. `type` is TouchOSC's: 0 sends while it is held, 2 toggles.
  mutating func button(
    _ name: String, _ words: String, _ frame: Frame, _ color: Color, _ messages: [ControlMessage],
    type: Int = 0, largest: Int? = nil, script: String? = nil, keepsColor: Bool = false
  ) {
    var button = LayoutNode(.button, name, frame, color)
    button.keepsColors = keepsColor
    button["buttonType"] = .int(type)
    button.messages = messages
    if let script { button["script"] = .text(script) }
    add(button)
    if !words.isEmpty { caption(words, frame.inset(2), .white, largest: largest) }
  }

  /// A button that sends its address once per press.
  mutating func trigger(
    _ address: String, _ words: String, _ frame: Frame, _ color: Color, largest: Int? = nil
  ) {
    button(
      address, words, frame, color, [.send(address, [.constant("1", .int)], on: ["x"], .rise)],
      largest: largest)
  }

  /// Radio buttons; the first sends `first`.
  mutating func radio(
    _ address: String, _ names: [String], _ frame: Frame, _ color: Color, first: Int = 0,
    largest: Int? = nil, isLabelled: Bool = true
  ) {
    var radio = LayoutNode(.radio, address, frame, color.dimmed(0.8))
    radio["steps"] = .int(names.count)
    radio.messages = [
      .both(address, .value("x", .int, low: Double(first), high: Double(first + 1)))
    ]
    add(radio)
    if !isLabelled { return }
    // One size for all: that of the longest name.
    let longest = names.map(\.count).max() ?? 1
    let fitting = Panel.textSize(
      characters: longest, width: frame.w / names.count - 4, largest: largest ?? size.text)
    for (name, cell) in zip(names, frame.columns(names.count, gap: 0)) {
      caption(name, cell.inset(2), .white, largest: fitting)
    }
  }

  /// A fader without captions.
  mutating func fader(_ row: Parameter, _ address: String, _ frame: Frame, _ color: Color, isHorizontal: Bool)
  {
    var fader = LayoutNode(.fader, address, frame, color)
    fader["orientation"] = .int(isHorizontal ? 1 : 0)
    let (low, high) = (row.kind.range.lowerBound, row.kind.range.upperBound)
    // The first releases of the app do not know this property, and draw from the left.
    if low == -high { fader["centered"] = .flag(true) }
    if row.kind.isDiscrete {
      fader.messages = [.both(address, .value("x", .int, low: 0, high: Double(high)))]
    } else {
      fader.messages = [.both(address, .value("x", .float))]
    }
    // Closer lines would look like a grey area.
    if case .steps = row.kind, high - low <= 24 {
      fader["grid"] = .flag(true)
      fader["gridSteps"] = .int(Int(high - low))
    }
    fader.values["x"] = .float(
      Double(row.kind.isDiscrete ? row.initial / high : row.kind.fader(value: row.initial)))
    add(fader)
  }
}
