import Glibc
import Parameters
import Scenes
import Synth
import Testing
@testable import ALSA

/// Which card is taken, with lists of cards of the test's own.
@Suite("Changes of the sound card") struct CardChangeTests {
  private let usb = Card(
    id: "Device", name: "USB Audio", driver: "USB-Audio", device: 0, bus: "/sys/devices/usb1/1-1")
  private let twin = Card(
    id: "Device_1", name: "USB Audio", driver: "USB-Audio", device: 0, bus: "/sys/devices/usb1/1-2")
  private let hat = Card(id: "hifiberry", name: "snd_rpi_hifiberry_dac", driver: "RPi-simple", device: 0)
  private let socket = Card(
    id: "Headphones", name: "bcm2835 Headphones", driver: "bcm2835_headpho", device: 0)
  private let hdmi = Card(id: "vc4hdmi0", name: "vc4-hdmi-0", driver: "vc4-hdmi", device: 0)
  private let second: Int64 = 1_000_000_000

  /// An output on a card, beside others, of which some were there when it was taken. It was started at 0.
  private func output(
    _ device: AudioOutput.Device = .auto, on card: Card?, beside others: [Card], present: [Card] = [],
    preferring preference: CardPreference? = nil
  ) -> AudioOutput {
    var memory = CardMemory()
    memory.preference = preference
    let output = AudioOutput(
      device: device, rate: 48_000, period: 128, link: Link(.initial), remembering: memory
    ) { _ in }
    let all = [card].compactMap { $0 } + others
    output.change { $0.cards = Card.ranked(all, preferring: preference) }
    output.monitor.card = card
    output.monitor.present = present
    output.monitor.startPreference = preference
    return output
  }

  @Test("A newly connected card of a better kind takes over from the card that plays") func betterKind() {
    let late = 30 * second
    #expect(output(on: hat, beside: [usb, socket, hdmi]).better(at: late)?.card == usb)
    #expect(output(on: socket, beside: [usb, hat]).better(at: late)?.card == usb)
    #expect(output(on: socket, beside: [hat, hdmi]).better(at: late)?.card == hat)
    // It was there already, is of the same sort, or worse, or another device was asked for.
    #expect(output(on: hat, beside: [usb], present: [usb]).better(at: late) == nil)
    #expect(output(on: usb, beside: [twin]).better(at: late) == nil)
    #expect(output(on: hat, beside: [socket, hdmi]).better(at: late) == nil)
    #expect(output(.name("hifiberry"), on: hat, beside: [usb]).better(at: late) == nil)
    #expect(output(on: nil, beside: [usb]).better(at: late) == nil)
  }

  @Test("For 30 seconds after the start, the highest-ranked of all connected cards takes over")
  func firstHalfMinute() {
    let played = CardPreference(hat, isChosen: false)
    let early = 30 * second - 1
    // The hat played last; the socket came up first.
    let output1 = output(on: socket, beside: [hat, usb], preferring: played)
    #expect(output1.better(at: early)?.card == hat)
    #expect(output1.monitor.present.count == 3)
    // From then on only what is new counts.
    #expect(output1.better(at: 30 * second) == nil)
    #expect(output(on: hat, beside: [usb], preferring: played).better(at: early) == nil)
    #expect(output(on: hat, beside: [usb]).better(at: early)?.card == usb)
    #expect(output(on: hat, beside: [hdmi]).better(at: early) == nil)
  }

  @Test("A card that the player has chosen takes over when present and gives way to no other card")
  func chosenCard() {
    for now in [0, 40 * second] {
      let chosen = CardPreference(socket, isChosen: true)
      #expect(output(on: socket, beside: [usb, hat], preferring: chosen).better(at: now) == nil)
      #expect(output(on: hat, beside: [usb, socket], preferring: chosen).better(at: now)?.card == socket)
      #expect(output(on: hat, beside: [usb], preferring: chosen).better(at: now) == nil)
    }
    // Of two of one make, that in its socket; the other for want of it.
    let chosen = CardPreference(twin, isChosen: true)
    #expect(output(on: hat, beside: [usb, twin], preferring: chosen).preferred == twin)
    #expect(output(on: hat, beside: [usb], preferring: chosen).preferred == usb)
  }

