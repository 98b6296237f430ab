import Testing

@testable import ALSA

private typealias Volume = MixerElement.Volume

/// A volume of whole decibels, from `low` to `high`.
private func volume(_ level: Int, _ low: Int = -74, _ high: Int = 0) -> Volume {
  Volume(raw: level - low, of: 0...(high - low), level: level * 100, in: low * 100...high * 100)
}

/// One without decibels.
private func bare(_ raw: Int, of range: ClosedRange<Int> = 0...100) -> Volume { Volume(raw: raw, of: range) }

extension MixerPath {
  /// The names of what changes, with the levels.
  fileprivate func words(_ changes: [Change]) -> [String] {
    changes.map { change in
      let level = change.level.map { " \($0 / 100)" } ?? change.raw.map { " raw \($0)" } ?? ""
      return elements[change.index].name + (change.isOn.map { $0 ? " on" : " off" } ?? "") + level
    }
  }
}

/// Mixers as cards have them.
@Suite("Mixer paths") struct MixerPathTests {
  // A PC as its driver leaves it.
  private let pc = MixerPath([
    MixerElement("Master", isOn: false, volume: volume(-74)),
    MixerElement("Headphone", isOn: false, volume: volume(-74)),
    MixerElement("Speaker", isOn: false), MixerElement("PCM", volume: volume(-10, -51)),
    MixerElement("Mic", isOn: false, volume: volume(-34, -34, 12)),
    MixerElement("Headphone Mic Boost", volume: volume(0, 0, 30)),
    MixerElement("Beep", isOn: true, volume: volume(-20)),
    MixerElement("Capture"), MixerElement("Auto-Mute Mode"), MixerElement("IEC958", isOn: true),
  ])

  @Test("Muted outputs are switched on at 0 dB, and inputs stay unchanged") func mutedOutputs() {
    #expect(pc.isSilent && pc.volume?.name == "Master")
    #expect(pc.words(pc.opening()) == ["Master on 0", "PCM 0", "Headphone on 0", "Speaker on"])
  }

  @Test("Volumes are set to 0 dB or the nearest possible level, and left alone if already there")
  func zeroDecibels() {
    let path = MixerPath([MixerElement("PCM", isOn: true, volume: volume(4, -102, 4))])
    #expect(path.words(path.opening()) == ["PCM 0"])
    let ready = MixerPath([MixerElement("PCM", isOn: true, volume: volume(0, -102, 4))])
    #expect(ready.opening().isEmpty && !ready.isSilent)
    // It cannot be as loud as 0 dB, or not as quiet.
    let quiet = MixerPath([MixerElement("PCM", volume: volume(-40, -40, -3))])
    #expect(quiet.words(quiet.opening()) == ["PCM -3"])
    let loud = MixerPath([MixerElement("PCM", volume: volume(9, 3, 9))])
    #expect(loud.words(loud.opening()) == ["PCM 3"])
  }

  @Test("The volume of a HAT is its Digital element") func hatVolume() {
    let path = MixerPath([
      MixerElement("Analogue", volume: volume(-6, -6)),
      MixerElement("Analogue Playback Boost", volume: bare(0, of: 0...1)),
      MixerElement("Auto Mute", isOn: true), MixerElement("DSP Program"),
      MixerElement("Digital", isOn: true, volume: volume(-103, -103)),
    ])
    #expect(path.volume?.name == "Digital" && path.isSilent)
    #expect(path.words(path.opening()) == ["Analogue 0", "Digital 0"])
  }

  @Test("The sidetone and the microphone of a headset are not switched on") func headsetSidetone() {
    let path = MixerPath([
      MixerElement("Headphone", isOn: true, volume: volume(-20, -37)),
      MixerElement("Mic", isOn: false, volume: volume(0, -10, 8)), MixerElement("Sidetone", isOn: false),
    ])
    #expect(path.words(path.opening()) == ["Headphone 0"])
  }

  @Test("A volume without a decibel scale is set to three quarters of its range") func withoutDecibels() {
    let path = MixerPath([MixerElement("Master", isOn: false, volume: bare(0, of: 0...200))])
    #expect(path.isSilent)
    #expect(path.words(path.opening()) == ["Master on raw 150"])
    #expect(path.words(path.setting(normalized: 0.5)) == ["Master on raw 100"])
  }

  @Test("A card with only a switch is switched on and has no volume") func switchOnly() {
    let path = MixerPath([MixerElement("Speaker", isOn: false)])
    #expect(path.isSilent && path.volume == nil)
    #expect(path.words(path.opening()) == ["Speaker on"])
    #expect(path.setting(normalized: 1).isEmpty)
  }

  @Test("Mixer elements with unknown names are opened unless they are inputs") func unknownNames() {
    let path = MixerPath([
      MixerElement("Line 01", volume: volume(-60, -60)),
      MixerElement("Input 1 Gain", volume: volume(0, 0, 40)),
      MixerElement("Line 02", volume: volume(-60, -60)),
    ])
    #expect(path.words(path.opening()) == ["Line 01 0", "Line 02 0"])
  }

