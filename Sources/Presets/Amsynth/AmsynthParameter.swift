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
