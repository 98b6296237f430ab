import EngineHarness
import Glibc
import Presets
import Scenes
import Scratch
import Synth
import System
import Testing
import Wavetables
@testable import Control
@testable import Parameters

/// The player's wavetables: chosen by name, saved by name, and replaced while they are missing.
@Suite("A wavetable of the player") struct UserWavetableTests {
  private let folder = Folder()
  private let link = Link(.initial)
  private let library = Library(database: nil, factory: nil, log: { _ in })
  private var register: NameRegister { library.wavetables }
  private let factory = FactoryWavetable.allCases.count

  private func instrument(_ said: @escaping (String) -> Void = { _ in }) -> Instrument {
    Instrument(
      link: link, library: library, wavetables: WavetableFolder(folder.path), log: said)
  }

  private var knob: ParameterID {
    ParameterID(row: Table.rows.firstIndex { $0.address == "/osc/1/table" } ?? 0, part: 0)
  }
  private var kind: Kind { Table.rows[knob.row].kind.knowing(register) }

  private func wave(_ harmonic: Float) -> [UInt8] {
    WAVFile.bytes((0..<2_048).map { 0.5 * sin(2 * Float.pi * harmonic * Float($0) / 2_048) })
  }

  /// The strongest harmonic of 110 Hz that part 1 plays.
  private func harmonic(_ instrument: Instrument) -> Int {
    let player = Player(link, running: true) { Engine(rate: 48_000, link: $0) }
    player.play(64)
    player.press(45, velocity: 1)
    player.play(9_600 + 16_384)
    let spectrum = Spectrum(player.left.dropFirst(9_600), size: 16_384)
    func power(_ partial: Int) -> Double {
      let pitch = Double(partial) * 110
      return spectrum.power(from: pitch - 20, to: pitch + 20)
    }
    return (1...12).max { power($0) < power($1) } ?? 0
  }

  private func choose(_ instrument: Instrument, _ value: Float) {
    let wave = ParameterID(row: Table.rows.firstIndex { $0.address == "/osc/1/wave" } ?? 0, part: 0)
    instrument.set(wave, to: Waveform.wavetable.choice)
    instrument.set(knob, to: value)
    _ = instrument.update(1_000_000_000)
  }

  @Test("is played, and saved by its name")
  func played() throws {
    folder.file("Seventh Harmonic.wav", wave(7))
    let instrument = instrument()
    #expect(instrument.wavetables.names.count == factory + 1)
    #expect(instrument.wavetables.names.last == "Seventh Harmonic")
    let value = try #require(kind.value(text: "seventh harmonic"))
    #expect(value == Float(factory) && kind.text(value: value) == "Seventh Harmonic")
    choose(instrument, value)
    #expect(harmonic(instrument) == 7)
    let text = PresetText.write(instrument.stage.scene[0].patch, names: register)
    #expect(text.contains("/osc/1/table Seventh Harmonic\n"))
    #expect(try PresetText.read(text, names: register).patch.oscillator1.table == value)
  }

  @Test("that is missing keeps its name, and the first of the factory is played")
  func missing() throws {
    var said: [String] = []
    let instrument = instrument { said.append($0) }
    let text = "pipit preset 1\n/osc/1/wave wavetable\n/osc/1/table Not Here Yet\n"
    let reading = try PresetText.read(text, names: register)
    #expect(reading.warnings.isEmpty)
    choose(instrument, reading.patch.oscillator1.table)
    for round in 2..<7 {
      instrument.set(knob, to: 0)
      instrument.set(knob, to: reading.patch.oscillator1.table)
      _ = instrument.update(Int64(round) * 1_000_000_000)
    }
    #expect(said.filter { $0.contains("Not Here Yet") }.count == 1, "\(said)")
    // The middle of `basic` is between a triangle and a saw.
    #expect(harmonic(instrument) == 1)
    let saved = PresetText.write(instrument.stage.scene[0].patch, names: register)
    #expect(saved.contains("/osc/1/table Not Here Yet\n"))
  }

