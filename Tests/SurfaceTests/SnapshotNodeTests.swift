import Glibc
import MIDI
import Parameters
import Presets
import Scenes
import Scratch
import Storage
import Testing
@testable import Control
@testable import Surface

/// Rules M1 and M2 from outside: letters that store and recall, and what tablets are shown of them.
struct SnapshotNodeTests {
  private func patch(_ player: Player, part: Int = 0) -> Patch { player.control.stage.scene[part].patch }

  private func store(_ player: Player, _ letter: String, cutoff: Double, part: String = "") {
    player.say("\(part)/filter/cutoff/hz", cutoff)
    player.say("\(part)/snapshot/store")
    player.say("\(part)/snapshot/\(letter)", 1)
    player.say("\(part)/snapshot/\(letter)", 0)
    player.pass(milliseconds: 300)
  }

  private func press(_ player: Player, _ address: String, milliseconds: Int64 = 100) {
    player.say(address, 1)
    player.pass(milliseconds: milliseconds)
    player.say(address, 0)
    player.pass(milliseconds: 50)
  }

  /// Snapshots A with 300 Hz and B with 4 kHz, which is heard.
  private func twoSnapshots(quantize: String) -> Stand {
    let stand = Stand()
    store(stand.player, "a", cutoff: 300)
    store(stand.player, "b", cutoff: 4_000)
    stand.player.say("/morph/quantize", quantize)
    return stand
  }

