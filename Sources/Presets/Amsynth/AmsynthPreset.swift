import Storage

/// A preset of amsynth as in its file. A file holds one preset or a bank of them:
///
/// ```
/// amSynth
/// <preset> <name> Bells
/// <parameter> osc1_waveform 0
/// ```
struct AmsynthPreset {
  /// The name in the file; empty if it has none.
  private(set) var name = ""
  /// Lines that could not be read.
  private(set) var warnings: [TextWarning] = []
  private var values: [AmsynthParameter: (value: Float, line: Int)] = [:]

  private static let begin = "<preset> <name>"
  /// The name that amsynth gives to unused slots of a bank.
  private static let unused = "New Preset"

  /// Whether a text is one of amsynth's: a file, or a preset of a bank.
  static func isOne(_ text: some StringProtocol) -> Bool {
    text.hasPrefix("amSynth") || text.hasPrefix(begin)
  }

  /// Reads a preset.
  init(_ text: String) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      if line.hasPrefix(Self.begin) { name = String(line.dropFirst(Self.begin.count)) }
      guard line.hasPrefix("<parameter>") else { continue }
      let words = line.split(separator: " ").dropFirst()
      guard let word = words.first, word != "unused" else { continue }
      guard let parameter = AmsynthParameter(rawValue: String(word)) else {
        warnings.append(TextWarning(line: index + 1, problem: "amsynth has no parameter \(word)"))
        continue
      }
      guard let value = words.dropFirst().first.flatMap({ Float($0) }), value.isFinite else {
        warnings.append(TextWarning(line: index + 1, problem: "\(word) needs a number"))
        continue
      }
      let range = parameter.range
      values[parameter] = (max(range.lowerBound, min(value, range.upperBound)), index + 1)
    }
  }

  /// The value of a parameter.
  subscript(parameter: AmsynthParameter) -> Float { values[parameter]?.value ?? parameter.initial }

  /// The line of a parameter, from 1; 0 if the file does not have it.
  func line(_ parameter: AmsynthParameter) -> Int { values[parameter]?.line ?? 0 }

  /// Splits a bank into its presets, each with the line on which it begins, from 1. Unused slots are left out, and a
  /// name that occurred before in the bank gets a number.
  static func parts(_ lines: [Substring]) -> [(line: Int, text: String)] {
    var parts: [(line: Int, text: String)] = []
    var counts: [String: Int] = [:]
    var isUsed = false
    for (index, line) in lines.enumerated() {
      if line.hasPrefix(begin) {
        let name = Document.name(String(line.dropFirst(begin.count))) ?? ""
        isUsed = name != unused
        if !isUsed { continue }
        let count = (counts[name] ?? 0) + 1
        counts[name] = count
        parts.append((index + 1, "\(begin) \(name)\(count > 1 ? " \(count)" : "")\n"))
      } else if isUsed, !parts.isEmpty {
        parts[parts.count - 1].text += line + "\n"
      }
    }
    return parts
  }
}

/// The parameters of amsynth's presets by their names in files, with their ranges and initial values (amsynth 1.13).
enum AmsynthParameter: String, CaseIterable {
  case ampAttack = "amp_attack"
  case ampDecay = "amp_decay"
  case ampSustain = "amp_sustain"
  case ampRelease = "amp_release"
  case ampVelocity = "amp_vel_sens"
  case wave1 = "osc1_waveform"
  case wave2 = "osc2_waveform"
  case width1 = "osc1_pulsewidth"
  case width2 = "osc2_pulsewidth"
  case range2 = "osc2_range"
  case pitch2 = "osc2_pitch"
  case detune2 = "osc2_detune"
  case sync2 = "osc2_sync"
  case mix = "osc_mix"
  case ring = "osc_mix_mode"
  case filterAttack = "filter_attack"
  case filterDecay = "filter_decay"
  case filterSustain = "filter_sustain"
  case filterRelease = "filter_release"
  case filterAmount = "filter_env_amount"
  case cutoff = "filter_cutoff"
  case resonance = "filter_resonance"
  case filterType = "filter_type"
  case slope = "filter_slope"
  case tracking = "filter_kbd_track"
  case filterVelocity = "filter_vel_sens"
  case lfoRate = "lfo_freq"
  case lfoWave = "lfo_waveform"
  case lfoPitch = "freq_mod_amount"
  case lfoOscillator = "freq_mod_osc"
  case lfoCutoff = "filter_mod_amount"
  case lfoLevel = "amp_mod_amount"
  case level = "master_vol"
  case crunch = "distortion_crunch"
  case reverbSize = "reverb_roomsize"
  case reverbDamping = "reverb_damp"
  case reverbLevel = "reverb_wet"
  case reverbWidth = "reverb_width"
  case glide = "portamento_time"
  case glideMode = "portamento_mode"
  case keyboardMode = "keyboard_mode"

  /// The range of its values; values outside are clamped, as amsynth does.
  var range: ClosedRange<Float> {
    switch self {
    case .ampAttack, .ampDecay, .ampRelease, .filterAttack, .filterDecay, .filterRelease: 0...2.5
    case .wave1, .wave2, .filterType: 0...4
    case .range2: -3...4
    case .pitch2: -12...12
    case .detune2, .mix, .lfoCutoff, .lfoLevel: -1...1
    case .filterAmount: -16...16
    case .cutoff: -0.5...1.5
    case .resonance: 0...0.97
    case .lfoRate: 0...7.5
    case .lfoWave: 0...6
    case .lfoPitch: 0...1.25992
    case .lfoOscillator, .keyboardMode: 0...2
    case .crunch: 0...0.9
    case .ampSustain, .ampVelocity, .width1, .width2, .sync2, .ring, .filterSustain, .slope, .tracking,
      .filterVelocity, .level, .reverbSize, .reverbDamping, .reverbLevel, .reverbWidth, .glide, .glideMode:
      0...1
    }
  }

  /// Its value in a preset that does not name it.
  var initial: Float {
    switch self {
    case .ampSustain, .ampVelocity, .width1, .width2, .filterSustain, .slope, .tracking, .filterVelocity,
      .reverbWidth:
      1
    case .wave1, .wave2: 2
    case .cutoff: 1.5
    case .lfoCutoff, .lfoLevel: -1
    case .level: 0.67
    default: 0
    }
  }
}
