/// What a layout is made for. Everything is measured in points; TouchOSC scales the whole to the screen.
public enum Size: String, CaseIterable, Sendable {
  /// A tablet of ten inches, lying.
  case tablet
  /// A phone, upright.
  case phone

  /// The whole glass.
  public var frame: Frame { self == .tablet ? Frame(0, 0, 1280, 800) : Frame(0, 0, 390, 780) }
  /// The least width and height of what is touched.
  public static let finger = 44

  var margin: Int { self == .tablet ? 10 : 6 }
  var gap: Int { self == .tablet ? 8 : 6 }
  /// Inside of a section.
  var padding: Int { self == .tablet ? 10 : 7 }
  var strip: Int { self == .tablet ? 72 : 132 }
  var tabs: Int { self == .tablet ? 48 : 44 }
  var title: Int { self == .tablet ? 16 : 13 }
  var text: Int { self == .tablet ? 15 : 12 }
}
