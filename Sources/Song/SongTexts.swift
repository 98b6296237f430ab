/// A line of a song's words, or the name of a marker, from a beat on.
public struct SongText: Sendable, Equatable {
  /// Quarter notes from the start of the song.
  public let beat: Double
  /// The line, at most `longest` bytes of UTF-8, without control characters.
  public let text: String

  /// The longest line, bytes of UTF-8.
  static let longest = 120

  public init(beat: Double, text: String) { (self.beat, self.text) = (beat, text) }
}

/// The words of a song, joined to lines, and its markers, in order of time.
///
/// Words are lyric events (FF 05) or, in karaoke files, text events (FF 01). A line ends where the file says so: with a
/// return or a new line (RP-017), or before a syllable that begins with `/` or `\`, as karaoke files have it. Otherwise it
/// ends at a rest of two bars, or before a word for which there is no room.
struct SongTexts {
  /// What a text event holds.
  enum Kind: UInt8, Sendable {
    /// FF 01: a remark, or a syllable of a karaoke file.
    case text = 1
    case lyric = 5
    case marker = 6
  }

  /// As many bytes of an event are read.
  static let longestEvent = SongText.longest
  /// The longest rest within a line that the file does not end, quarter notes.
  private static let rest = 8.0

  private var events: [(beat: Double, kind: Kind, text: String)] = []

  /// Takes an event; they come in order of time. Its bytes are UTF-8, or else Latin-1.
  mutating func pass(_ kind: Kind, _ bytes: [UInt8], at beat: Double) {
    var bytes = bytes[...]
    // A letter may have been cut.
    if bytes.count == Self.longestEvent { while let last = bytes.last, last > 127 { bytes.removeLast() } }
    let text =
      String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    events.append((beat, kind, text))
  }

  /// The markers. Of several at one beat, the last counts.
  var markers: [SongText] {
    var markers: [SongText] = []
    for event in events where event.kind == .marker {
      let text = Self.shown(event.text)
      if text.isEmpty { continue }
      if markers.last?.beat == event.beat { markers.removeLast() }
      markers.append(SongText(beat: event.beat, text: text))
    }
    return markers
  }

  /// The lines of the words.
  var lines: [SongText] {
    var syllables = events.filter { $0.kind == .lyric }
    if syllables.isEmpty { syllables = karaoke }
    // Programs that write no blanks join the syllables of a word by hyphens.
    let hasBlanks = syllables.contains { $0.text.first == " " || $0.text.last == " " }
    var (lines, line, start, last) = ([SongText](), "", 0.0, 0.0)
    func end() {
      let text = Self.shown(line)
      if !text.isEmpty { lines.append(SongText(beat: start, text: text)) }
      line = ""
    }
    for syllable in syllables {
      if let first = syllable.text.first, first == "/" || first == "\\" { end() }
      let isWord = hasBlanks ? line.last == " " || syllable.text.first == " " : line.last != "-"
      if syllable.beat - last > Self.rest { end() }
      if isWord, line.utf8.count + syllable.text.utf8.count > SongText.longest / 2 { end() }
      last = syllable.beat
      if !hasBlanks, !line.isEmpty { if isWord { line += " " } else { line.removeLast() } }
      for character in syllable.text {
        if character.isNewline {
          end()
        } else if line.utf8.count + character.utf8.count <= SongText.longest {
          if line.isEmpty { start = syllable.beat }
          line.append(character)
        }
      }
    }
    end()
    return lines
  }

  /// The text events of a karaoke file: one that says so, or whose texts begin lines. Those with `@` describe it.
  private var karaoke: [(beat: Double, kind: Kind, text: String)] {
    let texts = events.filter { $0.kind == .text }
    let begins = texts.count { $0.text.first == "/" || $0.text.first == "\\" }
    guard begins > 1 || texts.contains(where: { $0.text.hasPrefix("@K") }) else { return [] }
    return texts.filter { $0.text.first != "@" }
  }

  /// A text without control and invisible characters, marks of lines, and blanks at its ends.
  private static func shown(_ text: String) -> String {
    var text = text[...]
    while let first = text.first, first == "/" || first == "\\" || first.isWhitespace { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    let isHidden: [Unicode.GeneralCategory] = [.control, .format, .lineSeparator, .paragraphSeparator]
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { !isHidden.contains($0.properties.generalCategory) }))
  }
}
