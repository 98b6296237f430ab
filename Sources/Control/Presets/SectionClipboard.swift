import Parameters
import Presets
import Storage
import Synth

/// The section of a sound that was copied last, for pasting it into another part or another section of its kind.
/// Control thread.
public final class SectionClipboard {
  private let presets: PartPresets
  private let notices: NoticeBoard
  private var copied: (section: SoundSection, patch: Patch, part: Int)?

  init(_ presets: PartPresets, _ notices: NoticeBoard) {
    (self.presets, self.notices) = (presets, notices)
  }

  /// The copied section, as `osc-1 of part 2`; empty if there is none.
  public var text: String { copied.map { "\($0.section.name) of part \($0.part + 1)" } ?? "" }

  /// Copies a section of a part as it is now.
  public func copy(_ section: SoundSection, part: Int) {
    copied = (section, presets.patch(part: part), part)
    // Tells the surfaces, too, that there is something to paste.
    notices.post("Copied \(text)", about: .preset, .moment(seconds: 3), log: "")
  }

  /// Pastes the copied section into a section of a part; without a section, into the one that it was copied from.
  public func paste(_ wish: SoundSection?, part: Int) throws(DocumentError) {
    guard let (source, patch, _) = copied else {
      throw DocumentError(description: "finds nothing to paste; copy a section first")
    }
    let section = wish ?? source
    guard section.fits(source) else {
      let fitting = SoundSection.all.filter { $0.fits(source) }.map(\.name).joined(separator: ", ")
      throw DocumentError(
        description: "cannot paste \(source.name) into \(section.name); it fits \(fitting)")
    }
    presets.change(part, "paste of \(text) into \(section.name)") {
      section.paste(source, of: patch, into: &$0)
    }
  }
}
