import Testing

@testable import ALSA

@Suite struct CardTests {
  private let vc4 = Card(id: "vc4hdmi0", name: "vc4-hdmi-0", driver: "vc4-hdmi", device: 0)
  private let headphones = Card(
    id: "Headphones", name: "bcm2835 Headphones", driver: "bcm2835_headpho", device: 0)
  private let hat = Card(
    id: "sndrpihifiberry", name: "snd_rpi_hifiberry_dac", driver: "RPi-simple", device: 0)
  private let usb = Card(id: "Device", name: "USB Audio Device", driver: "USB-Audio", device: 0)
  private let loopback = Card(id: "Loopback", name: "Loopback", driver: "Loopback", device: 0)
  private let pc = Card(id: "PCH", name: "HDA Intel PCH", driver: "HDA-Intel", device: 0)
  private let nvidia = Card(id: "NVidia", name: "HDA NVidia HDMI", driver: "HDA-Intel", device: 3)

  @Test func theBestCardComesFirst() {
    let order = Card.automatic([headphones, vc4, loopback, hat, usb])
    #expect(order.map(\.id) == ["Device", "sndrpihifiberry", "Headphones"])
  }

  @Test func aTelevisionOrALoopbackIsNeverChosenByItself() {
    #expect(Card.automatic([vc4, nvidia, loopback]).isEmpty)
  }

  @Test func equalCardsKeepTheSystemsOrder() {
    #expect(Card.automatic([pc, hat]).map(\.id) == ["PCH", "sndrpihifiberry"])
    #expect(Card.automatic([hat, pc]).map(\.id) == ["sndrpihifiberry", "PCH"])
  }

  @Test func aCardIsNamedByItsIdAndNotItsNumber() {
    #expect(usb.pcm == "hw:CARD=Device")
    #expect(nvidia.pcm == "hw:CARD=NVidia,DEV=3")
  }

  @Test func anOptionMeansADevice() {
    #expect(AudioOutput.Device("auto") == .auto)
    #expect(AudioOutput.Device("clock") == .clock)
    #expect(AudioOutput.Device("hw:CARD=Device") == .name("hw:CARD=Device"))
  }
}
