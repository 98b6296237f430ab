import Control
import Presets
import Scenes
import Song
import System

/// The player's changes to a song, and the state of its channels.
extension SongPlayer {
  /// The time for which even a very short note lights the lamp of its channel, seconds.
  private static let shortestLamp = 0.1
  /// How often the names of the sounds are looked up while a song plays, nanoseconds.
  private static let naming: Int64 = 500_000_000

  /// Carries out a request; it holds until another song is loaded.
  func mix(_ request: SongMixRequest) -> String? {
    guard course != nil else { return "has no song yet" }
    switch request {
    case .tempo(let percent):
      self.percent = max(SongMixState.percents.lowerBound, min(percent, SongMixState.percents.upperBound))
    case .transpose(let semitones):
      mix.transposition =
        max(SongMixState.semitones.lowerBound, min(semitones, SongMixState.semitones.upperBound))
    case .mute(let channel, let isMuted):
      guard (0..<Limits.channels).contains(channel), mix.mute(channel, isMuted), isOn else { break }
      let frame = instrument.link.clock.frame(at: time())
      // Not a release of the keys: a pedal would hold the notes.
      perform(
        Event(
          frame: frame, kind: .allSoundOff, source: UInt8(Limits.songSource), target: UInt8(channel)))
    }
    return nil
  }

  /// Finds the names of the sounds with which the channels of the loaded song begin.
  func prepareMix() {
    soundNames = SongMixState().sounds
    soundNamesDue = .min
    for use in uses {
      // A channel of General MIDI without a program has the first one.
      if use.first == nil, order != .gm { continue }
      let (bank, program) = (use.first?.bank ?? 0, use.first?.program ?? 0)
      let preset = instrument.library.preset(
        bank: bank, program: program, channel: Int(use.channel), order: order)
      soundNames[Int(use.channel)] = preset?.name ?? ""
    }
    if !choosesSounds { nameSounds(time()) }
  }

  /// Updates which channels play drums, after a program change or a rhythm event.
  func noteProgram(_ event: Event) {
    guard event.kind == .program || event.kind == .rhythm, Int(event.target) < Limits.channels else { return }
    let (channel, bit) = (Int(event.target), UInt16(1) << UInt16(event.target))
    if event.kind == .rhythm {
      if event.value >= 0.5 { mix.drums |= bit } else { mix.drums &= ~bit }
      soundNamesDue = .min
      return
    }
    let programChannel = instrument.stage.programChannel(channel, of: UInt8(Limits.songSource))
    let preset = instrument.library.preset(
      bank: Int(clamping: event.value), program: Int(event.note), channel: programChannel, order: order)
    let isDrums = preset.map { $0.name == instrument.library.drums?.name }
    if isDrums ?? (channel == Limits.drumChannel) { mix.drums |= bit } else { mix.drums &= ~bit }
    soundNamesDue = .min
  }

  /// The state that surfaces show. The sounds are those of the parts that play the channels.
  func mixed(_ now: Int64) -> SongMixState {
    var state = SongMixState()
    (state.percent, state.transposition, state.muted) = (percent, mix.transposition, mix.muted)
    if isOn {
      let (clock, shortest) = (instrument.link.clock, Self.shortestLamp)
      state.sounding = mix.sounding(
        at: clock.frame(at: now), shortest: Int64(clamping: shortest * Double(max(clock.rate, 1))))
      if now >= soundNamesDue { nameSounds(now) }
    }
    state.sounds = soundNames
    return state
  }

  private func nameSounds(_ now: Int64) {
    soundNamesDue = now + Self.naming
    let channels = channels
    for channel in channels { soundNames[Int(channel.channel)] = channel.preset }
    if !channels.isEmpty { return }
    let source = UInt8(Limits.songSource)
    for use in uses {
      let parts = instrument.stage.parts(channel: Int(use.channel), source: source)
      soundNames[Int(use.channel)] = parts.map { instrument.presets.name(part: $0) }.joined(separator: " + ")
    }
  }
}
