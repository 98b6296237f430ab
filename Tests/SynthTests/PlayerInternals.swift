@_exported import EngineHarness

@testable import Synth

// What the engine's own tests add to the player.
extension Player {
  func lift(_ note: Int, at frame: Int = 0, source: Int = 0, target: UInt8 = 0) {
    release(note, at: frame, source: source, target: target)
  }

  /// The numbers of the voices that sound or fade.
  var voiceNumbers: [Int] {
    var numbers: [Int] = []
    var voice = engine.pointee.voices.next(0)
    while voice < Limits.lanes {
      numbers.append(voice)
      voice = engine.pointee.voices.next(voice + 1)
    }
    return numbers
  }

  /// Groups that a sound has.
  var groups: Int { Limits.groups - engine.pointee.voices.pool.free }

  /// Sounds that are to be heard.
  var sounds: Int { (0..<Limits.sounds).filter { engine.pointee.voices.sounds.sounds[$0].isSounding }.count }
}
