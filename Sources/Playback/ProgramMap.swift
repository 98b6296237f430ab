import Presets
import Synth

/// Maps the program changes of a song to presets.
public struct ProgramMap {
  /// The presets.
  public let library: Library
  /// The order of the programs in the song.
  public let order: ProgramOrder
  /// Programs for which there was no preset, each once, as `bank 0 program 7`.
  public private(set) var missing: [String] = []

  /// A map of the programs of `library` in an order.
  public init(_ library: Library, order: ProgramOrder) { (self.library, self.order) = (library, order) }

  /// The patch that a program change on a channel 0…15 chooses; nil if there is no preset for it.
  public mutating func patch(bank: Int, program: Int, channel: Int) -> Patch? {
    let preset = library.preset(bank: bank, program: program, channel: channel, order: order)
    if let patch = preset.flatMap({ library.patch(of: $0) }) { return patch }
    let name = "bank \(bank) program \(program)"
    if !missing.contains(name) { missing.append(name) }
    return nil
  }
}
