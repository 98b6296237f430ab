/// The tuning of a part as a scene holds it: the address of a `KeyTuning`'s table, and a version number.
public struct PartTuning: @unchecked Sendable {
  /// The table; nil for equal temperament.
  private(set) var shifts: UnsafePointer<Float>?
  /// Raised whenever the part gets another tuning. Eight bytes, so that a part ends where the next begins.
  public private(set) var version: UInt64 = 0

  /// The distance of a key from equal temperament in octaves; nil for a key that is silent.
  @_noLocks
  func shift(_ key: UInt8) -> Float? {
    guard let shifts else { return 0 }
    let shift = shifts[Int(key & 127)]
    return shift.isNaN ? nil : shift
  }

  /// Sets the tuning, which the caller must keep alive; nil for equal temperament.
  public mutating func change(to tuning: KeyTuning?) {
    shifts = tuning.map { UnsafePointer($0.shifts) }
    version &+= 1
  }
}
