/// Datagrams to begin from: one of each form that OSC has, and those that were trouble to someone.
enum Corpus {
  static let all: [[UInt8]] = words.map { osc($0) } + forms

  private static let forms: [[UInt8]] = [
    join(osc("/filter/cutoff", ",f"), float(0.5)),
    join(osc("/filter/cutoff/hz", ",d"), [0x40, 0x92, 0xC0, 0, 0, 0, 0, 0]),
    join(osc("/osc/1/wave", ",i"), word(2)),
    join(osc("/osc/1/wave", ",s"), osc("saw")),
    join(osc("/part/*/level", ",f"), float(1)),
    join(osc("/part/{1,2}/filter/[!a-b]*", ",h"), word(0), word(1)),
    join(osc("/note", ",if"), word(60), float(1)),
    osc("/note/60", ",T"),
    osc("/note/60", ",F"),
    osc("/note/60", ",N"),
    osc("/bend", ",I"),
    join(osc("/preset/save", ",s"), osc("A name")),
    join(osc("/preset/load", ",S"), osc("A name")),
    join(osc("/preset/load", ",i"), word(.max)),
    join(osc("/focus", ",c"), word(2)),
    join(osc("/focus", ",i"), word(3)),
    join(osc("/subscribe", ",i"), word(9)),
    osc("/unsubscribe", ","),
    join(osc("/sync", ",f"), float(1)),
    join(osc("/filter/cutoff", ",b"), word(5), [1, 2, 3, 4, 5, 0, 0, 0]),
    join(osc("/filter/cutoff", ",t"), word(0), word(1)),
    join(osc("/filter/cutoff", ",m"), word(0x0090_3C7F)),
    join(osc("/filter/cutoff", ",r"), word(.max)),
    join(osc("/filter/cutoff", ",[ff]"), float(0), float(1)),
    join(osc("/filter/cutoff", ",f"), float(.nan)),
    join(osc("/bend", ",f"), float(-.infinity)),
    // No type tags, as old senders do it; a wrong address; a space in one.
    osc("/filter/cutoff"),
    join(osc("/filter/cutof", ",f"), float(0)),
    join(osc("/filter /cutoff", ",f"), float(0)),
    bundle([join(osc("/filter/cutoff", ",f"), float(0.1)), join(osc("/filter/resonance", ",f"), float(0.2))]),
    bundle([bundle([bundle([join(osc("/note/61", ",i"), word(1))])])]),
    bundle([]),
    // Lengths that lie.
    join(osc("#bundle"), word(0), word(1), word(0x7FFF_FFFC), osc("/panic", ",")),
    join(osc("#bundle"), word(0), word(1), word(0)),
    join(osc("#bundle"), word(0)),
  ]

  private static let words = [
    "/", "/panic", "//", "/part/9/level", "#bundle", "#", ",f", "/preset/list", "/debug",
  ]

  private static func join(_ pieces: [UInt8]...) -> [UInt8] { Array(pieces.joined()) }

  /// Strings, each with its end and to a multiple of four.
  static func osc(_ words: String...) -> [UInt8] {
    words.flatMap { word in
      let bytes = Array(word.utf8)
      return bytes + Array(repeating: 0, count: 4 - bytes.count % 4)
    }
  }

  static func word(_ word: UInt32) -> [UInt8] { withUnsafeBytes(of: word.bigEndian) { Array($0) } }

  static func float(_ number: Float) -> [UInt8] { word(number.bitPattern) }

  static func bundle(_ elements: [[UInt8]], time: (UInt32, UInt32) = (0, 1)) -> [UInt8] {
    let inside: [[UInt8]] = elements.map { join(word(UInt32($0.count)), $0) }
    return join(osc("#bundle"), word(time.0), word(time.1), Array(inside.joined()))
  }
}
