/// A step that is divided into several equal notes.
struct Ratchet {
  /// The step, its notes, and how many of them have begun.
  var step: Int64 = 0
  var count = 0
  var begun = 0

  /// Nothing to be played.
  @_noLocks init() {}

  /// A step of several notes, the first of which has begun.
  @_noLocks
  init(_ step: Int64, count: Int) { (self.step, self.count, begun) = (step, count, 1) }

  /// True while notes are to be played.
  var isGoing: Bool { @_noLocks get { begun < count } }

  /// The length of one of its notes.
  @_noLocks
  func length(_ grid: ArpGrid) -> Double { grid.length(of: step) / Double(max(count, 1)) }

  /// The position of the next note.
  @_noLocks
  func position(_ grid: ArpGrid) -> Double { grid.position(step) + Double(begun) * length(grid) }
}
