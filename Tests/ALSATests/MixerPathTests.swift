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
      return elements[change.place].name + (change.isSwitchedOn ? " on" : "") + level
    }
  }
}

/// Mixers as cards have them.
@Suite struct MixerPathTests {
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

  @Test func whatIsShutIsOpenedAndInputsStayAsTheyAre() {
    #expect(pc.isSilent && pc.volume?.name == "Master")
    #expect(pc.words(pc.opening()) == ["Master on 0", "PCM 0", "Headphone on 0", "Speaker on"])
  }

  @Test func louderThanZeroIsTurnedDownAndWhatStandsThereIsLeft() {
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

  @Test func aHatHasItsVolumeInTheDigitalPart() {
    let path = MixerPath([
      MixerElement("Analogue", volume: volume(-6, -6)),
      MixerElement("Analogue Playback Boost", volume: bare(0, of: 0...1)),
      MixerElement("Auto Mute", isOn: true), MixerElement("DSP Program"),
      MixerElement("Digital", isOn: true, volume: volume(-103, -103)),
    ])
    #expect(path.volume?.name == "Digital" && path.isSilent)
    #expect(path.words(path.opening()) == ["Analogue 0", "Digital 0"])
  }

  @Test func aHeadsetsOwnVoiceIsNotTurnedOn() {
    let path = MixerPath([
      MixerElement("Headphone", isOn: true, volume: volume(-20, -37)),
      MixerElement("Mic", isOn: false, volume: volume(0, -10, 8)), MixerElement("Sidetone", isOn: false),
    ])
    #expect(path.words(path.opening()) == ["Headphone 0"])
  }

  @Test func aCardWithoutDecibelsIsSetToThreeQuarters() {
    let path = MixerPath([MixerElement("Master", isOn: false, volume: bare(0, of: 0...200))])
    #expect(path.isSilent)
    #expect(path.words(path.opening()) == ["Master on raw 150"])
    #expect(path.words(path.setting(way: 0.5)) == ["Master on raw 100"])
  }

  @Test func aCardWithASwitchAloneIsSwitchedOnAndHasNoVolume() {
    let path = MixerPath([MixerElement("Speaker", isOn: false)])
    #expect(path.isSilent && path.volume == nil)
    #expect(path.words(path.opening()) == ["Speaker on"])
    #expect(path.setting(way: 1).isEmpty)
  }

  @Test func aCardWhoseNamesSayNothingIsOpenedWhereItIsNoInput() {
    let path = MixerPath([
      MixerElement("Line 01", volume: volume(-60, -60)),
      MixerElement("Input 1 Gain", volume: volume(0, 0, 40)),
      MixerElement("Line 02", volume: volume(-60, -60)),
    ])
    #expect(path.words(path.opening()) == ["Line 01 0", "Line 02 0"])
  }

  @Test func aCardWithoutAMixerHasNoPath() {
    let path = MixerPath([MixerElement("Mic", isOn: true), MixerElement("Clock Source")])
    #expect(path.path.isEmpty && !path.isSilent && path.opening().isEmpty && path.volume == nil)
  }

  // Headphones are muted when nothing is plugged in.
  @Test func oneOutputThatIsHeardIsEnough() {
    let path = MixerPath([
      MixerElement("Master", isOn: true, volume: volume(-12)), MixerElement("Headphone", isOn: false),
      MixerElement("Speaker", isOn: true),
    ])
    #expect(!path.isSilent && path.seen == -12_00 && path.reopening(at: -3_00).isEmpty)
  }

  @Test func onlyACardThatWasHeardAndIsSilentNowIsOpenedAgain() {
    #expect(pc.words(pc.reopening(at: -12_00)) == ["Master on -12", "Headphone on 0", "Speaker on"])
    // The player has muted it.
    #expect(pc.seen == Volume.mute && pc.reopening(at: pc.seen).isEmpty)
    let heard = MixerPath([MixerElement("Master", isOn: true, volume: volume(-30))])
    #expect(heard.reopening(at: -12_00).isEmpty)
  }

  // A range that ends at -12 dB is no silence, and one that is muted at its lowest is.
  @Test func theLowestLevelIsSilenceOnlyWhereNothingIsHeard() {
    #expect(!MixerPath([MixerElement("PCM", volume: volume(-12, -12))]).isSilent)
    let mute = Volume(raw: 0, of: 0...60, level: Volume.mute, in: Volume.mute...0)
    #expect(MixerPath([MixerElement("PCM", volume: mute)]).isSilent)
  }

  @Test func aFaderSpansTheUpperSixtyDecibelsAndShutsAtItsLowest() throws {
    let path = MixerPath([MixerElement("Master", isOn: false, volume: volume(-74))])
    #expect(path.words(path.setting(way: 1)) == ["Master on 0"])
    #expect(path.words(path.setting(way: 0.5)) == ["Master on -30"])
    #expect(path.words(path.setting(way: 0)) == ["Master -74"])
    let shown = try #require(MixerPath([MixerElement("Master", volume: volume(-30))]).volume?.volume)
    #expect(shown.way == 0.5 && shown.decibels == -30 && shown.decibelRange == -60...0)
    #expect(shown.way(decibels: -30) == 0.5 && shown.way(decibels: -300) == 0 && shown.way(decibels: 6) == 1)
  }

  @Test func whatIsDoneIsSaidWithWhatWasThere() {
    let after = MixerPath([MixerElement("Master", isOn: true, volume: volume(0))])
    let before = MixerPath([MixerElement("Master", isOn: false, volume: volume(-74))])
    #expect(
      after.words(after: before.opening(), of: before) == "Master on at 0.0 dB (was off at -74.0 dB)")
  }
}

@Suite struct CardMemoryTests {
  private let hat = Card(
    id: "sndrpihifiberry", name: "snd_rpi_hifiberry_dac", driver: "RPi-simple", device: 0,
    bus: "/sys/devices/platform/soc/soc:sound")

  @Test func whatIsRememberedIsReadAsItWasWritten() {
    var memory = CardMemory()
    #expect(memory.level(of: hat.identity) == nil)
    memory.see(hat.identity, at: -6_00)
    memory.see("USB-Audio Two Words", at: Volume.mute)
    memory.see(hat.identity, at: -3_00)
    for isChosen in [true, false] {
      memory.preference = CardPreference(hat, isChosen: isChosen)
      let read = CardMemory(reading: memory.text)
      #expect(read == memory && read.level(of: hat.identity) == -3_00, "\(memory.text)")
    }
  }

  @Test func whatIsNoMemoryIsNothing() {
    for text in ["", "rubbish", "pipit cards 1\ncard\ncard x y\nplayed\nnews from later\n"] {
      #expect(CardMemory(reading: text) == CardMemory(), "\(text)")
    }
  }

  @Test func theOldestCardMakesRoom() {
    var memory = CardMemory()
    for number in 0..<100 { memory.see("card \(number)", at: number) }
    #expect(
      memory.seen.count == 64 && memory.level(of: "card 99") == 99 && memory.level(of: "card 35") == nil)
  }
}
