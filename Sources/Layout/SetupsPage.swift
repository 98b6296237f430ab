import Scenes

// The page of setups and of the setlist.

extension Panel {
  /// Sixteen setups of a page and the commands for them; on a tablet also the setlist.
  mutating func setups(_ frame: Frame) {
    var rest = frame
    let isWide = size == .tablet
    var top = rest.cutTop(isWide ? 56 : Size.finger, gap: size.gap)
    pageButtons("setup", "PAGE", Color.green.dimmed(0.5), &top, width: isWide ? 160 : 88)
    background("setups", top)
    var name = top.inset(6)
    readout("/setup/page", name.cutRight(name.w / 4), .grey, characters: 8, largest: size.text)
    let mark = name.cutRight(14, gap: 6)
    lamp(
      "/setup/edited", Frame(mark.x, mark.y + (mark.h - 14) / 2, 14, 14), .amber, .int, shape: .triangle)
    readout("/setup", name, characters: 20, largest: isWide ? 22 : 15)

    if isWide { setlist(rest.cutBottom(72, gap: size.gap)) }
    let commands = rest.cutBottom(isWide ? 56 : Size.finger, gap: size.gap)
      .columns(6, gap: size.gap)
    trigger("/setup/previous", "PREV", commands[0], Color.silver.dimmed(0.6))
    trigger("/setup/next", "NEXT", commands[1], Color.silver.dimmed(0.6))
    trigger("/setup/undo", "UNDO", commands[2], Color.violet.dimmed(0.8))
    trigger("/setup/redo", "REDO", commands[3], Color.violet.dimmed(0.8))
    trigger("/setup/save/new", "SAVE AS", commands[4], Color.green.dimmed(0.55))
    trigger("/setup/save", "SAVE", commands[5], Color.green.dimmed(0.75))
    notice(&rest)
    slots("/setup/slot", rest)
  }

  /// The setlist: its name, the position in it, the next entry, and the buttons that change it. On a phone a page of
  /// its own.
  mutating func setlist(_ frame: Frame) {
    var rest = frame
    if size == .phone { notice(&rest) }
    background("setlist", rest)
    rest = rest.inset(6)
    if size == .tablet {
      setlistNames(rest.cutLeft(360, gap: size.gap))
      setlistButtons(rest.columns(7, gap: size.gap))
    } else {
      setlistNames(rest.cutTop(96, gap: size.gap))
      setlistButtons(rest.rows(4, gap: size.gap).flatMap { $0.columns(2, gap: size.gap) })
    }
  }

  private mutating func setlistNames(_ frame: Frame) {
    var text = frame
    readout("/set/place/text", text.cutRight(80), .silver, characters: 7, largest: size.title + 4)
    let halves = text.rows(2, gap: 0)
    readout("/set/name", halves[0], characters: 24, largest: size.text, align: 1)
    readout("/set/next/title", halves[1], .grey, characters: 24, largest: size.text, align: 1)
  }

  private mutating func setlistButtons(_ cells: [Frame]) {
    trigger("/set/rewind", "REWIND", cells[0], Color.silver.dimmed(0.6))
    trigger("/set/cue/previous", "CUE −", cells[1], Color.amber.dimmed(0.6))
    trigger("/set/cue/next", "CUE +", cells[2], Color.amber.dimmed(0.6))
    trigger("/set/add", "ADD", cells[3], Color.green.dimmed(0.55))
    option("/set/wrap", "WRAP", cells[4])
    option("/set/defer", "DEFER", cells[5])
    trigger("/set/next", "NEXT ▶", cells[6], Color.green.dimmed(0.75))
  }

  private mutating func option(_ address: String, _ words: String, _ frame: Frame) {
    button(address, words, frame, Color.amber.dimmed(0.6), [.both(address, .value("x", .int))], type: 2)
  }
}