  @Test("A better card takes over only after half a second of silence") func waitsForSilence() {
    let output = output(on: hat, beside: [usb])
    let pcm = UnsafeMutablePointer<PCM>.allocate(capacity: 1)
    pcm.initialize(to: .clock(rate: 48_000, frames: 128))
    defer {
      pcm.pointee.close()
      pcm.deallocate()
    }
    // None plays: at once.
    #expect(output.mayChange(40 * second))
    output.monitor.pcm = pcm
    let meters = output.link.meters
    func play(_ peak: Float) { meters.raise(.peak, to: UInt64(peak.bitPattern)) }
    var now = 40 * second
    func asks(after nanoseconds: Int64) -> Bool {
      now += nanoseconds
      return output.mayChange(now)
    }
    // What was heard before it came does not count.
    play(1)
    #expect(!asks(after: 0) && output.state.offer == nil)
    #expect(!asks(after: second))
    #expect(!asks(after: second / 2 - 1))
    play(1.01e-4)
    #expect(!asks(after: 1) && output.state.offer == usb)
    play(0.99e-4)
    #expect(!asks(after: second))
    meters.set(.voices, 1)
    #expect(!asks(after: second))
    meters.set(.voices, 0)
    #expect(!asks(after: second) && !asks(after: second / 2 - 1) && asks(after: 1))
    // It goes before that.
    output.change { $0.cards = Card.ranked([hat]) }
    #expect(!asks(after: 0) && output.state.offer == nil && output.monitor.silentSince == nil)
  }

  @Test("The chosen card is tried before the configured device, or before the other ranked cards")
  func candidateOrder() {
    func names(_ output: AudioOutput) -> [String] { output.candidates(at: 0).map(\.name) }
    let all = [hat, usb, hdmi]
    #expect(names(output(on: nil, beside: all)) == ["hw:CARD=Device", "hw:CARD=hifiberry"])
    #expect(names(output(.clock, on: nil, beside: all)).isEmpty)
    #expect(names(output(.name("hifiberry"), on: nil, beside: all)) == ["hw:CARD=hifiberry"])
    #expect(names(output(.name("default"), on: nil, beside: all)) == ["default"])
    let chosen = CardPreference(hdmi, isChosen: true)
    #expect(
      names(output(.name("Device"), on: nil, beside: all, preferring: chosen)) == [
        "hw:CARD=vc4hdmi0", "hw:CARD=Device",
      ])
    let played = CardPreference(hat, isChosen: false)
    #expect(names(output(.name("Device"), on: nil, beside: all, preferring: played)) == ["hw:CARD=Device"])
    #expect(
      names(output(on: nil, beside: all, preferring: played)) == ["hw:CARD=hifiberry", "hw:CARD=Device"])
  }

  @Test("Rates, periods and period counts are clamped, and remembered ones override the configuration")
  func clampedSettings() {
    for (rate, period, periods) in [(1, 0, 0), (1_000_000, 100_000, 99), (48_000, 128, 3)] {
      let output = AudioOutput(
        device: .clock, rate: rate, period: period, periods: periods, link: Link(.initial)
      ) { _ in }
      #expect(output.rate == max(22_050, min(rate, 192_000)))
      #expect(output.period == max(1, min(period, 8_192)) && output.periods == max(2, min(periods, 4)))
    }
    // What was chosen while it played goes before the configuration.
    var memory = CardMemory()
    (memory.rate, memory.period) = (96_000, 64)
    let output = AudioOutput(
      device: .clock, rate: 48_000, period: 128, link: Link(.initial), remembering: memory
    ) { _ in }
    #expect(output.rate == 96_000 && output.period == 64)
  }

  @Test("Requests for rate, period and card wait while a card is on offer, but the volume is set at once")
  func waitingRequests() {
    let output = output(on: hat, beside: [])
    output.choose(rate: 96_000)
    output.choose(period: 64)
    output.choose(card: "Device")
    output.setLevel(2)
    output.monitor.offering = true
    let first = output.takeRequests()
    #expect(first.level == 1 && first.rate == nil && first.period == nil && first.card == nil)
    output.setLevel(-1)
    output.monitor.offering = false
    let then = output.takeRequests()
    #expect(then.level == 0 && then.rate == 96_000 && then.period == 64 && then.card == "Device")
    let last = output.takeRequests()
    #expect(last.level == nil && last.rate == nil && last.period == nil && last.card == nil)
  }
}
