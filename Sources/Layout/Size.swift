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
