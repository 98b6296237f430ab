import ControlHarness
import Parameters
import Presets
import Scenes
import Synth
import System
import Testing
@testable import Control

extension Library {
  /// A library of nothing.
  static var none: Library { Library(database: nil, factory: nil, log: { _ in }) }
}

struct ControlTests {
  @Test("An instrument that nobody holds is freed, with its features and their descriptors")
  func freed() throws {
    weak var freed: Instrument?
    weak var writer: SceneWriter?
    weak var waker: Waker?
    do {
      let loop = try #require(PollLoop())
      let instrument = Instrument(link: Link(.initial), library: .none, log: { _ in })
      instrument.join(loop)
      loop.round(limit: 0)
      (freed, writer, waker) = (instrument, instrument.writer, loop.waker)
    }
    #expect(freed == nil)
    #expect(writer == nil)
    #expect(waker == nil)
  }

  @Test("Changes are published together, at most every two milliseconds")
  func coalesced() throws {
    let link = Link(.initial)
    let instrument = Instrument(link: link, library: .none, log: { _ in })
    let audio = link.scene.audioSide
    audio.setRunning(true)
    #expect(instrument.update(0) != nil)
    let cutoff = try #require(Address("/filter/cutoff", focus: 0)).knob
    for hertz in 100..<200 {
      instrument.set(cutoff, to: Float(hertz))
      #expect(instrument.update(1_000_000) == 2_000_000)
    }
    #expect(audio.take().pointee[cutoff] == 8000)
    #expect(instrument.update(2_000_000) != nil)
    #expect(audio.take().pointee[cutoff] == 199)
    // Two images were replaced; both are freed once audio has passed a block, and then there is nothing to do.
    #expect(instrument.update(12_000_000) == nil)
    #expect(link.scene.retiredCount == 0)
  }

  @Test("What does not change a value is not told")
  func news() throws {
    let instrument = Instrument(link: Link(.initial), library: .none, log: { _ in })
    var told: [Change] = []
    instrument.listen { told.append($0) }
    let cutoff = try #require(Address("/filter/cutoff", focus: 0)).knob
    instrument.set(cutoff, to: 1e9)
    instrument.set(cutoff, to: 20_000)
    instrument.set(cutoff, to: .nan)
    #expect(told == [.knob(cutoff)])
  }

  @Test("A controller moves its knob on the parts that listen to the channel")
  func controllers() throws {
    let link = Link(.initial)
    let instrument = Instrument(link: link, library: .none, log: { _ in })
    instrument.set(try #require(Address("/part/2/on", focus: 0)).knob, to: 1)
    for (channel, value) in [(0, Float(1)), (1, 0), (15, 0.5)] {
      link.commands.push(
        Event(frame: 0, kind: .controller, target: UInt8(channel), note: 10, value: value))
    }
    _ = instrument.update(0)
    // Part 1 is omni, part 2 listens to channel 2.
    #expect(instrument.stage.scene[0].strip.pan == 0)
    #expect(instrument.stage.scene[1].strip.pan == -1)
    #expect(instrument.stage.scene[2].strip.pan == 0)
  }

  @Test("A clock sets the tempo, and a sequencer starts, moves and stops the song")
  func clock() {
    let link = Link(.initial)
    let instrument = Instrument(link: link, library: .none, log: { _ in })
    let songs = RequestLog<SongRequest>()
    instrument.songs.handler = songs
    func say(_ kind: Event.Kind, _ number: UInt8 = 0, _ value: Float = 0) {
      link.commands.push(Event(frame: 0, kind: kind, source: 2, note: number, value: value))
      _ = instrument.update(0)
    }
    say(.tempo, 0, 97.3)
    #expect(instrument.stage.scene.master.tempo == 97.3)
    // What is out of range stops at its end.
    say(.tempo, 0, 900)
    #expect(instrument.stage.scene.master.tempo == 300)
    say(.songPosition, 0, 18)
    for command in [SongCommand.resume, .stop, .start] { say(.songCommand, command.rawValue) }
    say(.songCommand, 77)
    say(.clockStart, 1, 2.5)
    say(.clockContinue)
    #expect(
      songs.requests.map { "\($0)" } == [
        "locate(4.5)", "arm(nil)", "stop", "arm(Optional(0.0))", "begin(Optional(130.5), frame: 0)",
        "begin(nil, frame: 0)",
      ])
  }

