import Parameters
import Scenes
import Scratch
import Testing
@testable import Presets
@testable import Storage

/// A sound with every knob somewhere.
func randomPatch(_ seed: UInt64) -> Patch {
  var dice = SeededRandom(seed)
  var patch = Patch.initial
  for row in Table.rows where row.field.scope == .patch {
    patch[row] = Float.random(in: row.kind.range, using: &dice)
  }
  for step in 0..<Int.random(in: 0...StepSequence.mostSteps, using: &dice) {
    patch.sequence[step] = SequenceStep(
      note: Int.random(in: -60...60, using: &dice), velocity: Int.random(in: 0...127, using: &dice),
      gate: Int.random(in: 1...100, using: &dice) * 2, ratchet: Int.random(in: 1...4, using: &dice),
      isTie: Bool.random(using: &dice))
  }
  return patch
}

func bits(_ patch: Patch) -> [UInt8] { withUnsafeBytes(of: patch) { Array($0) } }

@Test("Every sound reads back from its text bit for bit")
func roundTrip() throws {
  for seed in 0..<2_000 {
    let patch = randomPatch(UInt64(seed))
    let reading = try PresetText.read(PresetText.write(patch))
    #expect(reading.warnings.isEmpty)
    #expect(bits(reading.patch) == bits(patch), "seed \(seed)")
  }
  for end in [\ClosedRange<Float>.lowerBound, \.upperBound] {
    var patch = Patch.initial
    for row in Table.rows where row.field.scope == .patch { patch[row] = row.kind.range[keyPath: end] }
    #expect(bits(try PresetText.read(PresetText.write(patch)).patch) == bits(patch))
  }
}

@Test("The text of a sound holds what differs from the initial values, in units")
func onlyWhatDiffers() {
  #expect(PresetText.write(.initial) == "pipit preset 1\n")
  var patch = Patch.initial
  patch.filter.cutoff = 1200
  patch.oscillator1.wave = Float(Waveform.square.rawValue)
  patch.amplifier.envelope.sustain = 0.35
  #expect(
    PresetText.write(patch, name: "Reed") == """
      pipit preset 1
      name Reed
      /osc/1/wave square
      /filter/cutoff/hz 1200
      /amp/sustain/percent 35

      """)
}

@Test("A session reads back bit for bit, with focus and presets")
func sessionRoundTrip() throws {
  var dice = SeededRandom(1)
  var session = Session()
  for knob in ParameterID.all {
    session.scene[knob] = Float.random(in: Table.rows[knob.row].kind.range, using: &dice)
  }
  session.focus = 4
  session.presets[0] = Slot(bank: 0, program: 3)
  session.presets[7] = Slot(bank: 2, program: 127)
  let (read, warnings) = try Session.read(session.text)
  #expect(warnings.isEmpty)
  for knob in ParameterID.all {
    #expect(read.scene[knob].bitPattern == session.scene[knob].bitPattern, "\(knob.address)")
  }
  #expect(read.focus == 4)
  #expect(read.presets == session.presets)
  #expect(Session().text == "pipit session 1\nfocus 1\n")
}

@Test("What cannot be taken is left out or brought inside with its line named, and the rest is read")
func warnings() throws {
  let text = """
    pipit preset 1
    # a comment
    /filter/cutof/hz 500
    /filter/cutoff/hz 99999
    /osc/1/wave sawtooth
    /osc/2/wave 8
    /amp/sustain/percent nan
    /amp/attack/seconds
    /part/2/filter/resonance/percent 50
    /master/level/db -3
    /filter/cutoff/text 1.20 kHz
    /osc/2/octave/octaves 1.4
    /filter/track 2
    hello
    /lfo/1/rate/hz 2.5
    """
  let reading = try PresetText.read(text)
  #expect(reading.warnings.map(\.line) == [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
  #expect(reading.warnings[0].description == "line 3: \"/filter/cutof/hz 500\": no such knob")
  #expect(reading.warnings[1].problem.hasSuffix("expected a number from 20 to 20000; read as 20000"))
  #expect(
    reading.warnings[2].problem.hasSuffix(
      "expected one of sine, triangle, saw, square, noise, trisaw, wavetable"))
  #expect(reading.patch.filter.cutoff == 20_000)
  #expect(reading.patch.oscillator1.wave == Patch.initial.oscillator1.wave)
  #expect(reading.patch.oscillator2.wave == Waveform.wavetable.choice)
  #expect(reading.patch.oscillator2.octave == 1)
  #expect(reading.patch.filter.track == 1)
  #expect(reading.patch.filter.resonance == Patch.initial.filter.resonance)
  #expect(reading.patch.lfo.shape.rate == 2.5)
}

