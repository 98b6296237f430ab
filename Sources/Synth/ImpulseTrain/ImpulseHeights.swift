/// Heights of jumps in each of eight voices, on each side that receives them.
struct ImpulseHeights {
  let left: UnsafeMutablePointer<Lanes>
  let isLeft: Bool
  let isRight: Bool
  /// 1 for jumps that lower the sum, -1 for jumps that raise it.
  let sign: Float

  @_noLocks @inline(__always)
  init(_ heights: UnsafeMutablePointer<Lanes>, isLeft: Bool, isRight: Bool, sign: Float = 1) {
    (left, self.isLeft, self.isRight, self.sign) = (heights, isLeft, isRight, sign)
  }

  var right: UnsafeMutablePointer<Lanes> { @_noLocks @inline(__always) get { left + 1 } }

  /// The heights with the opposite sign.
  var turned: ImpulseHeights {
    @_noLocks @inline(__always) get { ImpulseHeights(left, isLeft: isLeft, isRight: isRight, sign: -sign) }
  }
}
