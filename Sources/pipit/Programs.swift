import Parameters
import Synth

/// What program changes of a song choose.
struct Programs {
  // The two bytes of the bank that each channel chose last.
  private var coarse = [Int](repeating: 0, count: Limits.channels)
  private var fine = [Int](repeating: 0, count: Limits.channels)
  /// The preset at a bank and program, if there is one.
  let preset: (_ bank: Int, _ program: Int) -> Patch?
  /// What no preset answered to, each once, as `bank 0 program 7`.
  private(set) var missing: [String] = []

  init(preset: @escaping (_ bank: Int, _ program: Int) -> Patch?) { self.preset = preset }

  /// Takes note of a bank that is chosen for the next program change.
  mutating func controller(_ number: Int, value: Float, channel: Int) {
    if number == 0 { coarse[channel] = Int((value * 127).rounded()) }
    if number == 32 { fine[channel] = Int((value * 127).rounded()) }
  }

  /// The patch that a program change of a channel chooses.
  mutating func patch(program: Int, channel: Int) -> Patch? {
    let bank = coarse[channel] * 128 + fine[channel]
    if let patch = preset(bank, program) { return patch }
    let name = "bank \(bank) program \(program)"
    if !missing.contains(name) { missing.append(name) }
    return nil
  }
}