  @Test("whose file is damaged is named")
  func damaged() throws {
    folder.file("Broken.wav", Array(wave(3).dropLast(100)))
    var said: [String] = []
    let instrument = instrument { said.append($0) }
    choose(instrument, try #require(kind.value(text: "broken")))
    #expect(said.contains { $0.contains("Broken: is cut off") }, "\(said)")
    #expect(harmonic(instrument) == 1)
  }

  @Test("is read and made by another thread once the instrument is in its loop, and a key waits for a recall")
  func worked() throws {
    folder.file("Seventh Harmonic.wav", wave(7))
    let instrument = instrument()
    let loop = try #require(PollLoop())
    instrument.join(loop)
    loop.round(limit: 0)
    link.scene.audioSide.setRunning(true)
    func generation() -> UInt32 { link.scene.audioSide.take().pointee[0].generation }
    var patch = instrument.stage.scene[0].patch
    patch.oscillator1.wave = Waveform.wavetable.choice
    patch.oscillator1.table = try #require(kind.value(text: "seventh harmonic"))
    let before = generation()
    instrument.writer.stage.recall(patch, part: 0)
    instrument.writer.changed(.sound(part: 0))
    let performance = instrument.performance
    performance.handle(.noteOn, source: Limits.surfaceSources, part: 1, note: 40, value: 1)
    performance.handle(.noteOn, source: Limits.surfaceSources, part: 0, note: 60, value: 1)
    performance.handle(.noteOff, source: Limits.surfaceSources, part: 0, note: 60)
    // Only the part of the recall waits.
    #expect(link.control.peek()?.pointee.note == 40 && generation() == before)
    link.control.drop()
    #expect(link.control.peek() == nil && link.scene.awaitedRecalls == 1)
    let isPlayed = eventually {
      loop.round(limit: 1_000_000)
      return link.control.peek() != nil
    }
    #expect(isPlayed)
    #expect(generation() == before + 1 && link.scene.wavetableCount == 1)
    #expect(link.control.peek()?.pointee.kind == .noteOn)
    link.control.drop()
    #expect(link.control.peek()?.pointee.kind == .noteOff)
    link.control.drop()
    link.scene.audioSide.setRunning(false)
    #expect(harmonic(instrument) == 7)
  }

  @Test("is known to the instrument that has read its name, and to no other")
  func owned() throws {
    folder.file("Seventh Harmonic.wav", wave(7))
    let (other, instrument) = (Library(database: nil, factory: nil, log: { _ in }), instrument())
    #expect(kind.names?.count == factory + 1 && kind.range == 0...Float(factory))
    for kind in [Table.rows[knob.row].kind, Table.rows[knob.row].kind.knowing(other.wavetables)] {
      #expect(kind.names?.count == factory && kind.value(text: "Seventh Harmonic") == nil)
    }
    // The others do not know the name, but a scene holds its number.
    choose(instrument, Float(factory))
    #expect(
      instrument.value(of: knob) == Float(factory) && kind.text(value: Float(factory)) == "Seventh Harmonic")
    // Another instrument gives the same number to another name.
    let text = "pipit preset 1\n/osc/1/table Other\n"
    let patch = try PresetText.read(text, names: other.wavetables).patch
    #expect(
      patch.oscillator1.table == Float(factory) && PresetText.write(patch, names: other.wavetables) == text)
  }

  @Test("has no name that a line of a preset could not hold")
  func names() {
    let register = NameRegister()
    #expect(register.learn("a b") == 0 && register.learn("A B") == 0 && register.learn("c") == 1)
    let long = String(repeating: "a", count: 201)
    for name in [
      "", " a", "a ", "a\nb", "a/b", "12", "1e3", "nan", ".a", "a\\b", "a\u{202E}b", "\u{200D}", long,
    ] {
      #expect(register.learn(name) == nil, "\(name)")
    }
    for number in 0..<NameRegister.mostNames + 10 { register.learn("name \(number)") }
    #expect(register.count == NameRegister.mostNames)
    #expect(register.name(-1) == nil && register.name(NameRegister.mostNames) == nil)
  }
}