@Test("Line ends, tabs, blanks, a byte order mark, NUL and bad UTF-8 do no harm")
func roughText() throws {
  let rough =
    "\u{FEFF}pipit  preset 1 \r\n\r\n\t/filter/cutoff/hz \t 700  \r\nname  Rough \t\r\n/osc/1/wave\tsquare"
  let reading = try PresetText.read(rough)
  #expect(reading.warnings.isEmpty)
  #expect(reading.patch.filter.cutoff == 700)
  #expect(reading.patch.oscillator1.wave == 3)
  #expect(reading.name == "Rough")

  let bytes: [UInt8] =
    Array("pipit preset 1\n".utf8) + [0, 1, 0xFF, 0xC3, 10] + Array("/lfo/1/rate/hz 3\n".utf8)
  let repaired = try PresetText.read(String(decoding: bytes, as: UTF8.self))
  #expect(repaired.patch.lfo.shape.rate == 3)
  #expect(repaired.warnings.map(\.line) == [2])
  #expect(!repaired.warnings[0].description.utf8.contains { $0 < 32 })
}

@Test("A preset of a newer version is read as far as it is known")
func newerVersion() throws {
  let reading = try PresetText.read("pipit preset 2\n/theremin/depth/percent 30\n/lfo/1/rate/hz 3\n")
  #expect(reading.patch.lfo.shape.rate == 3)
  #expect(reading.warnings.map(\.line) == [1, 2])
}

@Test(
  "A text that is no preset is refused with what was expected",
  arguments: [
    "", "\n", "/lfo/1/rate/hz 3", "pipit session 1\n", "pipit preset 0", "pipit preset x", "RIFF\u{0}\u{0}",
  ])
func refusal(text: String) {
  #expect {
    try PresetText.read(text)
  } throws: { error in
    "\(error)".hasSuffix("a preset begins with \"pipit preset 1\"")
  }
}

@Test("A text that is too long is refused, one full of rubbish gives few warnings")
func hugeText() throws {
  #expect(throws: TextRefusal.self) {
    try PresetText.read("pipit preset 1\n" + String(repeating: "#", count: Limits.presetBytes))
  }
  let rubbish = "pipit preset 1\n" + String(repeating: "x\n", count: 30_000)
  let reading = try PresetText.read(rubbish)
  #expect(reading.warnings.count == TextFormat.warnings + 1)
  #expect(reading.warnings.last?.description == "and 29980 more lines")
}

@Test("A name is trimmed, loses control characters and ends within 64 bytes at a character")
func names() {
  #expect(Document.name("  Warm\u{0}\n Bass\t ") == "Warm Bass")
  #expect(Document.name("\r\n \t\u{7F}") == nil)
  #expect(Document.name(String(repeating: "é", count: 40)) == String(repeating: "é", count: 32))
  #expect(Document.name(String(repeating: "a", count: 63) + "é") == String(repeating: "a", count: 63))
}

@Test("A name loses what changes the direction of a line or is not seen, and keeps every letter")
func unseen() {
  for scalar in [
    "\u{202E}", "\u{2066}", "\u{200B}", "\u{200D}", "\u{FEFF}", "\u{AD}", "\u{E0041}", "\u{85}", "\u{3164}",
  ] {
    #expect(Document.name("Wa\(scalar)rm \(scalar)") == "Warm", "\(scalar.unicodeScalars)")
    #expect(Document.name(scalar) == nil)
    #expect(!TextFormat.printable("a\(scalar)b").unicodeScalars.contains(scalar.unicodeScalars.first!))
  }
  // Of what stands in one letter with it, the rest stays.
  #expect(Document.name("a\u{301}\u{200D}") == "a\u{301}")
  for name in ["Ærø", "e\u{301}té", "ปี่", "בס", "低音", "🎹", "𝄢"] { #expect(Document.name(name) == name) }
}

@Test("A preset says its category, tags, author and a line about it; none of them is a knob")
func about() throws {
  let head = "pipit preset 1\nname Reed\n"
  let reading = try PresetText.read(
    head + "category organs\ntags Soft, acoustic ,reed\nauthor Ada\nabout A reed in a room.\n"
      + "/filter/cutoff/hz 900\n")
  #expect(reading.warnings.isEmpty)
  #expect(reading.about.category == .organs && reading.about.tags == ["soft", "acoustic", "reed"])
  #expect(reading.about.author == "Ada" && reading.about.description == "A reed in a room.")
  #expect(reading.patch.filter.cutoff == 900)
  #expect(try PresetText.read(head).about == PresetAbout())
  let wrong = try PresetText.read(head + "category reeds\ntags ,\nauthor\nabout\n")
  #expect(wrong.warnings.count == 4 && wrong.about == PresetAbout())
  let sentence = wrong.warnings.first?.description ?? ""
  #expect(sentence.contains("expected one of basses, leads"), "\(sentence)")
}
