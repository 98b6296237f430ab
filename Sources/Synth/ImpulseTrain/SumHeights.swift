/// What a jump takes away in each of eight voices, on either side where it is heard.
struct SumHeights {
  let left: UnsafeMutablePointer<Lanes>
  let isLeft: Bool
  let isRight: Bool
  /// 1, or -1 where it is added.
  let sign: Float

  @_noLocks @inline(__always)
  init(_ heights: UnsafeMutablePointer<Lanes>, isLeft: Bool, isRight: Bool, sign: Float = 1) {
    (left, self.isLeft, self.isRight, self.sign) = (heights, isLeft, isRight, sign)
  }

  var right: UnsafeMutablePointer<Lanes> { @_noLocks @inline(__always) get { left + 1 } }

  /// The same of what is added.
  var turned: SumHeights {
    @_noLocks @inline(__always) get { SumHeights(left, isLeft: isLeft, isRight: isRight, sign: -sign) }
  }
}
