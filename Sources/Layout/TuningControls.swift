extension Panel {
  /// The tuning of all parts, and buttons that step through the list: below it, or beside it on a phone.
  mutating func tuning(_ frame: Frame) {
    var (name, buttons) = (frame, [frame])
    if size == .tablet {
      let row = name.cutBottom(Size.finger, gap: 2)
      buttons = row.columns(2, gap: size.gap)
    } else {
      buttons = [name.cutLeft(64, gap: size.gap), name.cutRight(64, gap: size.gap)]
    }
    readout("/master/tuning", name, characters: 16, largest: size.text)
    trigger("/master/tuning/previous", "TUNE −", buttons[0], Color.silver.dimmed(0.6))
    trigger("/master/tuning/next", "TUNE +", buttons[1], Color.silver.dimmed(0.6))
  }
}
