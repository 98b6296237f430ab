/// The buffers of a card's outputs beyond 1 and 2, in pairs. A handle: copies refer to the same buffers.
public struct ExtraOutputs {
  private let memory: UnsafeMutablePointer<Float>?
  private let capacity: Int
  /// Number of pairs, including the first, whose buffers are not among these.
  public let pairs: Int

  /// No further pairs: all parts play on the outputs 1 and 2.
  @_noLocks
  public init() { (memory, capacity, pairs) = (nil, 0, 1) }

  /// Silent buffers of `frames` frames for the pairs 1..<`pairs`.
  public init(pairs: Int, frames: Int) {
    (self.pairs, capacity) = (pairs, frames)
    let count = 2 * (pairs - 1) * frames
    memory = count > 0 ? .allocate(capacity: count) : nil
    memory?.initialize(repeating: 0, count: count)
  }

  /// Frees the buffers. Nothing may use them afterwards.
  public func deallocate() { memory?.deallocate() }

  /// The left buffer of a pair of 1..<`pairs`.
  @_noLocks
  public func left(_ pair: Int) -> UnsafeMutablePointer<Float> {
    memory.unsafelyUnwrapped + (2 &* pair &- 2) &* capacity
  }

  /// The right buffer of a pair of 1..<`pairs`.
  @_noLocks
  public func right(_ pair: Int) -> UnsafeMutablePointer<Float> {
    memory.unsafelyUnwrapped + (2 &* pair &- 1) &* capacity
  }
}
