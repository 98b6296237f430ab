import Synth

/// Maps the program changes of a song to presets.
struct ProgramMap {
  /// The preset at a bank and program, if there is one.
  let preset: (_ bank: Int, _ program: Int) -> Patch?
  /// Programs for which there was no preset, each once, as `bank 0 program 7`.
  private(set) var missing: [String] = []

  init(preset: @escaping (_ bank: Int, _ program: Int) -> Patch?) { self.preset = preset }

  /// The patch that a program change chooses.
  mutating func patch(bank: Int, program: Int) -> Patch? {
    if let patch = preset(bank, program) { return patch }
    let name = "bank \(bank) program \(program)"
    if !missing.contains(name) { missing.append(name) }
    return nil
  }
}
