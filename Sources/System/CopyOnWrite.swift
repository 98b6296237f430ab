/// A large value in memory of its own. Copies share it until one of them is changed.
///
/// Swift takes a plain value that is passed on apart into its numbers: for a scene of thousands that is a hundred
/// kilobytes of code at each place. Of this one it passes on a reference.
public struct CopyOnWrite<Value> {
  // One element; an array is shared and copied as is wanted here.
  @usableFromInline var elements: [Value]

  @inlinable public init(_ value: Value) { elements = [value] }

  /// The value, read and changed in place.
  @inlinable public var value: Value {
    _read { yield elements[0] }
    _modify { yield &elements[0] }
  }

  /// Calls `body` with the value in place, which a function of the value itself may copy.
  @inlinable public func read<Result>(_ body: (UnsafePointer<Value>) -> Result) -> Result {
    // SAFETY: There is always one element.
    elements.withUnsafeBufferPointer { body($0.baseAddress.unsafelyUnwrapped) }
  }
}

extension CopyOnWrite: Sendable where Value: Sendable {}