  @Test("M1: a recall edits the sounding generation: every value to the bit, and no new sound")
  func recall() {
    let player = Player.connected()
    store(player, "a", cutoff: 300)
    for (address, value) in [("/osc/1/wave", 0.0), ("/chorus/on", 1), ("/arp/on", 1), ("/play/mode", 2)] {
      player.say(address, value)
    }
    player.say("/sequence/step/4", "7 90 50 1")
    store(player, "b", cutoff: 4_000)
    let (second, generation) = (patch(player), player.control.stage.scene[0].generation)
    press(player, "/snapshot/a")
    #expect(patch(player).filter.cutoff == 300 && patch(player).effects.chorus.on == 0)
    #expect(
      patch(player).arp.on == 0 && patch(player).play.mode == 0 && patch(player).sequence[3].velocity == 0)
    press(player, "/snapshot/b")
    #expect(patch(player).isSame(as: second))
    #expect(player.control.stage.scene[0].generation == generation)
  }

  @Test(
    "M1: a recall takes the time of /morph/time, and a knob that a hand moves meanwhile stays with the hand")
  func time() {
    let player = Player.connected()
    store(player, "a", cutoff: 100)
    player.say("/filter/resonance/percent", 80)
    store(player, "b", cutoff: 10_000)
    press(player, "/snapshot/a")
    player.say("/morph/time/seconds", 2)
    let start = player.now + 110_000_000
    press(player, "/snapshot/b")
    var before: Float = 100
    while player.now < start + 1_900_000_000 {
      player.pass(milliseconds: 10)
      let cutoff = patch(player).filter.cutoff
      let position = Double(player.now - start) / 2e9
      #expect(abs(Double(cutoff) / (100 * pow(100, position)) - 1) < 0.1, "\(position)")
      #expect(cutoff > before)
      before = cutoff
      if (0.5..<0.51).contains(position) { player.say("/filter/resonance/percent", 5) }
    }
    #expect(patch(player).filter.cutoff < 10_000)
    player.pass(milliseconds: 300)
    #expect(patch(player).filter.cutoff == 10_000 && patch(player).filter.resonance == 0.05)
  }

  @Test("A recall waits for the next bar or beat of a song", arguments: [("bar", 3.5), ("beat", 0.5)])
  func songBar(_ start: String, _ length: Double) {
    let stand = twoSnapshots(quantize: start)
    let song = UInt8(Limits.songSource)
    stand.link.control.push(Event(frame: 0, kind: .clockTempo, source: song, value: 120))
    stand.link.control.push(.clock(.clockStart, beat: 0, source: song, frame: 0))
    stand.link.control.push(Meter(beats: 7, power: 3, origin: 1).event(source: song, frame: 0))
    _ = stand.play(110)
    stand.player.say("/snapshot/a")
    var waited = 0
    while patch(stand.player).filter.cutoff != 300, waited < 400 {
      _ = stand.play(1)
      waited += 1
    }
    let beat = stand.link.beatClock.now.line.beat(at: stand.engine.pointee.frame) - 1
    let late = beat - (beat / length).rounded() * length
    #expect(late >= 0 && late < 0.045 && waited > 5, "\(late) \(waited)")
  }

  @Test(
    "M1: a recall waits for the next beat or bar of the beat line, and not while it stands still",
    arguments: [("beat", 50), ("bar", 200)])
  func quantized(_ start: String, _ period: Int) {
    // 120 beats a minute: a beat is fifty hundredths of a second.
    let stand = twoSnapshots(quantize: start)
    let player = stand.player
    player.say("/clock/start")
    _ = stand.play(30)
    player.say("/snapshot/a")
    #expect(player["/snapshot/coming"] == .string("A"))
    var waited = 0
    while patch(player).filter.cutoff != 300, waited < 400 {
      _ = stand.play(1)
      waited += 1
    }
    let beat = stand.link.beatClock.now.line.beat(at: stand.engine.pointee.frame)
    let beats = Double(period) / 50
    let late = beat - (beat / beats).rounded() * beats
    print("snapshots: recalled on the \(start) after \(waited) hundredths, \(late) beats late")
    #expect(late >= 0 && late < 0.045 && waited > 5)
    #expect(player["/snapshot/coming"] == .string(""))
    player.say("/clock/stop")
    _ = stand.play(5)
    player.say("/snapshot/b")
    _ = stand.play(1)
    #expect(patch(player).filter.cutoff == 4_000)
  }

  @Test(
    "M2: a letter held for half a second stores, a shorter press recalls, and a lost release does nothing")
  func hold() {
    let player = Player.connected()
    player.say("/filter/cutoff/hz", 700)
    press(player, "/snapshot/c", milliseconds: 600)
    #expect(player.shown["/snapshot/c/filled"] == .int(1) && player.shown["/snapshot/c/current"] == .int(1))
    player.say("/filter/cutoff/hz", 900)
    press(player, "/snapshot/c", milliseconds: 450)
    #expect(patch(player).filter.cutoff == 700)
    player.say("/filter/cutoff/hz", 900)
    player.say("/snapshot/c", 1)
    player.pass(milliseconds: 600)
    #expect(player.shown["/notice"] == .string("Let go to store snapshot C"))
    player.pass(milliseconds: 3_000)
    #expect(patch(player).filter.cutoff == 900)
    #expect(player.control.presets.snapshots(part: 0)[2]?.patch.filter.cutoff == 700)
    // Neither a release without a press, nor an empty letter.
    player.say("/snapshot/d", 0)
    #expect(player.refusal("/snapshot/d") == "/snapshot/d snapshot D is empty; hold its letter to store")
    #expect(
      player.refusal("/snapshot/c", .string("x")) != nil && player.refusal("/snapshot/c", .number(3)) != nil)
    #expect(patch(player).filter.cutoff == 900)
  }

  @Test("M2: storing, naming and erasing are steps that undo takes back, and the sound stays where it is")
  func undone() throws {
    let player = Player.connected()
    store(player, "a", cutoff: 300)
    store(player, "a", cutoff: 400)
    player.say("/snapshot/a/rename", "Verse")
    player.say("/snapshot/a/erase")
    let presets = player.control.presets
    #expect(presets.snapshots(part: 0).isEmpty)
    let generation = player.control.stage.scene[0].generation
    player.say("/preset/undo")
    #expect(presets.snapshots(part: 0)[0]?.name == "Verse")
    player.say("/preset/undo")
    #expect(
      presets.snapshots(part: 0)[0]?.name == "" && presets.snapshots(part: 0)[0]?.patch.filter.cutoff == 400)
    player.say("/preset/undo")
    #expect(presets.snapshots(part: 0)[0]?.patch.filter.cutoff == 300)
    #expect(patch(player).filter.cutoff == 400 && player.control.stage.scene[0].generation == generation)
    for _ in 0..<3 { player.say("/preset/redo") }
    #expect(presets.snapshots(part: 0).isEmpty)
    #expect(player.refusal("/snapshot/a/rename", .string("X")) == "/snapshot/a/rename snapshot A is empty")
    #expect(player.refusal("/snapshot/a/erase") == "/snapshot/a/erase snapshot A is empty")
  }

  @Test("M2: STORE waits ten seconds for its letter, a second press cancels it, and a duplicate does not")
  func armed() {
    let player = Player.connected()
    player.say("/snapshot/store")
    player.say("/snapshot/store")
    player.pass(milliseconds: 300)
    #expect(player.shown["/snapshot/store/armed"] == .int(1))
    player.say("/snapshot/store")
    player.pass(milliseconds: 300)
    #expect(player.shown["/snapshot/store/armed"] == .int(0))
    player.say("/snapshot/store")
    player.pass(milliseconds: 10_100)
    #expect(player.shown["/snapshot/store/armed"] == .int(0))
    press(player, "/snapshot/a")
    #expect(player.control.presets.snapshots(part: 0).isEmpty)
  }

  @Test("Lamps: bare addresses show the part in focus, those of a part whoever has used them")
  func lamps() {
    let player = Player.connected()
    store(player, "a", cutoff: 300)
    store(player, "h", cutoff: 500, part: "/part/3")
    #expect(player.shown["/snapshot/a/filled"] == .int(1) && player.shown["/snapshot/h/filled"] == nil)
    #expect(player.shown["/part/3/snapshot/h/filled"] == .int(1))
    player.say("/part/3/snapshot/h/rename", "Föhn")
    player.say("/focus", 3)
    player.pass(milliseconds: 500)
    #expect(player.shown["/snapshot/a/filled"] == .int(0) && player.shown["/snapshot/h/current"] == .int(1))
    #expect(player.shown["/snapshot/h/name"] == .string("Föhn"))
    press(player, "/snapshot/h/erase")
    #expect(player.shown["/snapshot/h/filled"] == .int(0) && player.shown["/snapshot/h/current"] == .int(0))
  }

  @Test(
    "Snapshots travel with the sound: save and recall, session, copy to a part; the mark tells of a change")
  func travel() throws {
    let library = Library(database: nil, factory: nil, log: { _ in })
    let player = Player(library)
    store(player, "b", cutoff: 300)
    player.say("/snapshot/b/rename", "Chorus")
    player.say("/preset/save/new", "Mine")
    #expect(player["/preset/edited"] == .int(0))
    let snapshots = player.control.presets.snapshots(part: 0)
    store(player, "c", cutoff: 900)
    #expect(player["/preset/edited"] == .int(1))
    player.say("/preset/load", "Mine")
    #expect(player.control.presets.snapshots(part: 0) == snapshots && player["/preset/edited"] == .int(0))
    #expect(player["/snapshot/b/current"] == .int(1))
    player.say("/preset/copy/part", 4)
    #expect(player.control.presets.snapshots(part: 3) == snapshots)
    player.say("/snapshot/b/rename", "Refrain")
    #expect(player["/preset/edited"] == .int(1))
    player.say("/preset/undo")
    #expect(player["/preset/edited"] == .int(0))
    player.pass(milliseconds: 20)
    let text = try #require(library.session).text(library.wavetables)
    let other = Library(database: nil, factory: nil, log: { _ in })
    let session = try Session.read(text, names: other.wavetables).session
    #expect(
      session.snapshots[0] == snapshots && session.snapshots[3] == snapshots && session.snapshots[1].isEmpty)
    other.save(session)
    let next = Player(other)
    #expect(next.control.presets.snapshots(part: 3) == snapshots)
    #expect(next["/snapshot/b/current"] == .int(1) && next["/snapshot/b/name"] == .string("Chorus"))
  }

  @Test("A recall of a preset, or undo, ends a recall of a snapshot that is on its way")
  func ended() {
    let player = Player.connected()
    store(player, "a", cutoff: 100)
    store(player, "b", cutoff: 10_000)
    player.say("/preset/save/new", "Mine")
    player.say("/morph/time/seconds", 4)
    player.say("/snapshot/a")
    player.pass(milliseconds: 1_000)
    player.say("/preset/load", "Mine")
    player.pass(milliseconds: 5_000)
    #expect(patch(player).filter.cutoff == 10_000)
    player.say("/snapshot/a")
    player.pass(milliseconds: 1_000)
    player.say("/preset/undo")
    player.pass(milliseconds: 5_000)
    #expect(patch(player).filter.cutoff == 10_000)
    player.say("/preset/redo")
    #expect(patch(player).filter.cutoff < 10_000)
  }

  @Test("Storing ends a recall that is on its way: the sound that is stored stays")
  func storedOnTheWay() {
    let player = Player.connected()
    store(player, "a", cutoff: 100)
    store(player, "b", cutoff: 10_000)
    player.say("/morph/time/seconds", 4)
    player.say("/snapshot/a")
    player.pass(milliseconds: 1_000)
    player.say("/snapshot/store")
    player.say("/snapshot/c")
    let stored = patch(player)
    #expect(stored.filter.cutoff > 200 && stored.filter.cutoff < 9_000)
    player.pass(milliseconds: 5_000)
    #expect(patch(player).isSame(as: stored))
    #expect(player.control.presets.snapshots(part: 0)[2]?.patch.isSame(as: stored) == true)
  }

  @Test("A release of another client is not that of a press")
  func twoClients() throws {
    let player = Player.connected()
    store(player, "a", cutoff: 300)
    player.say("/filter/cutoff/hz", 900)
    let buttons = player.control.snapshotButtons
    try buttons.touch(0, isPressed: true, client: 1, part: 0, now: player.now)
    try buttons.touch(0, isPressed: false, client: 2, part: 0, now: player.now + 100_000_000)
    #expect(patch(player).filter.cutoff == 900)
    try buttons.touch(0, isPressed: false, client: 1, part: 0, now: player.now + 200_000_000)
    #expect(patch(player).filter.cutoff == 300)
  }

  @Test(
    "M1: a press less than a thousandth of a beat late does not wait for the next beat",
    arguments: [(0.000_2, 0.000_8, true), (0.001_2, 0.01, false)])
  func pressOnTheBeat(_ from: Double, _ to: Double, isOnTheBeat: Bool) {
    let stand = twoSnapshots(quantize: "beat")
    let player = stand.player
    // So that fifty hundredths of a second end a little later in each beat.
    player.control.set(ParameterID(row: KeyRanges.row("/tempo"), part: 0), to: 120.05)
    player.say("/clock/start")
    var late = 1.0
    for _ in 0..<5_000 where !(from..<to).contains(late) {
      _ = stand.play(1)
      let clock = stand.link.clock
      // The message comes ten milliseconds later.
      let frame = clock.frame(at: player.now + 10_000_000) - clock.now.latency
      let beat = stand.link.beatClock.now.line.beat(at: frame)
      late = beat - beat.rounded(.down)
    }
    #expect((from..<to).contains(late))
    player.say("/snapshot/a")
    _ = stand.play(2)
    #expect((patch(player).filter.cutoff == 300) == isOnTheBeat, "\(late) beats late")
  }

  @Test("M1: a bar has as many beats as the click counts")
  func barOfThree() {
    let stand = twoSnapshots(quantize: "bar")
    let player = stand.player
    player.control.set(ParameterID(row: KeyRanges.row("/click/beats"), part: 0), to: 3)
    player.say("/clock/start")
    _ = stand.play(30)
    player.say("/snapshot/a")
    var waited = 0
    while patch(player).filter.cutoff != 300, waited < 400 {
      _ = stand.play(1)
      waited += 1
    }
    let beat = stand.link.beatClock.now.line.beat(at: stand.engine.pointee.frame)
    #expect(beat >= 3 && beat < 3.045)
  }

  @Test("M8: steps that a hand changes during a recall stay with the hand, all of them")
  func stepsByHand() {
    let player = Player.connected()
    store(player, "a", cutoff: 100)
    player.say("/sequence/step/4", "7 90 50 1")
    store(player, "b", cutoff: 10_000)
    press(player, "/snapshot/a")
    player.say("/morph/time/seconds", 2)
    player.say("/snapshot/b")
    player.pass(milliseconds: 500)
    player.say("/sequence/step/4", "3 80 50 1")
    player.pass(milliseconds: 3_000)
    #expect(patch(player).filter.cutoff == 10_000 && patch(player).sequence[3].note == 3)
  }

  @Test("M8: steps that a hand changes during a morph stay with the hand until an end is reached")
  func morphedSteps() {
    let player = Player.connected()
    store(player, "a", cutoff: 100)
    player.say("/sequence/step/4", "7 90 50 1")
    store(player, "b", cutoff: 10_000)
    for (position, note) in [(0.2, 3), (0.8, 3), (1.0, 7)] {
      player.say("/morph/position", position)
      player.pass(milliseconds: 50)
      if position == 0.2 { player.say("/sequence/step/4", "3 80 50 1") }
      player.pass(milliseconds: 50)
      #expect(patch(player).sequence[3].note == note, "\(position)")
    }
  }

  @Test("M2: a doubled packet does not shorten a press; a lock and a minute end one")
  func presses() throws {
    let player = Player.connected()
    let (buttons, start) = (player.control.snapshotButtons, player.now)
    func touch(_ letter: Int, _ isPressed: Bool, _ milliseconds: Int64) throws {
      try buttons.touch(
        letter, isPressed: isPressed, client: 1, part: 0, now: start + milliseconds * 1_000_000)
    }
    try touch(0, true, 0)
    player.control.lock.set(true)
    player.control.lock.set(false)
    try touch(0, false, 600)
    try touch(1, true, 1_000)
    try touch(1, false, 61_000)
    try touch(2, true, 100_000)
    try touch(2, true, 100_100)
    try touch(2, false, 100_550)
    let snapshots = player.control.presets.snapshots(part: 0)
    for (letter, isStored) in [false, false, true].enumerated() {
      #expect((snapshots[letter] != nil) == isStored, "\(letter)")
    }
  }

  @Test("A control of a keyboard recalls a letter")
  func learned() throws {
    #expect(BindingTarget("/snapshot/e") == .action(.snapshotE, part: nil))
    #expect(BindingTarget("/part/2/snapshot/h") == .action(.snapshotH, part: 1))
    for action in BindingTarget.Action.allCases {
      #expect(NodeTree.instrument.find(action.rawValue) != nil)
      #expect(
        BindingTarget.Action(rawValue: action.rawValue)?.snapshot
          == Table.snapshots.firstIndex { "/snapshot/\($0)" == action.rawValue })
    }
  }
}