  @Test("A card without output elements has no mixer path, no volume and nothing to open") func noOutputs() {
    let path = MixerPath([MixerElement("Mic", isOn: true), MixerElement("Clock Source")])
    #expect(path.path.isEmpty && !path.isSilent && path.opening().isEmpty && path.volume == nil)
  }

  // Headphones are muted when nothing is plugged in.
  @Test("A card with one audible output is not silent, and its muted headphone output stays muted")
  func oneOutput() {
    let path = MixerPath([
      MixerElement("Master", isOn: true, volume: volume(-12)), MixerElement("Headphone", isOn: false),
      MixerElement("Speaker", isOn: true),
    ])
    #expect(!path.isSilent && path.observedLevel == -12_00 && path.reopening(at: -3_00).isEmpty)
  }

  @Test("Only a card that was audible before and is silent now is opened again") func reopenedCard() {
    #expect(pc.words(pc.reopening(at: -12_00)) == ["Master on -12", "Headphone on 0", "Speaker on"])
    // The player has muted it.
    #expect(pc.observedLevel == Volume.mute && pc.reopening(at: pc.observedLevel).isEmpty)
    let heard = MixerPath([MixerElement("Master", isOn: true, volume: volume(-30))])
    #expect(heard.reopening(at: -12_00).isEmpty)
  }

  // As after a boot, when the driver or alsactl has begun anew.
  @Test("The remembered levels and switches of a mixer path are restored, but not on a different card")
  func restoredPath() {
    let player = MixerPath([
      MixerElement("Master", isOn: true, volume: volume(-12)), MixerElement("Headphone", isOn: false),
      MixerElement("PCM", volume: bare(70)), MixerElement("Mic", isOn: true, volume: volume(0)),
    ])
    let system = MixerPath([
      MixerElement("Mic", isOn: false, volume: volume(-20)), MixerElement("Speaker", isOn: true),
      MixerElement("PCM", volume: bare(20)), MixerElement("Master", isOn: false, volume: volume(-20)),
      MixerElement("Headphone", isOn: true),
    ])
    #expect(
      system.words(system.restoring(player.elementStates))
        == ["PCM raw 70", "Master on raw 62", "Headphone off"])
    #expect(player.restoring(player.elementStates).isEmpty && system.restoring([]).isEmpty)
    // Another card of this name, whose numbers are others.
    let smaller = MixerPath([MixerElement("Master", isOn: true, volume: volume(-20, -30))])
    #expect(smaller.restoring(player.elementStates).isEmpty)
  }

  @Test("A lowest level of -12 dB is not silence, but a lowest level that mutes is") func lowestLevel() {
    #expect(!MixerPath([MixerElement("PCM", volume: volume(-12, -12))]).isSilent)
    let mute = Volume(raw: 0, of: 0...60, level: Volume.mute, in: Volume.mute...0)
    #expect(MixerPath([MixerElement("PCM", volume: mute)]).isSilent)
  }

  @Test("The volume fader spans the upper 60 dB, and its lowest position sets the card's lowest level")
  func faderRange() throws {
    let path = MixerPath([MixerElement("Master", isOn: false, volume: volume(-74))])
    #expect(path.words(path.setting(normalized: 1)) == ["Master on 0"])
    #expect(path.words(path.setting(normalized: 0.5)) == ["Master on -30"])
    #expect(path.words(path.setting(normalized: 0)) == ["Master -74"])
    let shown = try #require(MixerPath([MixerElement("Master", volume: volume(-30))]).volume?.volume)
    #expect(shown.normalized == 0.5 && shown.decibels == -30 && shown.decibelRange == -60...0)
    #expect(
      shown.normalized(decibels: -30) == 0.5 && shown.normalized(decibels: -300) == 0
        && shown.normalized(decibels: 6) == 1)
  }

  @Test("A change of the mixer is reported with the previous state") func reportedChange() {
    let after = MixerPath([MixerElement("Master", isOn: true, volume: volume(0))])
    let before = MixerPath([MixerElement("Master", isOn: false, volume: volume(-74))])
    #expect(
      after.words(after: before.opening(), of: before) == "Master on at 0.0 dB (was off at -74.0 dB)")
  }
}

@Suite("The card memory") struct CardMemoryTests {
  private let hat = Card(
    id: "sndrpihifiberry", name: "snd_rpi_hifiberry_dac", driver: "RPi-simple", device: 0,
    bus: "/sys/devices/platform/soc/soc:sound")

  @Test("The level and preference of a card are read back as they were written") func roundTrip() {
    var memory = CardMemory()
    #expect(memory.level(of: hat.identity) == nil)
    memory.remember(hat.identity, at: -6_00)
    memory.remember("USB-Audio Two Words", at: Volume.mute)
    memory.remember(hat.identity, at: -3_00)
    for isChosen in [true, false] {
      memory.preference = CardPreference(hat, isChosen: isChosen)
      let read = CardMemory(reading: memory.text)
      #expect(read == memory && read.level(of: hat.identity) == -3_00, "\(memory.text)")
    }
  }

