import CALSA
import Glibc
import System

/// A sound card that can play, as the system lists it now.
public struct Card: Sendable, Equatable {
  /// What sort of card it is, best first for an instrument.
  public enum Category: Int, Sendable, Comparable {
    /// A USB sound card.
    case usb
    /// A sound HAT on I²S.
    case hat
    /// A USB device that has MIDI too. It may be an interface, but also a keyboard with a sound of its own, whose
    /// headphones nobody wears: so it does not go before a HAT.
    case instrument
    /// A card on the board of a PC, or in it.
    case board
    /// The headphone socket of a Raspberry Pi: noisy, so only for want of better.
    case headphones
    /// A television: used only when asked for by name.
    case hdmi
    /// A loopback or dummy card: used only when asked for by name.
    case virtual

    /// The better one is the lower.
    public static func < (one: Category, other: Category) -> Bool { one.rawValue < other.rawValue }
  }

  /// ALSA's id of the card, which survives a change of the card's number.
  public let id: String
  /// The card's name for people.
  public let name: String
  /// What sort of card it is.
  public let category: Category
  /// The first device of the card that plays.
  public let device: Int
  /// What it is, whichever socket it is in and whatever id it has got: the same for two cards of one make.
  public let identity: String
  /// Where the kernel has it, such as `/sys/devices/…/usb1/1-1.2/1-1.2:1.0`; empty where that is not known. Cards of
  /// one sort are in this order, since their numbers go by which driver was first.
  public let bus: String

  init(
    id: String, name: String, driver: String, device: Int, components: String = "", bus: String = "",
    hasMIDI: Bool = false
  ) {
    (self.id, self.name, self.device, self.bus) = (id, name, device, bus)
    identity = [driver, name, components].filter { !$0.isEmpty }.joined(separator: " ")
      .with("\n", replacedBy: " ")
    let all = "\(id) \(name) \(driver)".lowercased()
    if all.includes("hdmi") {
      category = .hdmi
    } else if driver == "Loopback" || driver == "Dummy" {
      category = .virtual
    } else if driver == "USB-Audio" {
      category = hasMIDI ? .instrument : .usb
    } else if all.includes("bcm2835") || id == "Headphones" {
      category = .headphones
    } else {
      category = bus.includes("/pci") || driver.hasPrefix("HDA") ? .board : .hat
    }
  }

  /// The name under which ALSA opens it, and `--device` takes it.
  public var pcm: String { device == 0 ? "hw:CARD=\(id)" : "hw:CARD=\(id),DEV=\(device)" }

  /// The cards there are now that can play. Asks the kernel; not for the audio thread.
  public static func all() -> [Card] {
    alsa_be_quiet()
    var cards: [Card] = []
    var number: Int32 = -1
    while snd_card_next(&number) == 0, number >= 0 {
      if let card = Card(number: number) { cards.append(card) }
    }
    return cards
  }

  /// Why there is none to choose, for people.
  public static func whyNone() -> String {
    let others = all().map(\.id).joined(separator: ", ")
    if !others.isEmpty { return "No sound card but \(others), which --device must name" }
    if !SoundDevices.areLocked() { return "No sound card" }
    return "\(SoundDevices.locked(SoundDevices.user)); \(SoundDevices.remedy(SoundDevices.user))"
  }

  /// The card that a PCM plays on; nil for one that is no card's, as a sound server's.
  init?(playing pcm: OpaquePointer) {
    var info: OpaquePointer?
    guard snd_pcm_info_malloc(&info) == 0, let info else { return nil }
    defer { snd_pcm_info_free(info) }
    guard snd_pcm_info(pcm, info) == 0, snd_pcm_info_get_card(info) >= 0 else { return nil }
    self.init(number: snd_pcm_info_get_card(info))
  }

  /// The card with a number; nil when it has gone, is not ours to open, or cannot play.
  private init?(number: Int32) {
    var control: OpaquePointer?
    guard snd_ctl_open(&control, "hw:\(number)", Int32(SND_PCM_NONBLOCK)) == 0, let control else {
      return nil
    }
    defer { snd_ctl_close(control) }
    var info: OpaquePointer?
    guard snd_ctl_card_info_malloc(&info) == 0, let info else { return nil }
    defer { snd_ctl_card_info_free(info) }
    guard snd_ctl_card_info(control, info) == 0, let device = Self.firstDevice(control) else { return nil }
    var midi: Int32 = -1
    let hasMIDI = snd_ctl_rawmidi_next_device(control, &midi) == 0 && midi >= 0
    self.init(
      id: String(cString: snd_ctl_card_info_get_id(info)),
      name: String(cString: snd_ctl_card_info_get_name(info)),
      driver: String(cString: snd_ctl_card_info_get_driver(info)), device: Int(device),
      components: String(cString: snd_ctl_card_info_get_components(info)),
      bus: Self.realPath("/sys/class/sound/card\(number)/device"), hasMIDI: hasMIDI)
  }

  /// A path without links; empty where there is none.
  private static func realPath(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return "" }
    defer { free(real) }
    return String(cString: real)
  }

  private static func firstDevice(_ control: OpaquePointer) -> Int32? {
    var info: OpaquePointer?
    guard snd_pcm_info_malloc(&info) == 0, let info else { return nil }
    defer { snd_pcm_info_free(info) }
    var device: Int32 = -1
    while snd_ctl_pcm_next_device(control, &device) == 0, device >= 0 {
      snd_pcm_info_set_device(info, UInt32(device))
      snd_pcm_info_set_subdevice(info, 0)
      snd_pcm_info_set_stream(info, SND_PCM_STREAM_PLAYBACK)
      if snd_ctl_pcm_info(control, info) == 0 { return device }
    }
    return nil
  }
}
