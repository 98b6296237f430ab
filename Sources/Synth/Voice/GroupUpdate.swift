/// The update of a group that is being rendered: its frames, the frames of them that have passed, and its lanes.
struct GroupUpdate {
  let planned: Int32
  let passed: Int32
  /// Lanes that carry a voice, and those of them that have started since the last update.
  let used: UInt8
  let started: UInt8

  @_noLocks @inline(__always)
  init(planned: Int32, passed: Int32, used: UInt8, started: UInt8) {
    (self.planned, self.passed, self.used, self.started) = (planned, passed, used, started)
  }

  /// The share of it that has passed; 1 before the first.
  var elapsed: Float { @_noLocks @inline(__always) get { planned > 0 ? Float(passed) / Float(planned) : 1 } }

  /// The position of the next `frames` in it.
  @_noLocks @inline(__always)
  func part(_ frames: Int) -> BlockPart { BlockPart(Int(planned), from: Int(passed), frames: frames) }
}
