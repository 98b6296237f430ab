@_exported import EngineHarness
@testable import Scenes
@testable import Synth

// What the engine's own tests add to the player.
extension Player {
  func lift(_ note: Int, at frame: Int = 0, source: Int = 0, target: UInt8 = 0) {
    release(note, at: frame, source: source, target: target)
  }

  /// The numbers of the voices that sound or fade.
  var voiceNumbers: [Int] {
    var numbers: [Int] = []
    var voice = engine.next(0)
    while voice < Limits.lanes {
      numbers.append(voice)
      voice = engine.next(voice + 1)
    }
    return numbers
  }

  /// Groups that a sound has.
  var groups: Int { Limits.groups - engine.freeGroups }

  /// Sounds that are to be heard.
  var sounds: Int { (0..<Limits.sounds).filter { engine.sounds[$0].isSounding }.count }
}

// What the tests see of the engine's rooms. No other file of theirs names them by their way through the engine.
extension UnsafeMutablePointer where Pointee: ~Copyable, Pointee == Engine {
  var frame: Int64 { pointee.frame }
  /// Units of work of the last block.
  var work: Int { pointee.parts.ensemble.renderer.work }
  var beatLine: BeatLine { pointee.parts.ensemble.renderer.beatClock.line }
  var scene: Scene { pointee.parts.ensemble.scene.pointee }
  func reset() { pointee.reset() }
  func reportLoad(share: Float) { pointee.reportLoad(share: share) }

  // Voices, by their numbers.
  func note(_ voice: Int) -> Note { pointee.parts.ensemble.voices.notes[voice] }
  func next(_ voice: Int) -> Int { pointee.parts.ensemble.voices.next(voice) }
  func isSounding(_ voice: Int) -> Bool { pointee.parts.ensemble.voices.isSounding(voice) }
  func isReleased(_ voice: Int) -> Bool { pointee.parts.ensemble.voices.isReleased(voice) }
  func isCurrent(_ voice: Int) -> Bool { pointee.parts.ensemble.voices.isCurrent(voice) }
  func fade(_ voice: Int) { pointee.parts.ensemble.voices.fade(voice) }
  func silence() { pointee.parts.ensemble.voices.silence() }
  func victim() -> Int? { pointee.parts.ensemble.voices.victim() }
  var newestOrder: UInt64 { pointee.parts.ensemble.voices.order }
  /// Whether voices move to other groups, so that fewer are rendered.
  var compacts: Bool {
    get { pointee.parts.ensemble.voices.compacts }
    nonmutating set { pointee.parts.ensemble.voices.compacts = newValue }
  }

  // Groups of voices, and what a voice has in its lane.
  var groups: UnsafeMutablePointer<VoiceGroup> { pointee.parts.ensemble.voices.groups }
  func groupAddress(of voice: Int) -> UnsafeMutablePointer<VoiceGroup> {
    pointee.parts.ensemble.voices.group(voice)
  }
  func group(of voice: Int) -> VoiceGroup { groupAddress(of: voice).pointee }
  func lane(_ voice: Int) -> Int { pointee.parts.ensemble.voices.lane(voice) }
  func source(_ source: ModulationSource, of voice: Int) -> Float {
    group(of: voice).block.sources[source.index][lane(voice)]
  }
  /// Octaves from concert pitch.
  func pitch(of voice: Int) -> Float { group(of: voice).block.state.pointee.pitch[lane(voice)] }

  // Sounds.
  var sounds: UnsafeMutablePointer<Sound> { pointee.parts.ensemble.voices.sounds.sounds }
  var currentSounds: UnsafeMutablePointer<Int> { pointee.parts.ensemble.voices.sounds.current }
  /// Groups that no sound has.
  var freeGroups: Int { pointee.parts.ensemble.voices.pool.free }

  // What hands and steps hold.
  var controllers: Controllers { _read { yield pointee.parts.ensemble.controllers } }
  var played: PlayedParts { _read { yield pointee.parts.ensemble.played } }
  var arps: Arps { _read { yield pointee.parts.arps } }
  func releaseEntries() { pointee.parts.arps.releaseEntries(pointee.parts.ensemble) }
}
