import Parameters

/// The names of a choice with too many for radio buttons: a matrix target, a note length. All knobs with the same names
/// share one grid of buttons, which opens in place of the pages when the field of such a knob is touched.
struct ChoiceList {
  /// The first knob of the table with these names.
  let row: Parameter
  var names: [String] { row.choices }

  /// The lists of the table, in its order.
  static let all: [ChoiceList] = {
    var lists: [ChoiceList] = []
    for row in Table.rows where row.isGrid && !lists.contains(where: { $0.names == row.choices }) {
      lists.append(ChoiceList(row: row))
    }
    return lists
  }()

  /// The list of a knob; nil if it has few names or none.
  static func of(_ row: Parameter) -> ChoiceList? { all.first { row.isGrid && $0.names == row.choices } }

  /// The name of its grid in the layout.
  var grid: String { "choice of \(row.address)" }

  /// The words of an address, as `MOD 1 TARGET`. The script of a grid makes the same text from the address that it
  /// sets.
  var title: String { row.address.split(separator: "/").joined(separator: " ").uppercased() }

  /// The colour of its knobs.
  var color: Color { KnobSection.of(row)?.color ?? .silver }

  // MARK: - Scripts

  // A touched field notifies the grid of its address and the name that it shows; a touched name notifies the grid of
  // that name. So each tablet opens its own grid, and the message that a name sends, `/mod/1/target cutoff`, is
  // complete.

  /// The script of a field, whose name is the address of its knob; a label beside it shows the knob's text.
  var fieldScript: String {
    ChoiceList.onRelease(
      "root.children['\(grid)']:notify(self.name, self.parent.children[self.name .. '/text'].values.text)")
  }

  /// The script of a name in the grid.
  var nameScript: String { ChoiceList.onRelease("root.children['\(grid)']:notify('choose', self.name)") }

  /// The script of the button that closes the grid.
  var closeScript: String { ChoiceList.onRelease("root.children['\(grid)']:notify('close', '')") }

  /// The script of the grid. Any other key than `choose` and `close` is the address of a knob, and opens it.
  static let gridScript = """
    local address, lamp
    function onReceiveNotify(key, value)
      local opens = key ~= 'choose' and key ~= 'close'
      if key == 'choose' then
        sendOSC(address, value)
      elseif opens then
        address = key
        local words = string.upper(string.gsub(string.sub(key, 2), '/', ' '))
        self:findByName('title', true).values.text = words .. ': ' .. string.upper(value)
        if lamp then lamp.visible = false end
        lamp = self:findByName('lamp ' .. value, true)
        if lamp then lamp.visible = true end
      end
      self.visible = opens
      root.children.pages.visible = not opens
    end
    """

  /// A script that acts when a button is released. On the press, the control under the finger would vanish, and the app
  /// would not see the release.
  private static func onRelease(_ action: String) -> String {
    """
    local pressed = false
    function onValueChanged(key)
      if key ~= 'x' then return end
      if pressed and self.values.x == 0 then
        \(action)
      end
      pressed = self.values.x > 0
    end
    """
  }
}

// Choices out of many names: the field of a knob on a page, and the grid that it opens.

extension Panel {
  /// The field of a choice with many names: its caption and its name. A touch opens the grid of all names.
  mutating func choice(_ row: Parameter, _ address: String, _ frame: Frame, _ color: Color) {
    guard let list = ChoiceList.of(row) else { return }
    button(address, "", frame, color.dimmed(0.8), [], script: list.fieldScript)
    var inside = frame.inset(3)
    if frame.h >= Size.finger + 12 {
      caption(row.caption, inside.cutTop(inside.h * 2 / 5), .grey, largest: size.text - 2)
      readout(address + "/text", inside, characters: row.characters, largest: size.text)
    } else {
      let halves = inside.inset(2).columns([4, 5], gap: 2)
      caption(row.caption, halves[0], .grey, largest: size.text, align: 1)
      readout(address + "/text", halves[1], characters: row.characters, largest: size.text, align: 3)
    }
  }
}

extension ChoiceList {
  /// The grid, invisible until a field opens it: the knob and its value, CLOSE, and a button for each name, on subpages
  /// if they do not fit at a finger's size.
  func node(_ frame: Frame, _ size: Size) -> LayoutNode {
    var group = LayoutNode(.group, grid, frame, .background)
    group["visible"] = .flag(false)
    group["script"] = .text(ChoiceList.gridScript)
    var rest = Frame(0, 0, frame.w, frame.h).inset(size.margin)
    var top = rest.cutTop(size == .tablet ? 56 : Size.finger, gap: size.gap)
    var panel = Panel(size)
    panel.button(
      "close", "CLOSE", top.cutRight(size == .tablet ? 200 : 88, gap: size.gap), Color.silver.dimmed(0.6), [],
      script: closeScript)
    panel.background("title box", top)
    panel.title(title, top, characters: title.count + 2 + row.characters)
    let (columns, height) = (size == .tablet ? 6 : 3, Size.finger + size.gap)
    if panel.names(self, names[...], rest, columns: columns, heights: Size.finger...72) {
      group.children = panel.nodes
      return group
    }
    let perPage = (rest.h - size.tabs - 2 * size.margin + size.gap) / height * columns
    let pages = stride(from: 0, to: names.count, by: perPage).map { first in
      let part = names[first..<min(first + perPage, names.count)]
      return PageContent("\(part.first ?? "") – \(part.last ?? "")".uppercased(), color) {
        _ = $0.names(self, part, $1, columns: columns, heights: Size.finger...72)
      }
    }
    group.children = panel.nodes + [PageContent.pager("pages of \(grid)", pages, rest, size)]
    return group
  }
}

extension Panel {
  /// The knob that a grid sets, and its value; the script of the grid writes it.
  fileprivate mutating func title(_ words: String, _ frame: Frame, characters: Int) {
    var label = LayoutNode(.label, "title", frame, .clear)
    label.values["text"] = .text(words)
    label["textSize"] = .int(
      Panel.textSize(characters: characters, width: frame.w, largest: size == .tablet ? 22 : 15))
    add(label)
  }

  /// Buttons for names in rows, each with a lamp for the name that the knob has. False, and nothing is added, if the
  /// rows would be lower than `heights`.
  fileprivate mutating func names(
    _ list: ChoiceList, _ names: ArraySlice<String>, _ frame: Frame, columns: Int, heights: ClosedRange<Int>
  ) -> Bool {
    let rows = (names.count + columns - 1) / columns
    var area = frame
    area.h = min(area.h, rows * (heights.upperBound + size.gap) - size.gap)
    if (area.h + size.gap) / rows - size.gap < heights.lowerBound { return false }
    let longest = list.names.map(\.count).max() ?? 1
    for (row, line) in area.rows(rows, gap: size.gap).enumerated() {
      for (column, cell) in line.columns(columns, gap: size.gap).enumerated() {
        guard names.indices.contains(names.startIndex + row * columns + column) else { break }
        let name = names[names.startIndex + row * columns + column]
        button(name, "", cell, list.color.dimmed(0.6), [], script: list.nameScript)
        var inside = cell.inset(5)
        var lamp = LayoutNode(.box, "lamp \(name)", inside.cutBottom(5), .amber)
        lamp["visible"] = .flag(false)
        lamp["outline"] = .flag(false)
        add(lamp)
        caption(
          name.uppercased(), inside, .white,
          largest: Panel.textSize(characters: longest, width: inside.w, largest: size.text))
      }
    }
    return true
  }
}
