import Foundation
import Glibc
import Scratch
import Testing

/// Songs for General MIDI, rendered by the program with the factory's presets.
@Suite("General MIDI")
struct GeneralMIDITests {
  private static let factory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("presets").path
  private static let systemOn: [UInt8] = [0, 0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7]
  private let folder = Folder()

  /// One track; 96 ticks are half a second.
  private func song(_ events: [UInt8]) -> String {
    let body = events + [0, 0xFF, 0x2F, 0]
    let size: [UInt8] = [0, 0, UInt8(body.count >> 8), UInt8(body.count & 0xFF)]
    let head: [UInt8] = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96]
    return folder.file("song.mid", head + Array("MTrk".utf8) + size + body)
  }

  private func render(
    _ events: [UInt8], _ options: [String] = [], presets: String = factory
  ) -> (run: Run, wav: [UInt8]) {
    let out = folder.path + "/out.wav"
    unlink(out)
    let words = ["render", song(events), "-o", out, "--presets", presets, "--state", folder.path]
    let run = Run(words + ["--rate", "44100"] + options)
    return (run, contents(out))
  }

  /// A note of half a second.
  private static func note(_ key: UInt8, _ channel: UInt8 = 0) -> [UInt8] {
    [0, 0x90 | channel, key, 100, 96, 0x80 | channel, key, 0]
  }

  /// How far two sounds lie apart, as a share of the first.
  private func distance(_ one: [UInt8], _ other: [UInt8]) -> Double {
    var (apart, whole) = (0.0, 1e-9)
    var place = 44
    while place + 1 < min(one.count, other.count) {
      let first = Double(Int16(bitPattern: UInt16(one[place]) | UInt16(one[place + 1]) << 8))
      let second = Double(Int16(bitPattern: UInt16(other[place]) | UInt16(other[place + 1]) << 8))
      apart += (first - second) * (first - second)
      whole += first * first
      place += 2
    }
    return whole > 1 ? (apart / whole).squareRoot() : .infinity
  }

  @Test(
    "a song has General MIDI's programs unless it says that it is for pipit, and render says which and why")
  func programs() {
    // Program 27 is the Jazz Guitar as it is.
    let plain = [0, 0xC0, 26] + Self.note(60)
    let asked = [0, 0xB0, 0, 0] + plain
    let marked: [UInt8] = [0, 0xFF, 1, 5] + Array("pipit".utf8)
    // The same volume on both sides: General MIDI's is lower where a song says nothing.
    let loud: [UInt8] = [0, 0xB0, 7, 100]
    let guitar = render(loud + asked, ["--preset", "Jazz Guitar"]).wav
    let ours = render(loud + marked + asked)
    let own = ours.wav
    #expect(ours.run.output.hasSuffix("; programs: pipit's banks, because it has the text \"pipit\"\n"))
    let told = render(Self.systemOn + loud + asked)
    #expect(told.run.status == 0 && told.run.errors.isEmpty, "\(told.run.errors)")
    let near = distance(guitar, told.wav)
    let far = distance(guitar, own)
    #expect(near < 0.05 && far > 0.5, "\(near) \(far)")
    #expect(
      told.run.output.hasSuffix(
        "; programs: General MIDI, because it sends GM System On, or a reset of GS or XG\n"))
    #expect(render(loud + marked + asked, ["--programs", "gm"]).wav == told.wav)
    #expect(render(loud + asked).wav == told.wav)
    #expect(render(loud + plain).wav == told.wav)
    #expect(render(loud + plain, ["--programs", "pipit"]).wav == own)
    #expect(render(Self.systemOn + loud + asked, ["--programs", "pipit"]).wav == own)
    let wrong = render(asked, ["--programs", "gs"]).run
    #expect(wrong.status == 2 && wrong.errors.contains("--programs must be"), "\(wrong.errors)")
  }

  /// A low-pass of first order by the bilinear transform, and what it takes away.
  private struct Pass {
    private let turn: Double
    private var (last, low) = (0.0, 0.0)

    init(_ hz: Double) { turn = tan(Double.pi * hz / 44_100) }

    mutating func split(_ sample: Double) -> (low: Double, high: Double) {
      low = (turn * (sample + last) + (1 - turn) * low) / (1 + turn)
      last = sample
      return (low, sample - low)
    }
  }

  /// The shares of the energy below 150 Hz and above 5 kHz, by filters of first order, twice each.
  private func shares(_ wav: [UInt8]) -> (low: Double, high: Double) {
    var (bass, bass2, treble, treble2) = (Pass(150), Pass(150), Pass(5_000), Pass(5_000))
    var sums = (all: 1e-12, low: 0.0, high: 0.0)
    var place = 44
    while place + 3 < wav.count {
      let raw = Int16(bitPattern: UInt16(wav[place]) | UInt16(wav[place + 1]) << 8)
      let sample = Double(raw) / 32_768
      let low = bass2.split(bass.split(sample).low).low
      let high = treble2.split(treble.split(sample).high).high
      sums.all += sample * sample
      sums.low += low * low
      sums.high += high * high
      place += 4
    }
    return (sums.low / sums.all, sums.high / sums.all)
  }

  @Test("channel 10 plays drums: a low kick, a bright hat, no melody")
  func drums() {
    let kick = render(Self.systemOn + Self.note(36, 9))
    let hat = render(Self.systemOn + Self.note(42, 9))
    #expect(kick.run.errors.isEmpty && hat.run.errors.isEmpty, "\(kick.run.errors)")
    let (low, bright) = (shares(kick.wav), shares(hat.wav))
    #expect(low.low > 0.3 && low.high < 0.02, "\(low)")
    #expect(bright.high > 0.2 && bright.low < 0.02, "\(bright)")
    // As a program of its own the channel would ask for a piano.
    let piano = [0, 0xC9, 0] + Self.note(42, 9)
    let struck = render(Self.systemOn + piano)
    let near = distance(hat.wav, struck.wav)
    let far = distance(hat.wav, render(piano, ["--programs", "pipit"]).wav)
    #expect(near < 0.05 && far > 0.5, "\(near) \(far)")
    // What the song does not say, its channel 10 does.
    #expect(render([0, 0xB9, 0, 0] + piano).wav == struck.wav)
  }

  @Test("keys of channel 10 that have no drum are silent", arguments: [22, 24, 26, 88, 91, 94] as [UInt8])
  func silentKeys(key: UInt8) {
    let plain = render(Self.note(key, 9))
    #expect(plain.run.status == 0 && energy(plain.wav, 0, 1) == 0)
    #expect(energy(render(Self.note(60, 9)).wav, 0, 0.5) > 0)
  }

  @Test("a program of channel 10 chooses a drum kit, and an unknown one the standard kit")
  func kits() {
    func sound(_ program: UInt8, _ key: UInt8) -> [UInt8] {
      render(Self.systemOn + [0, 0xC9, program] + Self.note(key, 9)).wav
    }
    // A drum of its own in each kit.
    for (program, key) in [(8, 41), (16, 38), (24, 45), (25, 36), (32, 36), (40, 38), (48, 53), (56, 47)] {
      let (own, standard) = (sound(UInt8(program), UInt8(key)), sound(0, UInt8(key)))
      #expect(distance(standard, own) > 0.5, "program \(program + 1)")
      // Another drum is that of the standard kit.
      if program == 25 { #expect(distance(sound(25, 46), sound(0, 46)) < 0.05) }
    }
    for program: UInt8 in [1, 15, 57, 127] { #expect(sound(program, 36) == sound(0, 36)) }
  }

  @Test("a parameter of GS sets the level of one drum, and the cutoff of a sound")
  func parameters() {
    func level(_ parameter: [UInt8], _ key: UInt8, _ channel: UInt8 = 9) -> Double {
      let wav = render(Self.systemOn + parameter + Self.note(key, channel)).wav
      return 10 * log10(energy(wav, 0, 0.5))
    }
    let kick: [UInt8] = [0, 0xB9, 99, 0x1A, 0, 98, 36, 0, 6, 64]
    #expect(abs(level(kick, 36) - level([], 36) + 11.9) < 0.2)
    #expect(abs(level(kick, 38) - level([], 38)) < 0.01)
    let dark: [UInt8] = [0, 0xB0, 99, 1, 0, 98, 0x20, 0, 6, 0]
    let controller: [UInt8] = [0, 0xB0, 74, 0]
    let strings: [UInt8] = [0, 0xC0, 48]
    #expect(level(strings + dark, 60, 0) < level(strings, 60, 0) - 3)
    #expect(render(dark + Self.note(60)).wav == render(controller + Self.note(60)).wav)
  }

  @Test("a reset ends MPE zones: each channel plays by itself")
  func zonesEnd() {
    let zone: [UInt8] = [0, 0xB0, 101, 0, 0, 100, 6, 0, 6, 15]
    // General MIDI System On, and the reset of GS.
    let reset: [UInt8] = [0, 0xF0, 10, 0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41, 0xF7]
    let note = Self.note(60, 1)
    let plain = render(Self.systemOn + note).wav
    #expect(energy(plain, 0.1, 0.5) > 0)
    for middle in [Self.systemOn, reset] { #expect(render(zone + middle + note).wav == plain) }
  }

  /// The energy of a stretch of seconds, both sides.
  private func energy(_ wav: [UInt8], _ from: Double, _ to: Double) -> Double {
    var sum = 0.0
    for place in stride(from: 44 + 4 * Int(from * 44_100), to: 44 + 4 * Int(to * 44_100), by: 2) {
      guard place + 1 < wav.count else { break }
      let sample = Double(Int16(bitPattern: UInt16(wav[place]) | UInt16(wav[place + 1]) << 8))
      sum += sample * sample
    }
    return sum
  }

  @Test("a closed or a pedal hat cuts an open one off, and a ride does not")
  func hats() {
    // A crotchet of the open hat, or of silence, and after a hundredth of a second a soft stroke of another.
    func struck(_ drum: UInt8, open: UInt8) -> Double {
      let strokes: [UInt8] = [0, 0x99, 46, open, 2, 0x99, drum, 64, 94, 0x89, 46, 0, 0, 0x89, drum, 0]
      return energy(render(Self.systemOn + strokes).wav, 0.03, 0.1)
    }
    let (ride, both) = (struck(51, open: 0), struck(51, open: 127))
    #expect(both > 2 * ride, "\(both) \(ride)")
    for hat: UInt8 in [42, 44] {
      let (alone, left) = (struck(hat, open: 0), struck(hat, open: 127))
      #expect(alone > 0 && left < 1.2 * alone, "\(hat): \(left) \(alone)")
    }
  }

  @Test("wrong lines of gm.txt are named once and cost no other")
  func wrongLines() {
    folder.file("presets/01-first.txt", "pipit preset 1\nname First\n/osc/1/wave sine\n")
    folder.file(
      "presets/02-second.txt",
      "pipit preset 1\nname Second\n/osc/1/wave square\n/amp/velocity/percent 100\n")
    let presets = folder.path + "/presets"
    let lines = [
      "5 Nothing", "0 First", "129 First", "20", "20 second", "20 First", "key 36", "key 200 3", "x First",
      "key 36 30 1 # a group", "key 38 40 128", "key 38 40 one", "key 38 40 1 2",
    ]
    folder.file("presets/gm.txt", "pipit programs 1\n" + lines.joined(separator: "\n") + "\n\u{0} \u{7F}\n")
    let loud: [UInt8] = [0, 0xB0, 7, 100, 0, 0xC0, 19]
    let told = render(Self.systemOn + loud + Self.note(60), presets: presets)
    let second = render(loud + Self.note(60), ["--preset", "Second"], presets: presets).wav
    let near = distance(second, told.wav)
    #expect(told.run.status == 0 && near < 0.05, "\(near)")
    for line in [2, 3, 4, 5, 7, 8, 9, 10, 12, 13, 14, 15] {
      let count = told.run.errors.components(separatedBy: "line \(line):").count - 1
      #expect(count == 1, "line \(line) in \(told.run.errors)")
    }
    folder.file("presets/gm.txt", [0, 1, 255, 254])
    let broken = render(loud + Self.note(60), ["--programs", "gm"], presets: presets).run
    #expect(broken.status == 1 && broken.errors.contains("has no gm.txt"), "\(broken.errors)")
    #expect(render(Self.systemOn + loud + Self.note(60), presets: presets).run.status == 0)
  }
}
