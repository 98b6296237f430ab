import Parameters
import Presets
import Storage

/// A text that is imported as a setup or a setlist, read and checked on any thread; the control thread saves it.
public struct ImportedShow: Sendable {
  let text: ExportedText
  let warnings: [TextWarning]

  /// Reads the text of a setup. One without a name gets the name `fallback`.
  public static func setup(_ text: String, named fallback: String) throws(DocumentError) -> ImportedShow {
    try ImportedShow(text, .setup, named: fallback) { text throws(TextRefusal) in
      try SetupText.read(text, names: NameRegister()).warnings
    }
  }

  /// Reads the text of a setlist. One without a name gets the name `fallback`.
  public static func setlist(_ text: String, named fallback: String) throws(DocumentError) -> ImportedShow {
    try ImportedShow(text, .setlist, named: fallback) { text throws(TextRefusal) in
      try SetlistText.read(text).warnings
    }
  }

  private init(
    _ text: String, _ kind: DocumentKind, named fallback: String,
    read: (String) throws(TextRefusal) -> [TextWarning]
  ) throws(DocumentError) {
    do throws(TextRefusal) { warnings = try read(text) } catch {
      throw DocumentError(description: error.description)
    }
    self.text = try ExportedText(text, kind, named: fallback)
  }
}
