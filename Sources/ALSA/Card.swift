import CALSA
import Glibc
import System

/// A sound card that can play, as the system lists it.
public struct Card: Sendable, Equatable {
  /// The category of a card, in order of preference for an instrument.
  public enum Category: Int, Sendable, Comparable {
    /// A USB sound card.
    case usb
    /// A sound HAT on I²S.
    case hat
    /// A USB device that also has MIDI. It may be an interface, but also a keyboard with its own sound output, where
    /// nobody may be listening, so a HAT is preferred.
    case instrument
    /// A card on a PC's mainboard, or in the PC.
    case board
    /// The headphone socket of a Raspberry Pi. It is noisy, so it is used if there is nothing better.
    case headphones
    /// A television: used only if chosen by name.
    case hdmi
    /// A loopback or dummy card: used only if chosen by name.
    case virtual

    /// The preferred category is the smaller one.
    public static func < (one: Category, other: Category) -> Bool { one.rawValue < other.rawValue }
  }

  /// ALSA's id of the card, which survives a change of the card's number.
  public let id: String
  /// The name of the card for people.
  public let name: String
  /// The category of the card.
  public let category: Category
  /// The number of the first playback device on the card.
  public let device: Int
  /// The make of the card, independent of its socket and id: equal for two cards of one make.
  public let identity: String
  /// The kernel's path of the card, such as `/sys/devices/…/usb1/1-1.2/1-1.2:1.0`; empty if unknown. It orders the
  /// cards of one category, because card numbers depend on the order in which drivers load.
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

  /// The name that opens the card in ALSA, and that `--device` accepts.
  public var pcm: String { device == 0 ? "hw:CARD=\(id)" : "hw:CARD=\(id),DEV=\(device)" }

  /// All cards that can play now. Asks the kernel; not for the audio thread.
  public static func all() -> [Card] {
    alsa_be_quiet()
    var cards: [Card] = []
    var number: Int32 = -1
    while snd_card_next(&number) == 0, number >= 0 {
      if let card = Card(number: number) { cards.append(card) }
    }
    return cards
  }

  /// Explains to people why there is no card to choose.
  public static func whyNone() -> String {
    let others = all().map(\.id).joined(separator: ", ")
    if !others.isEmpty { return "No sound card but \(others), which --device must name" }
    if !SoundDevices.areLocked() { return "No sound card" }
    return "\(SoundDevices.locked(SoundDevices.user)); \(SoundDevices.remedy(SoundDevices.user))"
  }

  /// The card that a PCM plays on; nil if the PCM belongs to no card, such as a sound server's.
  init?(playing pcm: OpaquePointer) {
    var info: OpaquePointer?
    guard snd_pcm_info_malloc(&info) == 0, let info else { return nil }
    defer { snd_pcm_info_free(info) }
    guard snd_pcm_info(pcm, info) == 0, snd_pcm_info_get_card(info) >= 0 else { return nil }
    self.init(number: snd_pcm_info_get_card(info))
  }

  /// The card with a number; nil if it was removed, may not be opened by this user, or cannot play.
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

  /// A path with all links resolved; empty if it does not exist.
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
