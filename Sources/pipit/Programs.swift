import Synth

/// What program changes of a song choose.
struct Programs {
  /// The preset at a bank and program, if there is one.
  let preset: (_ bank: Int, _ program: Int) -> Patch?
  /// What no preset answered to, each once, as `bank 0 program 7`.
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
