import Testing

@testable import ALSA

@Suite("Sound cards") struct CardTests {
  private let vc4 = Card(id: "vc4hdmi0", name: "vc4-hdmi-0", driver: "vc4-hdmi", device: 0)
  private let headphones = Card(
    id: "Headphones", name: "bcm2835 Headphones", driver: "bcm2835_headpho", device: 0)
  private let hat = Card(
    id: "sndrpihifiberry", name: "snd_rpi_hifiberry_dac", driver: "RPi-simple", device: 0)
  private let usb = Card(id: "Device", name: "USB Audio Device", driver: "USB-Audio", device: 0)
  private let loopback = Card(id: "Loopback", name: "Loopback", driver: "Loopback", device: 0)
  private let pc = Card(id: "PCH", name: "HDA Intel PCH", driver: "HDA-Intel", device: 0)
  private let nvidia = Card(id: "NVidia", name: "HDA NVidia HDMI", driver: "HDA-Intel", device: 3)

  private let keyboard = Card(
    id: "Keys", name: "Stage Piano", driver: "USB-Audio", device: 0,
    bus: "/sys/devices/platform/soc/usb1/1-1", hasMIDI: true)

  @Test("USB cards rank before HATs, and HATs before the headphone socket") func bestCard() {
    let order = Card.automatic([headphones, vc4, loopback, hat, usb])
    #expect(order.map(\.id) == ["Device", "sndrpihifiberry", "Headphones"])
  }

  @Test("HDMI outputs and loopback cards are never chosen automatically") func neverAutomatic() {
    #expect(Card.automatic([vc4, nvidia, loopback]).isEmpty)
    #expect(Card.ranked([vc4, hat]).map(\.isAutomatic) == [true, false])
  }

  // It may be an interface, but also an instrument whose sound nobody hears.
  @Test("A USB device with MIDI does not rank before a HAT") func usbWithMIDI() {
    #expect(
      Card.automatic([keyboard, hat, pc, usb, headphones]).map(\.id)
        == ["Device", "sndrpihifiberry", "Keys", "PCH", "Headphones"])
  }

  @Test("Cards of the same kind are ordered by their USB sockets") func socketOrder() {
    let names = ["1-1.2", "1-1.3", "2-1"]
    let cards = names.map { name in
      Card(id: name, name: "USB Audio", driver: "USB-Audio", device: 0, bus: "/sys/devices/usb/\(name)")
    }
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
      #expect(Card.automatic(order.map { cards[$0] }).map(\.id) == names)
    }
  }

  @Test("The card that played last ranks first, and a chosen card even if it is never automatic")
  func playedLast() {
    let played = Card.ranked([usb, hat], preferring: CardPreference(hat, isChosen: false))
    #expect(played.map(\.card.id) == ["sndrpihifiberry", "Device"] && played[0].reason == "played last")
    let gone = Card.ranked([usb, headphones], preferring: CardPreference(hat, isChosen: false))
    #expect(gone.map(\.card.id) == ["Device", "Headphones"] && gone[0].reason == "USB sound card")
    // Played because it was named then; unasked it is not taken.
    #expect(
      Card.automatic([usb, vc4], preferring: CardPreference(vc4, isChosen: false)).map(\.id) == ["Device"])
    let chosen = Card.automatic([usb, vc4], preferring: CardPreference(vc4, isChosen: true))
    #expect(chosen.map(\.id) == ["vc4hdmi0", "Device"])
  }

  @Test("Two cards of the same model are told apart by their USB sockets") func sameModel() {
    let cards = ["1-1", "1-2"].enumerated().map { number, socket in
      Card(id: "Device_\(number)", name: "USB Audio", driver: "USB-Audio", device: 0, bus: "/usb/" + socket)
    }
    let preference = CardPreference(cards[1], isChosen: false)
    #expect(Card.automatic(cards, preferring: preference).first == cards[1])
    #expect(Card.automatic([cards[0]], preferring: preference).first == cards[0])
  }

  @Test("The PCM name of a card contains the card's ID instead of its number") func pcmName() {
    #expect(usb.pcm == "hw:CARD=Device")
    #expect(nvidia.pcm == "hw:CARD=NVidia,DEV=3")
  }

  @Test("The device option is read as auto, clock or a PCM name") func deviceOption() {
    #expect(AudioOutput.Device("auto") == .auto)
    #expect(AudioOutput.Device("clock") == .clock)
    #expect(AudioOutput.Device("hw:CARD=Device") == .name("hw:CARD=Device"))
  }
}
