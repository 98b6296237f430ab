import CALSA
import Glibc

/// A sound card that can play, as the system lists it now.
public struct Card: Sendable, Equatable {
  /// What sort of card it is, best first for an instrument.
  public enum Category: Int, Sendable {
    /// A USB sound card.
    case usb
    /// A sound HAT on I²S, or a card on the board of a PC.
    case board
    /// The headphone socket of a Raspberry Pi: noisy, so only for want of better.
    case headphones
    /// A television: used only when asked for by name.
    case hdmi
    /// A loopback or dummy card: used only when asked for by name.
    case virtual
  }

  /// ALSA's id of the card, which survives a change of the card's number.
  public let id: String
  /// The card's name for people.
  public let name: String
  /// What sort of card it is.
  public let category: Category
  /// The first device of the card that plays.
  public let device: Int

  init(id: String, name: String, driver: String, device: Int) {
    self.id = id
    self.name = name
    self.device = device
    let all = "\(id) \(name) \(driver)".lowercased()
    if all.contains("hdmi") {
      category = .hdmi
    } else if driver == "Loopback" || driver == "Dummy" {
      category = .virtual
    } else if driver == "USB-Audio" {
      category = .usb
    } else if all.contains("bcm2835") || id == "Headphones" {
      category = .headphones
    } else {
      category = .board
    }
  }

  /// The name under which ALSA opens it, and `--device` takes it.
  public var pcm: String { device == 0 ? "hw:CARD=\(id)" : "hw:CARD=\(id),DEV=\(device)" }

  /// Those of `cards` that `--device auto` would play on, best first.
  public static func automatic(_ cards: [Card]) -> [Card] {
    cards.enumerated().filter { $0.element.category.rawValue <= Category.headphones.rawValue }
      .sorted { ($0.element.category.rawValue, $0.offset) < ($1.element.category.rawValue, $1.offset) }
      .map(\.element)
  }

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
    // ALSA does not count the cards that it may not open.
    for number in 0..<32 {
      let path = "/dev/snd/controlC\(number)"
      if access(path, F_OK) == 0, access(path, R_OK | W_OK) != 0 {
        return "The sound card may not be opened (is the user in the group audio?)"
      }
    }
    return "No sound card"
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
    self.init(
      id: String(cString: snd_ctl_card_info_get_id(info)),
      name: String(cString: snd_ctl_card_info_get_name(info)),
      driver: String(cString: snd_ctl_card_info_get_driver(info)), device: Int(device))
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

/// The cards that can play, and which of them `--device auto` would choose: what a list of devices shows.
public func devices() -> [(card: Card, automatic: Bool)] {
  let cards = Card.all()
  let choice = Card.automatic(cards).first
  return cards.map { ($0, $0 == choice) }
}
