/// Reads the wavetable of an oscillator for the voices of a group.
struct TableReader {
  // Addresses, 0 for none: of `TableLanes` and `TableTurn`.
  private var lanes: UInt = 0
  private var turn: UInt = 0
  private var used: UInt8 = 0
  // What fades have gained since the update.
  private var gained: Float = 0

  /// Reads nothing.
  init() {}

  /// Reads for the lanes in `used`, one bit each, `first` frames after the update.
  @_noLocks
  init(
    _ lanes: UnsafeMutablePointer<TableLanes>, _ turn: UnsafePointer<TableTurn>, used: UInt8, first: Int
  ) {
    gained = Float(first) * TableLanes.perFrame
    (self.lanes, self.turn, self.used) = (UInt(bitPattern: lanes), UInt(bitPattern: turn), used)
  }

  /// True if there is a table.
  var isReady: Bool {
    @_noLocks get {
      guard let turn = UnsafePointer<TableTurn>(bitPattern: turn) else { return false }
      return turn.pointee.now != 0
    }
  }

  /// Fills `w` with samples of the tables from `phase` on, with `offsets` added to the phase of each sample. `pulse` is
  /// the position: `Self.first` is the first frame and `1 - Self.first` the last one.
  @_noLocks
  func fill(
    _ w: UnsafeMutablePointer<Lanes>, _ offsets: UnsafePointer<Phases>, _ phase: Phases, _ advance: Phases,
    _ pulse: PulseWidth, frames: Int
  ) {
    let samples = UnsafeMutableRawPointer(w).assumingMemoryBound(to: Float.self)
    let words = UnsafeRawPointer(offsets).assumingMemoryBound(to: UInt32.self)
    var lane = 0
    while lane < Limits.lanesPerGroup {
      let out = samples + lane
      if used &>> UInt8(truncatingIfNeeded: lane) & 1 != 0 {
        let course = TableCourse(
          phase: UInt32(bitPattern: phase[lane]), advance: UInt32(bitPattern: advance[lane]),
          offsets: words + lane, position: Self.position(pulse.end[lane]),
          step: Float(pulse.step[lane]) * Self.perPhase, frames: frames)
        fillLane(out, lane, course)
      } else {
        var i = 0
        while i < frames {
          out[i &* Limits.lanesPerGroup] = 0
          i &+= 1
        }
      }
      lane &+= 1
    }
  }

  /// The sample of each lane at one phase, with the position as in `fill`.
  @_noLocks
  func samples(at phase: Phases, _ pulse: PulseWidth) -> Lanes {
    guard let lanes = UnsafePointer<TableLanes>(bitPattern: lanes),
      let turn = UnsafePointer<TableTurn>(bitPattern: turn)
    else { return .zero }
    var samples = Lanes.zero
    var lane = 0
    while lane < Limits.lanesPerGroup {
      if used &>> UInt8(truncatingIfNeeded: lane) & 1 != 0 {
        let (at, position) = (UInt32(bitPattern: phase[lane]), Self.position(pulse.end[lane]))
        let fade = min(lanes.pointee.fade[lane] + gained, 1)
        samples[lane] = Self.sample(lanes.pointee.now[lane], turn.pointee, at, position)
        if fade < 1 {
          let before = Self.sample(lanes.pointee.before[lane], turn.pointee, at, position)
          samples[lane] = before + (samples[lane] - before) * fade
        }
      }
      lane &+= 1
    }
    return samples
  }

  /// A sample of the table and level of a word of `TableLanes`; 0 without a table.
  @_noLocks
  private static func sample(_ word: UInt32, _ turn: TableTurn, _ phase: UInt32, _ position: Float) -> Float {
    guard let table = table(word, turn) else { return 0 }
    let level = table.pointee.levels[min(Int(word & 0xff), WavetableLevels.count &- 1)]
    let last = Float(table.pointee.frames &- 1)
    return TablePlace(level, max(0, min(position * last, last)), last).sample(phase, level.bits)
  }

  /// The table of a word of `TableLanes`; nil if there is none.
  @_noLocks @inline(__always)
  private static func table(_ word: UInt32, _ turn: TableTurn) -> UnsafePointer<Wavetable>? {
    let isNow = (turn.version &- word &>> 8) & 0xff_ffff == 0 || turn.before == 0
    return UnsafePointer<Wavetable>(bitPattern: isNow ? turn.now : turn.before)
  }

  /// The share of the period that is the first frame, and the position per phase.
  private static var first: Float { @_noLocks get { 0.05 } }
  private static var perPhase: Float { @_noLocks get { 0x1p-32 / (1 - 2 * first) } }

  @_noLocks @inline(__always)
  private static func position(_ end: Int32) -> Float {
    Float(UInt32(bitPattern: end)) * perPhase - first / (1 - 2 * first)
  }

  /// Fills one lane, whose samples are eight apart.
  @_noLocks
  private func fillLane(_ out: UnsafeMutablePointer<Float>, _ lane: Int, _ course: TableCourse) {
    guard let lanes = UnsafePointer<TableLanes>(bitPattern: lanes),
      let turn = UnsafePointer<TableTurn>(bitPattern: turn)
    else { return }
    let (now, fade) = (lanes.pointee.now[lane], min(lanes.pointee.fade[lane] + gained, 1))
    Self.read(now, turn.pointee, course, fade: 1, to: out)
    if fade < 1 { Self.read(lanes.pointee.before[lane], turn.pointee, course, fade: fade, to: out) }
  }

  /// Reads the table and level of a word of `TableLanes`. With a `fade` below 1, fades from it to the samples in `out`.
  @_noLocks
  private static func read(
    _ word: UInt32, _ turn: TableTurn, _ course: TableCourse, fade: Float, to out: UnsafeMutablePointer<Float>
  ) {
    guard let table = table(word, turn) else { return }
    let level = table.pointee.levels[min(Int(word & 0xff), WavetableLevels.count &- 1)]
    let last = Float(table.pointee.frames &- 1)
    let (position, step) = (course.position * last, course.step * last)
    let end = position + step * Float(course.frames)
    if step == 0 || max(position, end) <= 0 || min(position, end) >= last {
      let place = TablePlace(level, max(0, min(position, last)), last)
      if fade < 1 {
        place.fade(level.bits, course, fade, out)
      } else if place.isOneFrame {
        place.readFrame(level.bits, course, out)
      } else {
        place.read(level.bits, course, out)
      }
    } else {
      readMoving(level, position, step, last, course, fade, out)
    }
  }

  @_noLocks
  private static func readMoving(
    _ level: WavetableLevel, _ position: Float, _ step: Float, _ last: Float, _ course: TableCourse,
    _ fade: Float, _ out: UnsafeMutablePointer<Float>
  ) {
    var (phase, gain, position, out, i) = (course.phase, fade, position, out, 0)
    while i < course.frames {
      let at = phase &+ course.offsets[i &* Limits.lanesPerGroup]
      let sample = TablePlace(level, max(0, min(position, last)), last).sample(at, level.bits)
      // Without a fade, the previous sample may be anything, even NaN.
      out.pointee = fade < 1 ? sample + (out.pointee - sample) * gain : sample
      gain = min(gain + TableLanes.perFrame, 1)
      phase &+= course.advance
      position += step
      out += Limits.lanesPerGroup
      i &+= 1
    }
  }
}