  @Test("Restoring a memory keeps the levels of the cards that the restored one does not name")
  func restoredMemory() {
    var (kept, present) = (CardMemory(), CardMemory())
    kept.remember("USB-Audio One", at: -1_00)
    (kept.rate, kept.preference) = (96_000, CardPreference(hat, isChosen: true))
    present.remember("USB-Audio One", at: -9_00)
    present.remember("USB-Audio Two", at: -2_00)
    present.rate = 44_100
    let restored = CardMemory(reading: kept.text, over: present)
    #expect(restored.level(of: "USB-Audio One") == -1_00 && restored.level(of: "USB-Audio Two") == -2_00)
    #expect(restored.rate == 96_000 && restored.preference == kept.preference)
  }

  @Test("The mixer path of a card is remembered element by element") func mixerElements() {
    let path = MixerPath([
      MixerElement("Master", isOn: true, volume: volume(-12)),
      MixerElement("Line Out", index: 1, isOn: false),
      MixerElement("PCM", volume: bare(70)),
    ])
    var memory = CardMemory()
    memory.remember("USB-Audio Two Words", at: path.observedLevel, path.elementStates)
    memory.remember(hat.identity, at: -3_00)
    let read = CardMemory(reading: memory.text)
    #expect(
      read == memory && read.elementStates(of: "USB-Audio Two Words") == path.elementStates
        && path.elementStates.count == 3)
    #expect(read.elementStates(of: hat.identity).isEmpty)
    // One step of an element that is not the volume is news, too.
    memory.remember("USB-Audio Two Words", at: path.observedLevel, Array(path.elementStates.dropLast()))
    #expect(read != memory)
  }

  @Test("Malformed text is read as an empty memory") func malformedText() {
    for text in [
      "", "rubbish",
      "pipit cards 1\nelement on 1 0 PCM\ncard\ncard x y\nelement on 1 0 PCM\nplayed\nnews from later\n",
    ] {
      #expect(CardMemory(reading: text) == CardMemory(), "\(text)")
    }
  }

  @Test("The memory keeps 64 cards and forgets the oldest ones") func oldestCard() {
    var memory = CardMemory()
    for number in 0..<100 { memory.remember("card \(number)", at: number) }
    #expect(
      memory.levels.count == 64 && memory.level(of: "card 99") == 99 && memory.level(of: "card 35") == nil)
  }
}

@Suite("Settling cards") struct CardSettlingTests {
  private let hat = Card(
    id: "sndrpihifiberry", name: "snd_rpi_hifiberry_dac", driver: "RPi-simple", device: 0,
    bus: "/sys/devices/platform/soc/soc:sound")
  private let usb = Card(
    id: "Device", name: "USB Audio Device", driver: "USB-Audio", device: 0,
    bus: "/sys/devices/usb1/1-1.2/1-1.2:1.0")
  private let second: Int64 = 1_000_000_000

  @Test("A card settles until 120 seconds after boot, or for 10 seconds after it was connected")
  func settlingTime() {
    var boot = CardMonitor()
    boot.setConnected([hat], at: 5 * second)
    #expect(
      boot.settlingEnd(of: hat, at: 5 * second) == 120 * second
        && boot.settlingEnd(of: hat, at: 120 * second) == nil)
    #expect(boot.settlingEnd(of: usb, at: 5 * second) == nil)
    boot.setConnected([hat, usb], at: 115 * second)
    #expect(
      boot.settlingEnd(of: usb, at: 120 * second) == 125 * second
        && boot.settlingEnd(of: hat, at: 120 * second) == nil)
    // Pulled out and put back.
    boot.setConnected([hat], at: 150 * second)
    boot.setConnected([usb, hat], at: 200 * second)
    boot.setConnected([usb, hat], at: 201 * second)
    #expect(
      boot.settlingEnd(of: usb, at: 201 * second) == 210 * second
        && boot.settlingEnd(of: hat, at: 201 * second) == nil)
  }

  @Test("A card that is present when the service restarts does not settle again") func serviceRestart() {
    var restart = CardMonitor()
    restart.setConnected([hat], at: 600 * second)
    #expect(restart.settlingEnd(of: hat, at: 600 * second) == nil)
    restart.setConnected([hat, usb], at: 601 * second)
    #expect(restart.settlingEnd(of: usb, at: 601 * second) == 611 * second)
    // With no card at the start the first one has appeared.
    var empty = CardMonitor()
    empty.setConnected([], at: 600 * second)
    empty.setConnected([hat], at: 700 * second)
    #expect(empty.settlingEnd(of: hat, at: 700 * second) == 710 * second)
  }
}
