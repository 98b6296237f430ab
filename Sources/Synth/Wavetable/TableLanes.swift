/// The wavetable levels that eight voices read, and their changes: a voice cross-fades to another level or table in
/// 64 frames, since the highest harmonics appear and disappear.
struct TableLanes {
  // The version of the table in the upper 24 bits, and the level in the lower 8.
  var now = LaneWords.zero
  var before = LaneWords.zero
  /// The gain of `now` at the update; below 1 while a lane fades.
  var fade = Lanes(repeating: 1)
  // The phase increments above and at which a lane leaves its level.
  private var upper = Lanes.zero
  private var lower = Lanes.zero

  /// Frames of a fade: switched at once, ±50 cents of vibrato at 6 Hz give side products of -69 dB; faded, below -91 dB.
  private static var frames: Float { @_noLocks get { 64 } }
  /// A lane changes to the level above at a pitch, and back only 3 % below that pitch: a vibrato does not switch levels.
  private static var hysteresis: Float { @_noLocks get { 1.03 } }

  @_noLocks init() {}

  /// Chooses the levels for phase increments in half periods per sample, the largest at which each lane is read.
  /// Lanes that have `started` get their level without a fade.
  @_noLocks
  mutating func aim(_ increments: Lanes, _ change: TableChange, used: UInt8, started: UInt8) {
    guard let table = UnsafePointer<Wavetable>(bitPattern: change.now) else { return }
    let isCurrent = now &>> 8 .== LaneWords(repeating: change.version & 0xff_ffff)
    let stays = (increments .<= upper) .& (increments * Self.hysteresis .> lower) .& isCurrent
    var left = used & (started | ~lanes(where: stays))
    while left != 0 {
      let lane = left.trailingZeroBitCount
      left &= left &- 1
      aim(lane, increments[lane], table, change, starts: started &>> UInt8(truncatingIfNeeded: lane) & 1 != 0)
    }
  }

  @_noLocks
  private mutating func aim(
    _ lane: Int, _ increment: Float, _ table: UnsafePointer<Wavetable>, _ change: TableChange, starts: Bool
  ) {
    let (levels, word) = (table.pointee.levels, now[lane])
    let age = (change.version &- word &>> 8) & 0xff_ffff
    let isOld = starts || age > 1
    let level = Self.level(increment, from: isOld ? 0 : Int(word & 0xff), levels)
    let wanted = change.version &<< 8 | UInt32(truncatingIfNeeded: level)
    if isOld || (age == 1 && change.before == 0) {
      now[lane] = wanted
      fade[lane] = 1
    } else if fade[lane] >= 1, wanted != word {
      before[lane] = word
      now[lane] = wanted
      fade[lane] = 0
    }
    let present = Int(now[lane] & 0xff)
    upper[lane] = present < WavetableLevels.count &- 1 ? levels[present].top : .infinity
    lower[lane] = present > 0 ? levels[present &- 1].top : -1
  }

  /// The level for a phase increment, near the present one.
  @_noLocks @inline(__always)
  private static func level(_ increment: Float, from present: Int, _ levels: UnsafePointer<WavetableLevel>)
    -> Int
  {
    var level = present
    while level < WavetableLevels.count &- 1, increment > levels[level].top { level &+= 1 }
    while level > 0, increment * hysteresis <= levels[level &- 1].top { level &-= 1 }
    return level
  }

  /// Advances the fades to the next update.
  @_noLocks
  mutating func pass(frames: Int) {
    fade = smaller(fade + Float(frames) / Self.frames, Lanes(repeating: 1))
  }

  /// The gain per frame of a fade.
  static var perFrame: Float { @_noLocks get { 1 / frames } }
}
