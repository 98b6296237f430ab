/// The tuning of a part as a scene has it: nothing but where a `KeyTuning` lies, and that one's number.
public struct PartTuning: @unchecked Sendable {
  /// Nil for equal temperament.
  private(set) var shifts: UnsafePointer<Float>?
  /// Another for each tuning that the part is given. Eight bytes, so that a part ends where the next begins.
  public private(set) var version: UInt64 = 0

  /// How far a key lies from equal temperament, octaves; nil for one that sounds nothing.
  @_noLocks
  func shift(_ key: UInt8) -> Float? {
    guard let shifts else { return 0 }
    let shift = shifts[Int(key & 127)]
    return shift.isNaN ? nil : shift
  }

  /// Gives the part another tuning, which the caller keeps; nil for equal temperament.
  public mutating func change(to tuning: KeyTuning?) {
    shifts = tuning.map { UnsafePointer($0.shifts) }
    version &+= 1
  }
}
