/// A place on the glass, in points from the corner of what it lies in.
public struct Frame: Equatable, Sendable {
  /// The left edge.
  public var x: Int
  /// The upper edge.
  public var y: Int
  /// The width.
  public var w: Int
  /// The height.
  public var h: Int

  /// A place as given.
  public init(_ x: Int, _ y: Int, _ w: Int, _ h: Int) { (self.x, self.y, self.w, self.h) = (x, y, w, h) }

  /// Smaller by so much on every side.
  func inset(_ by: Int) -> Frame { Frame(x + by, y + by, w - 2 * by, h - 2 * by) }

  /// Cuts a piece off the top, and the gap below it.
  mutating func cutTop(_ height: Int, gap: Int = 0) -> Frame {
    defer { (y, h) = (y + height + gap, h - height - gap) }
    return Frame(x, y, w, height)
  }

  /// Cuts a piece off the bottom, and the gap above it.
  mutating func cutBottom(_ height: Int, gap: Int = 0) -> Frame {
    h -= height + gap
    return Frame(x, y + h + gap, w, height)
  }

  /// Cuts a piece off the left, and the gap beside it.
  mutating func cutLeft(_ width: Int, gap: Int = 0) -> Frame {
    defer { (x, w) = (x + width + gap, w - width - gap) }
    return Frame(x, y, width, h)
  }

  /// Cuts a piece off the right, and the gap beside it.
  mutating func cutRight(_ width: Int, gap: Int = 0) -> Frame {
    w -= width + gap
    return Frame(x + w + gap, y, width, h)
  }

  /// Side by side, as wide as their weights say.
  func columns(_ weights: [Double], gap: Int) -> [Frame] {
    cuts(weights, w, gap).map { Frame(x + $0, y, $1, h) }
  }

  /// One below the other, as high as their weights say.
  func rows(_ weights: [Double], gap: Int) -> [Frame] {
    cuts(weights, h, gap).map { Frame(x, y + $0, w, $1) }
  }

  /// Side by side, all as wide.
  func columns(_ count: Int, gap: Int) -> [Frame] { columns(Array(repeating: 1, count: count), gap: gap) }

  /// One below the other, all as high.
  func rows(_ count: Int, gap: Int) -> [Frame] { rows(Array(repeating: 1, count: count), gap: gap) }

  private func cuts(_ weights: [Double], _ length: Int, _ gap: Int) -> [(start: Int, length: Int)] {
    let free = Double(length - gap * (weights.count - 1))
    let whole = weights.reduce(0, +)
    var (before, pieces) = (0.0, [(Int, Int)]())
    for (index, weight) in weights.enumerated() {
      let start = Int((free * before / whole).rounded())
      before += weight
      pieces.append((start + index * gap, Int((free * before / whole).rounded()) - start))
    }
    return pieces
  }
}
