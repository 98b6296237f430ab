import Glibc
import Parameters
import Scenes
import Scratch
import Testing
@testable import Presets

/// Presets of amsynth, imported.
struct AmsynthTests {
  private let library = Library(database: nil, factory: nil, log: { Issue.record("\($0)") })

  private static func preset(_ name: String, _ parameters: String...) -> String {
    (["<preset> <name> \(name)"] + parameters.map { "<parameter> \($0)" }).joined(separator: "\n") + "\n"
  }

  private func sound(_ parameters: String...) throws -> (patch: Patch, losses: [String]) {
    let text =
      "amSynth1.0preset\n"
      + (["<preset> <name> X"] + parameters.map { "<parameter> \($0)" }).joined(separator: "\n")
    let (preset, warnings) = try library.importText(text, name: "")
    return (try #require(library.patch(of: preset)), warnings.map { "\($0)" })
  }

  private func knob(_ patch: Patch, _ address: String) throws -> Float {
    patch[Table.rows[try #require(Table.rows.firstIndex { $0.address == address })]]
  }

  @Test("A bank is split into its presets; unused places are left out, and a repeated name gets a number")
  func bank() {
    let bank =
      "amSynth\r\n" + Self.preset("Bells", "osc1_waveform 0") + Self.preset("New Preset", "amp_attack 1")
      + Self.preset("Bells", "osc1_waveform 1") + Self.preset("Low", "osc2_range -1")
    let imported = library.importBundle(bank)
    #expect(imported.map(\.name) == ["Bells", "Bells 2", "Low"])
    #expect(imported.map(\.line) == [2, 6, 8] && imported.allSatisfy { $0.warnings.isEmpty })
    #expect(library.importBundle("amSynth\n").isEmpty)
  }

  @Test("The initial sound of amsynth has one saw through an open filter")
  func initial() throws {
    let (patch, losses) = try sound()
    #expect(losses.isEmpty)
    #expect(try knob(patch, "/osc/1/level") == 0.5 && knob(patch, "/osc/2/level") == 0.5)
    #expect(try knob(patch, "/osc/1/wave") == 2)
    // 261.63 Hz times 64, lowered by what a soft stroke closes, which the velocity opens again.
    let cutoff = try knob(patch, "/filter/cutoff") * exp2(knob(patch, "/filter/velocity"))
    #expect(abs(cutoff / 16_744 - 1) < 0.01)
    #expect(try knob(patch, "/amp/velocity") == 1 && knob(patch, "/amp/sustain") == 1)
    #expect(try knob(patch, "/reverb/on") == 0 && knob(patch, "/drive/on") == 0)
  }

  @Test("Times are cubes, tunings are sums, and an envelope that adds hertz becomes one of octaves")
  func laws() throws {
    let (patch, _) = try sound(
      "amp_attack 2", "amp_release 1", "osc2_range 1", "osc2_pitch -5", "osc2_detune 0.1", "filter_cutoff 0",
      "filter_env_amount 15", "filter_resonance 0.5", "filter_sustain 0.2", "filter_vel_sens 0",
      "filter_type 1", "filter_slope 0",
      "osc_mix 1", "osc_mix_mode 0.5", "keyboard_mode 1", "portamento_time 0.25", "osc2_waveform 1",
      "osc2_pulsewidth 0.4", "osc1_pulsewidth 0.5")
    #expect(try knob(patch, "/osc/1/wave") == Waveform.trisaw.choice && knob(patch, "/osc/1/width") == 0.75)
    #expect(abs(try knob(patch, "/amp/attack") - 8) < 0.01)
    #expect(abs(try knob(patch, "/amp/release") - 1) < 0.01)
    let octave = try knob(patch, "/osc/2/octave")
    let cents = 1200 * octave + 100 * (try knob(patch, "/osc/2/semitone")) + (try knob(patch, "/osc/2/fine"))
    #expect(abs(cents - 738.63) < 0.01)
    #expect(abs(try knob(patch, "/filter/amount") - 4) < 0.001)
    #expect(abs(try knob(patch, "/filter/sustain") - 0.5) < 0.001)
    #expect(abs(try knob(patch, "/filter/cutoff") - 261.63) < 0.1)
    #expect(try knob(patch, "/filter/mode") == 2 && knob(patch, "/filter/slope") == 1)
    #expect(try knob(patch, "/osc/1/level") == 0 && knob(patch, "/osc/2/level") == 0.5)
    #expect(try knob(patch, "/ring/level") == 0.5 && knob(patch, "/play/mode") == 1)
    #expect(try knob(patch, "/play/glide") == 0.25)
    #expect(try knob(patch, "/play/glidemode") == 2)
    #expect(abs(try knob(patch, "/osc/2/width") - 0.7) < 0.001)
  }

  @Test("Distortion is the power of the drive, with the same exponent")
  func crunch() throws {
    let (patch, losses) = try sound("distortion_crunch 0.5")
    #expect(
      try knob(patch, "/drive/on") == 1 && knob(patch, "/drive/shape") == Float(DriveShape.power.rawValue))
    // The exponent of the drive is 1 - gain / 40, that of amsynth 1 - crunch.
    #expect(try losses.isEmpty && abs(knob(patch, "/drive/gain") - 20) < 1e-3)
    #expect(try knob(sound("distortion_crunch 0").patch, "/drive/on") == 0)
  }

  @Test("What pipit cannot play is named with its line")
  func losses() throws {
    let (_, losses) = try sound(
      "osc1_waveform 2", "amp_attack 2.5", "filter_kbd_track 0.5", "wobble 3", "lfo_freq nan",
      "osc1_waveform 9")
    #expect(losses.count == 5, "\(losses)")
    for (line, word) in [
      (4, "read as 10"), (5, "filter_kbd_track"), (6, "wobble"), (7, "lfo_freq"), (8, "osc1_waveform"),
    ] {
      #expect(
        losses.contains { $0.hasPrefix("line \(line): ") && $0.contains(word) }, "\(line) \(word): \(losses)")
    }
  }

  @Test("A glide is a line over its time, with each note or from a note that is held", arguments: [0, 1])
  func glide(mode: Int) throws {
    let (patch, _) = try sound("portamento_time 0.25", "portamento_mode \(mode)")
    #expect(try knob(patch, "/play/glidewhen") == Float(mode) && knob(patch, "/play/glide") == 0.25)
    let (still, _) = try sound("portamento_mode \(mode)")
    #expect(try knob(still, "/play/glide") == 0)
  }

  @Test("Only a sine and a saw synchronize the second oscillator, as in amsynth")
  func synchronization() throws {
    for (wave, isOn) in [(0, 1), (1, 0), (2, 1), (3, 0)] as [(Int, Float)] {
      let (patch, _) = try sound("osc1_waveform \(wave)", "osc2_sync 1")
      #expect(try knob(patch, "/osc/2/sync") == isOn, "\(wave)")
    }
    let (patch, _) = try sound("osc1_waveform 0")
    #expect(try knob(patch, "/osc/2/sync") == 0)
  }

  /// The waves of pipit: sine, triangle, saw, square, down.
  @Test("The LFO's saw rises and its other saw falls; it stands nowhere still")
  func sweeps() throws {
    for (number, wave) in [(0, 0), (1, 3), (2, 1), (5, 2), (6, 4)] as [(Int, Float)] {
      let (patch, losses) = try sound("lfo_waveform \(number)", "lfo_freq 0")
      #expect(try knob(patch, "/lfo/1/wave") == wave && losses.isEmpty, "\(number)")
      #expect(try knob(patch, "/lfo/1/rate") > 0)
    }
  }

  @Test("The reverb has its own width, and the level stops where amsynth's limiter begins")
  func effects() throws {
    let (wide, _) = try sound("reverb_wet 0.5", "reverb_roomsize 0.8", "reverb_width 0.3")
    #expect(try knob(wide, "/reverb/on") == 1 && abs(knob(wide, "/reverb/width") - 0.3) < 1e-4)
    for (volume, level) in [(1, 3.6), (0.6, 3.6), (0.5, 1.959)] as [(Float, Float)] {
      let (patch, _) = try sound("master_vol \(volume)")
      #expect(abs(try knob(patch, "/amp/level") - level) < 0.01, "\(volume)")
    }
  }

  @Test("A vibrato of one oscillator is a slot of the matrix, in cents")
  func vibrato() throws {
    let (patch, losses) = try sound("freq_mod_amount 0.5", "freq_mod_osc 2", "lfo_freq 2")
    #expect(losses.isEmpty)
    #expect(abs(try knob(patch, "/lfo/1/rate") - 4) < 0.001)
    // 600 times the logarithm of 1.0625 / 0.9375, of 1,200.
    #expect(abs(try knob(patch, "/mod/1/amount") - 0.0903) < 0.0005)
    #expect(try knob(patch, "/osc/1/fine") == 0 && knob(patch, "/osc/2/fine") < -3)
  }

  @Test(
    "What is beyond four octaves is a ratio, LFO noise is noise, and an envelope opens as far above the lowest cutoff"
  )
  func ends() throws {
    let (patch, losses) = try sound(
      "osc2_range 4", "osc2_pitch 12", "lfo_waveform 3", "freq_mod_amount 0.5", "filter_vel_sens 0",
      "filter_cutoff -0.5", "filter_env_amount 16", "filter_sustain 0")
    let tuning = try knob(patch, "/osc/2/octave") + knob(patch, "/osc/2/semitone") / 12
    #expect(abs(tuning + log2(try knob(patch, "/osc/2/ratio")) - 5) < 0.001)
    #expect(try knob(patch, "/lfo/1/wave") == Float(LFOWave.allCases.firstIndex(of: .noise) ?? 0))
    #expect(losses.isEmpty)
    for share in [0.8, 1] as [Float] {
      let (low, _) = try sound(
        "filter_vel_sens \(share)", "filter_cutoff -0.5", "filter_env_amount 16", "filter_sustain 0")
      let (cutoff, amount) = (try knob(low, "/filter/cutoff"), try knob(low, "/filter/amount"))
      let opened = cutoff * exp2(try knob(low, "/filter/velocity"))
      // A quarter of 261.63 Hz; the envelope adds 16 times that.
      #expect(abs(cutoff - 20) < 0.01 && abs(log2(opened / 65.41)) < 0.01)
      #expect(abs(log2(opened * exp2(amount) / (65.41 + 4186))) < 0.01)
    }
  }

  @Test("Whatever a file has, the import ends and the sound is finite", arguments: 0..<200)
  func noise(seed: Int) throws {
    var generator = SeededRandom(UInt64(seed))
    let words = AmsynthParameter.allCases.map(\.rawValue) + ["<preset>", "unused", "\u{FEFF}", ""]
    var text = "amSynth\n<preset> <name> \(seed)\n"
    for _ in 0..<60 {
      let number = ["-1e30", "1e-30", "inf", "0.5", "3", "-3", "99", "", "1,5"].randomElement(
        using: &generator)!
      text += "<parameter> \(words.randomElement(using: &generator)!) \(number)\n"
    }
    if seed % 3 == 0 { text = String(text.prefix(text.count / 2)) }
    for one in library.importBundle(text) {
      let preset = try #require(one.slot.flatMap { library[$0] })
      let patch = try #require(library.patch(of: preset))
      #expect(Table.rows.allSatisfy { $0.field.scope != .patch || patch[$0].isFinite })
    }
  }
}