  @Test("A key of a surface plays the scene as it was set before the key, also within one round of the loop")
  func keyAfterEdit() throws {
    let link = Link(.initial)
    let instrument = Instrument(link: link, library: .none, log: { _ in })
    let knob = ParameterID(
      row: try #require(Table.rows.firstIndex { $0.address == "/filter/cutoff" }), part: 0)
    func published() -> Float { link.scene.audioSide.take().pointee[knob] }
    func strike() {
      instrument.performance.handle(.noteOn, source: Limits.surfaceSources, part: 0, note: 60, value: 1)
    }
    _ = instrument.update(0)
    instrument.set(knob, to: 500)
    #expect(published() != 500)
    strike()
    #expect(published() == 500)
    // A flood of knobs and keys makes no more scenes than the audio thread takes.
    link.scene.audioSide.setRunning(true)
    for step in 0..<1_000 {
      instrument.set(knob, to: 600 + Float(step))
      strike()
    }
    #expect(link.scene.retiredCount <= 9)
  }

  @Test("A sound controller moves what is heard, from what the sound has: 64 not at all", arguments: 71...78)
  func soundControllers(number: Int) throws {
    let link = Link(.initial)
    let instrument = Instrument(link: link, library: .none, log: { _ in })
    let row = try #require(Table.rows.firstIndex { $0.controller == UInt8(number) })
    let knob = ParameterID(row: row, part: 0)
    let kind = Table.rows[row].kind
    var now: Int64 = 0
    func move(_ kind: Event.Kind, _ value: Float = 0, source: UInt8 = 2) {
      link.commands.push(Event(frame: 0, kind: kind, source: source, note: UInt8(number), value: value))
      now += 10_000_000
      _ = instrument.update(now)
    }
    func heard() -> Float { link.scene.audioSide.take().pointee[knob] }
    let own = instrument.stage.scene[knob]
    move(.controller, 0)
    #expect(heard() == kind.range.lowerBound)
    move(.controller, 1)
    #expect(heard() == kind.range.upperBound)
    move(.controller, 0.75)
    // Half of what is left to the end.
    #expect(abs(kind.fader(value: heard()) - (1 + kind.fader(value: own)) / 2) < 1e-4)
    #expect(instrument.stage.scene[knob] == own && !instrument.presets.isEdited(part: 0))
    // A recall brings another sound, to which the same is done.
    var patch = Patch.initial
    let other = kind.value(fader: 0.2) ?? 0
    patch[Table.rows[row]] = other
    instrument.writer.stage.recall(patch, part: 0)
    move(.controller, 0.25)
    #expect(abs(kind.fader(value: heard()) - 0.1) < 1e-4 && instrument.stage.scene[knob] == other)
    // Another device that goes has not moved it.
    move(.sourceGone, source: 3)
    #expect(heard() != other)
    move(.sourceGone)
    #expect(heard() == other)
    move(.controller, 1)
    instrument.performance.play(.panic, source: 16, part: 0)
    move(.sourceGone, source: 5)
    #expect(heard() == other)
    move(.controller, 1)
    move(.controller, 0.5)
    #expect(heard() == other)
  }

  @Test("A recall raises the generation, an edit does not")
  func generation() throws {
    var stage = Stage()
    let before = Scene.initial[3].generation
    stage.scene[try #require(Address("/part/4/filter/cutoff", focus: 0)).knob] = 50
    #expect(stage.scene[3].generation == before)
    stage.recall(.initial, part: 3)
    #expect(stage.scene[3].generation == before &+ 1)
    #expect(stage.scene[3].patch.filter.cutoff == 8000)
    #expect(stage.scene[2].generation == 0)
    // What sounds when a session is restored keeps its sound.
    stage.restore(.initial)
    #expect(stage.scene[3].generation == before &+ 2 && stage.scene[2].generation == 1)
  }
}
