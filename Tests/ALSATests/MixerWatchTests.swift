import Glibc
import Scenes
import Synth
import System
import Testing
@testable import ALSA

/// A mixer of the test's own: what it stands at, and what was done to it.
private final class TestMixer: Mixer {
  var path: MixerPath
  var (isThere, isClosed) = (true, false)
  private(set) var applied: [[MixerPath.Change]] = []

  init(_ elements: [MixerElement]) { path = MixerPath(elements) }

  let descriptors: [pollfd] = []
  func readEvents() -> Bool { isThere }
  func close() { isClosed = true }

  func apply(_ changes: [MixerPath.Change]) {
    applied.append(changes)
    var elements = path.elements
    for change in changes {
      if let isOn = change.isOn { elements[change.index].isOn = isOn }
      if let level = change.level { elements[change.index].volume = Self.volume(level / 100) }
      if let raw = change.raw { elements[change.index].volume = Self.volume(raw - 60) }
    }
    path = MixerPath(elements)
  }

  /// Whole decibels, from -60 to 0.
  static func volume(_ level: Int) -> MixerElement.Volume {
    MixerElement.Volume(raw: level + 60, of: 0...60, level: level * 100, in: -60_00...0)
  }

  /// Somebody else sets it.
  func set(_ isOn: Bool, _ level: Int) {
    path = MixerPath([MixerElement("Master", isOn: isOn, volume: Self.volume(level))])
  }

  var words: String { path.elements[0].words }
}

/// An output that has just begun to play on a card with a mixer. Times are seconds.
private final class Watched {
  let mixer = TestMixer([MixerElement("Master", isOn: false, volume: TestMixer.volume(-60))])
  let output: AudioOutput
  let card = Card(id: "Device", name: "USB Audio", driver: "USB-Audio", device: 0, bus: "/usb/1-1")
  private let lines = Lines()
  var log: [String] { lines.all }

  /// The card appeared at a time; at none it was there before.
  init(_ memory: CardMemory = CardMemory(), appeared: Double? = nil) {
    let (mixer, lines) = (mixer, lines)
    output = AudioOutput(
      device: .clock, rate: 48_000, period: 128, link: Link(.initial), remembering: memory,
      log: { lines.add($0) })
    output.openMixer = { _ in mixer }
    output.monitor.burst = 0
    if let appeared {
      output.monitor.setConnected([], at: 0)
      output.monitor.setConnected([card], at: Self.time(appeared))
    }
    output.monitor.card = card
  }

  static func time(_ seconds: Double) -> Int64 { Int64(seconds * 1e9) }

  func follow(at seconds: Double = 200) { output.followMixer(at: Self.time(seconds)) }
  func read(at seconds: Double) { output.readMixer(at: Self.time(seconds)) }

  /// What is remembered of such a card.
  func memory(_ isOn: Bool, _ level: Int) -> CardMemory {
    var memory = CardMemory()
    let path = MixerPath([MixerElement("Master", isOn: isOn, volume: TestMixer.volume(level))])
    memory.remember(card.identity, at: path.observedLevel, path.elementStates)
    return memory
  }
}

@Suite("The mixer of the card that plays") struct MixerWatchTests {
  @Test("is opened at 0 dB where the card is met for the first time, once, and remembered")
  func first() {
    let watched = Watched()
    watched.follow()
    #expect(watched.mixer.words == "on at 0.0 dB" && watched.mixer.applied.count == 1)
    #expect(watched.log == ["Mixer of USB Audio: Master on at 0.0 dB (was off at -60.0 dB)"])
    #expect(watched.output.state.mixer == watched.mixer.path)
    #expect(watched.output.state.memory.level(of: watched.card.identity) == 0)
    watched.follow(at: 300)
    #expect(watched.mixer.applied.count == 1)
  }

  @Test(
    "is left where it stands where that is not silent, and where nothing is known of cards, only silence is ended"
  )
  func unknown() {
    let watched = Watched(CardMemory(reading: nil))
    watched.mixer.set(true, -20)
    watched.follow()
    #expect(watched.mixer.words == "on at -20.0 dB" && watched.log.isEmpty)
    let silent = Watched(CardMemory(reading: nil))
    silent.follow()
    #expect(silent.mixer.words == "on at 0.0 dB")
  }

  @Test(
    "of a card that has just appeared is brought to where it stood; one that was there stays, unless it is silent"
  )
  func remembered() {
    let known = Watched().memory(true, -12)
    let plugged = Watched(known, appeared: 150)
    plugged.mixer.set(true, -30)
    plugged.follow(at: 151)
    #expect(plugged.mixer.words == "on at -12.0 dB")
    let there = Watched(known)
    there.mixer.set(true, -30)
    there.follow()
    #expect(there.mixer.words == "on at -30.0 dB")
    let silent = Watched(known)
    silent.follow()
    #expect(silent.mixer.words == "on at -12.0 dB")
    // Shut by the player, it stays shut.
    let shut = Watched(Watched().memory(false, -12))
    shut.follow()
    #expect(shut.mixer.words == "off at -60.0 dB")
  }

  @Test(
    "is set back while the system may still set it, eight times at most, and then whoever turns it is right")
  func setBack() {
    let watched = Watched(Watched().memory(true, -12), appeared: 150)
    watched.follow(at: 151)
    for count in 1...8 {
      watched.mixer.set(false, -20)
      watched.read(at: 159.9)
      #expect(watched.mixer.words == "on at -12.0 dB", "\(count)")
    }
    #expect(
      watched.log.last?.hasPrefix("Mixer of USB Audio, as it was before the system set it: Master on") == true
    )
    watched.mixer.set(false, -20)
    watched.read(at: 159.9)
    #expect(watched.mixer.words == "off at -20.0 dB")

    let later = Watched(Watched().memory(true, -12), appeared: 150)
    later.follow(at: 151)
    later.mixer.set(true, -20)
    later.read(at: 160)
    #expect(later.mixer.words == "on at -20.0 dB")
    #expect(later.output.state.memory.level(of: later.card.identity) == -20_00)
  }

  @Test("is turned by the player, and what was turned is what it is set back to")
  func turned() {
    let watched = Watched(Watched().memory(true, -12), appeared: 150)
    watched.follow(at: 151)
    watched.output.turnMixer(to: 0.5)
    #expect(watched.mixer.words == "on at -30.0 dB")
    #expect(watched.output.state.mixer?.volume?.volume?.level == -30_00)
    watched.mixer.set(true, 0)
    watched.read(at: 152)
    #expect(watched.mixer.words == "on at -30.0 dB")
  }

  @Test("is closed when its card is gone, and a card without one is not asked again")
  func gone() {
    let watched = Watched()
    watched.follow()
    watched.mixer.isThere = false
    watched.read(at: 201)
    #expect(watched.mixer.isClosed && watched.output.monitor.mixer == nil)
    watched.follow(at: 202)
    #expect(watched.output.monitor.mixer == nil)
    watched.output.turnMixer(to: 1)
    watched.read(at: 203)
    #expect(watched.mixer.applied.count == 1)
  }

  @Test("that says nothing of what is played is left alone")
  func nothing() {
    let watched = Watched()
    watched.mixer.path = MixerPath([MixerElement("Capture")])
    watched.follow()
    #expect(watched.mixer.applied.isEmpty && watched.output.state.mixer == nil)
  }
}
