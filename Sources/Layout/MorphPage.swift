import Parameters

// The page of snapshots and of the morph between two of them.

extension Panel {
  /// The letters A to H with STORE, and the knobs of the morph with KEEP.
  mutating func morph(_ frame: Frame) {
    var rest = frame
    notice(&rest)
    let isWide = size == .tablet
    let cells =
      isWide
      ? rest.cutTop(100, gap: size.gap).columns(8, gap: size.gap)
      : rest.cutTop(2 * Size.finger + size.gap, gap: size.gap).rows(2, gap: size.gap)
        .flatMap { $0.columns(4, gap: size.gap) }
    letters(cells)
    let commands = rest.cutTop(isWide ? 64 : Size.finger, gap: size.gap).columns(2, gap: size.gap)
    trigger("/snapshot/store", "STORE, THEN A LETTER", commands[0], Color.green.dimmed(0.75))
    var inside = commands[0].inset(6)
    lamp("/snapshot/store/armed", inside.cutBottom(5), .amber, .int)
    trigger("/morph/keep", "KEEP THE SOUND BETWEEN", commands[1], Color.violet.dimmed(0.7))
    section("/morph", in: rest)
  }
}
