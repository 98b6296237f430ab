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
