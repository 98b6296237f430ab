/// A rectangle in points, relative to its parent.
public struct Frame: Equatable, Sendable {
  public var x: Int
  public var y: Int
  public var w: Int
  public var h: Int

  public init(_ x: Int, _ y: Int, _ w: Int, _ h: Int) { (self.x, self.y, self.w, self.h) = (x, y, w, h) }

  /// A frame inset by points on every side.
  func inset(_ points: Int) -> Frame { Frame(x + points, y + points, w - 2 * points, h - 2 * points) }

  // MARK: - Cutting off an edge

  /// Cuts off the top `height` points and returns them; the gap below is dropped.
  mutating func cutTop(_ height: Int, gap: Int = 0) -> Frame {
    defer { (y, h) = (y + height + gap, h - height - gap) }
    return Frame(x, y, w, height)
  }

  /// Cuts off the bottom `height` points and returns them; the gap above is dropped.
  mutating func cutBottom(_ height: Int, gap: Int = 0) -> Frame {
    h -= height + gap
    return Frame(x, y + h + gap, w, height)
  }

  /// Cuts off the left `width` points and returns them; the gap beside is dropped.
  mutating func cutLeft(_ width: Int, gap: Int = 0) -> Frame {
    defer { (x, w) = (x + width + gap, w - width - gap) }
    return Frame(x, y, width, h)
  }

  /// Cuts off the right `width` points and returns them; the gap beside is dropped.
  mutating func cutRight(_ width: Int, gap: Int = 0) -> Frame {
    w -= width + gap
    return Frame(x + w + gap, y, width, h)
  }

  // MARK: - Dividing

  /// Columns whose widths are in the ratio of `weights`.
  func columns(_ weights: [Double], gap: Int) -> [Frame] {
    divide(w, weights, gap).map { Frame(x + $0, y, $1, h) }
  }

  /// Rows whose heights are in the ratio of `weights`.
  func rows(_ weights: [Double], gap: Int) -> [Frame] {
    divide(h, weights, gap).map { Frame(x, y + $0, w, $1) }
  }

  /// Columns of equal width.
  func columns(_ count: Int, gap: Int) -> [Frame] { columns(Array(repeating: 1, count: count), gap: gap) }

  /// Rows of equal height.
  func rows(_ count: Int, gap: Int) -> [Frame] { rows(Array(repeating: 1, count: count), gap: gap) }

  private func divide(_ length: Int, _ weights: [Double], _ gap: Int) -> [(start: Int, length: Int)] {
    let free = Double(length - gap * (weights.count - 1))
    let sum = weights.reduce(0, +)
    var (before, pieces) = (0.0, [(Int, Int)]())
    for (index, weight) in weights.enumerated() {
      let start = Int((free * before / sum).rounded())
      before += weight
      pieces.append((start + index * gap, Int((free * before / sum).rounded()) - start))
    }
    return pieces
  }
}

/// The screen that a layout is made for. Lengths are points; TouchOSC scales the layout to the real screen.
public enum Size: String, CaseIterable, Sendable {
  /// A tablet of ten inches, landscape.
  case tablet
  /// A phone, portrait.
  case phone

  /// The whole screen.
  public var frame: Frame { self == .tablet ? Frame(0, 0, 1280, 800) : Frame(0, 0, 390, 780) }
  /// The least width and height of a touch control.
  public static let finger = 44

  var margin: Int { self == .tablet ? 10 : 6 }
  var gap: Int { self == .tablet ? 8 : 6 }
  /// The distance between the edge of a section and its controls.
  var padding: Int { self == .tablet ? 10 : 7 }
  /// Height of the status strip.
  var strip: Int { self == .tablet ? 72 : 132 }
  /// Height of the tabs.
  var tabs: Int { self == .tablet ? 48 : 44 }
  /// Text size of a heading.
  var title: Int { self == .tablet ? 16 : 13 }
  /// Text size of other texts.
  var text: Int { self == .tablet ? 15 : 12 }
}
