import EngineHarness
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// Scenes whose wavetables are made on another thread: what is heard meanwhile, and afterwards.
@Suite("A wavetable that is still being made") struct AwaitedWavetableTests {
  private typealias Playing = WavetablePlaying

  /// A worker whose jobs the test finishes.
  private final class Jobs {
    private var jobs: [(make: @Sendable () -> PreparedWavetable, done: (PreparedWavetable) -> Void)] = []
    private(set) var begun = 0
    var waiting: Int { jobs.count }

    init(of player: Player) {
      player.link.scene.makeWavetables { [unowned self] make, done in
        jobs.append((make, done))
        begun += 1
        return true
      }
    }

    func finishOne() {
      let (make, done) = jobs.removeFirst()
      done(make())
    }
  }

  private static let saw: [(String, Float)] = Playing.knobs(
    .basic, 0, [("/osc/1/wave", Waveform.saw.choice), ("/osc/2/wave", Waveform.saw.choice)])

  private func recalled(_ scene: Scene, _ knobs: [(String, Float)], part: Int = 0) -> Scene {
    var scene = scene
    scene[part].patch = Scene.with(knobs)[0].patch
    scene[part].generation += 1
    return scene
  }

  /// What is heard of `scene`, a key in it, then `next`, whose table is ready `delay` blocks later, and another key; and
  /// what should be heard: `meanwhile` in place of `next` until then.
  private func expectSame(_ scene: Scene, _ next: Scene, meanwhile: Scene, jobs count: Int = 1) {
    let (player, reference) = (Player(scene, running: true), Player(scene, running: true))
    let jobs = Jobs(of: player)
    for player in [player, reference] {
      player.press(60)
      player.play(4_800)
    }
    player.link.scene.publish(next)
    reference.link.scene.publish(meanwhile)
    #expect(jobs.waiting == 1)
    for player in [player, reference] { player.play(3_200) }
    for _ in 0..<count { jobs.finishOne() }
    #expect(jobs.waiting == 0)
    reference.link.scene.publish(next)
    for player in [player, reference] {
      player.play(3_200)
      player.press(67)
      player.play(9_600)
    }
    #expect(player.left == reference.left && player.right == reference.right)
    #expect(player.left.suffix(4_800).contains { abs($0) > 0.05 })
    #expect(player.link.scene.awaitedRecalls == 0)
  }

  @Test("keeps the sound before a recall that needs it, in that part alone")
  func recall() {
    let scene = Scene.with(Self.saw)
    var next = recalled(scene, Playing.knobs(.hollow, 0.5))
    var meanwhile = scene
    // The strip, and the recall of another part, do not wait.
    for index in 0..<2 {
      var changed = index == 0 ? next : meanwhile
      changed[0].strip.level = -6
      changed = recalled(changed, Playing.knobs(.basic, 0, [("/osc/1/wave", Waveform.sine.choice)]), part: 1)
      changed[1].patch.oscillator2.wave = Waveform.sine.choice
      changed[1].strip.on = 1
      if index == 0 { next = changed } else { meanwhile = changed }
    }
    expectSame(scene, next, meanwhile: meanwhile)
  }

  @Test("keeps the sound before a recall until both tables of it are there")
  func both() {
    let scene = Scene.with(Self.saw)
    var next = recalled(scene, Playing.knobs(.hollow, 0.5))
    next[0].patch.oscillator2.table = 3
    expectSame(scene, next, meanwhile: scene, jobs: 2)
  }

  @Test("keeps the table before a knob, while other knobs are turned")
  func knob() {
    let scene = Scene.with(Playing.knobs(.basic, 0.5))
    var meanwhile = scene
    meanwhile[0].patch.filter.cutoff = 900
    var next = meanwhile
    next[0].patch.oscillator1.table = 6
    expectSame(scene, next, meanwhile: meanwhile)
  }

  @Test("keeps the waveform before it")
  func waveform() {
    let scene = Scene.with(Self.saw)
    var meanwhile = scene
    meanwhile[0].patch.filter.cutoff = 900
    var next = meanwhile
    next[0].patch.oscillator2.wave = Waveform.wavetable.choice
    expectSame(scene, next, meanwhile: meanwhile)
  }

  @Test("is dropped for a later recall, whose sound comes at once, or with its own table")
  func later() {
    let scene = Scene.with(Self.saw)
    let player = Player(scene, running: true)
    let jobs = Jobs(of: player)
    func published() -> Part { player.link.scene.audioSide.take().pointee[0] }
    var next = recalled(scene, Playing.knobs(.hollow, 0.5))
    player.link.scene.publish(next)
    #expect(player.link.scene.awaitedRecalls == 1 && published().generation == scene[0].generation)
    // Three more, of which the last counts: one job at a time.
    for table in [FactoryWavetable.tenor, .glass, .bell] {
      next = recalled(next, Playing.knobs(table, 0.5))
      player.link.scene.publish(next)
    }
    #expect(jobs.waiting == 1 && jobs.begun == 1)
    jobs.finishOne()
    #expect(jobs.waiting == 1 && jobs.begun == 2 && published().generation == scene[0].generation)
    #expect(player.link.scene.wavetableCount == 0)
    jobs.finishOne()
    #expect(published().generation == next[0].generation)
    #expect(published().patch.oscillator1.table == next[0].patch.oscillator1.table)
    #expect(player.link.scene.wavetableCount == 1 && player.link.scene.awaitedRecalls == 0)
    // A recall without tables does not wait for that of the one before.
    player.link.scene.publish(recalled(next, Playing.knobs(.slope, 0.5)))
    let last = recalled(recalled(next, Self.saw), Self.saw)
    player.link.scene.publish(last)
    #expect(published().generation == last[0].generation && jobs.waiting == 1)
    jobs.finishOne()
    #expect(published().generation == last[0].generation && jobs.waiting == 0)
    player.play(4_800)
    player.link.scene.service()
    #expect(player.link.scene.wavetableCount == 0 && player.link.scene.retiredCount == 0)
  }

  @Test("takes no more memory than the newest scene and what sounds need")
  func memory() {
    var scene = Scene.with(Playing.knobs(.basic, 0.5))
    let player = Player(scene, running: true)
    let jobs = Jobs(of: player)
    player.press(60)
    for (index, table) in FactoryWavetable.allCases.enumerated() {
      scene.turn(Playing.knobs(table, 0.5))
      player.link.scene.publish(scene)
      player.play(64)
      if index % 3 == 0, jobs.waiting > 0 { jobs.finishOne() }
      player.link.scene.service()
      #expect(player.link.scene.wavetableCount <= 8)
    }
    while jobs.waiting > 0 { jobs.finishOne() }
    player.play(4_800)
    player.link.scene.service()
    #expect(player.link.scene.wavetableCount == 1)
    #expect(player.left.allSatisfy { $0.isFinite && abs($0) <= 1 })
  }

  @Test("is made at once if there is no thread")
  func noThread() {
    let scene = Scene.with(Self.saw)
    let player = Player(scene, running: true)
    player.link.scene.makeWavetables { _, _ in false }
    let next = recalled(scene, Playing.knobs(.hollow, 0.5))
    player.link.scene.publish(next)
    #expect(player.link.scene.audioSide.take().pointee[0].generation == next[0].generation)
    #expect(player.link.scene.wavetableCount == 1 && player.link.scene.awaitedRecalls == 0)
  }
}
