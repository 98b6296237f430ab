import ALSA
import Glibc
import System

/// Checks of the card that pipit plays on. Answers of the instrument take precedence over observations of the
/// machine.
enum CardChecks {
  private static let thing = "sound card"

  /// The card of the running instrument or, without one, the card that it would open.
  static func card(_ host: Host, device: String, rate: Int, period: Int, _ instrument: InstrumentChecks?)
    -> Finding
  {
    if device == "clock" {
      return Finding(.warn, thing, "none is used, because device = clock", "set device = auto in pipit.conf")
    }
    if let instrument, instrument.isOnCard {
      return played(instrument.figures["playing"] ?? "")
    }
    if let instrument, !instrument.waitsForCard {
      return Finding(
        .warn, thing, "pipit plays \(instrument.figures["playing"] ?? "none")",
        "start pipit with --device auto")
    }
    let probe = CardProbe(.init(device), rate: rate, period: period)
    if let (name, card) = probe.opened {
      if card?.category == .headphones { return headphones(name) }
      return Finding(.ok, thing, "\(name)\(card.map { ", \($0.name)" } ?? ""), not in use")
    }
    guard let first = probe.refusals.first else {
      return none(Card.all(), isLocked: host.hasLockedCard, user: SoundDevices.user)
    }
    if first.code == EBUSY { return held(first.name, by: host.holders(of: first.name)) }
    if first.code == EACCES || first.code == EPERM { return locked(user: SoundDevices.user) }
    let others = Card.all().map(\.pcm).filter { $0 != first.name }
    return Finding(
      .fail, thing, first.sentence,
      others.isEmpty
        ? "plug it in, or set device = auto in pipit.conf"
        : "plug it in, or set device = \(others[0]) in pipit.conf, which is plugged in",
      action: Card.all().first { $0.pcm == others.first }.map { play(on: $0) })
  }

  /// Whether the mixer of the card lets sound through; nil without a card or a mixer.
  static func mixer(_ device: String, _ instrument: InstrumentChecks?) -> Finding? {
    let cards = Card.all()
    let playing = instrument?.figures["playing"] ?? ""
    let card =
      instrument?.isOnCard == true
      ? cards.first { playing.includes($0.pcm + ",") }
      : device == "auto" ? Card.automatic(cards).first : cards.first { $0.id == device || $0.pcm == device }
    guard let card, let path = mixerPath(of: card) else { return nil }
    let isPipits = instrument?.isOnCard == true || card == Card.automatic(cards).first
    return mixer(path, of: card.id, isPipits: isPipits)
  }

  /// The settings of a mixer, and how to raise its volume: with `pipit volume` if pipit plays on this card.
  static func mixer(_ path: MixerPath, of card: String, isPipits: Bool) -> Finding {
    let thing = "card's volume"
    let byHand = "raise it with 'alsamixer -c \(card)' (package alsa-utils)"
    let byPipit = "raise it with 'pipit volume 0' or the fader CARD on the tablet's page MIXER"
    let raise = isPipits ? path.volume?.volume.map(raise) : nil
    if path.isSilent {
      return Finding(
        .fail, thing, "the mixer of \(card) is switched off or at 0 %", isPipits ? byPipit : byHand,
        action: raise)
    }
    if let faint = path.faint {
      let isVolume = faint == path.volume
      return Finding(
        .warn, thing,
        "\(faint.name) of \(card) is at \(faint.volume?.words ?? "its lowest"), which is almost silent",
        isVolume && isPipits ? byPipit : byHand, action: isVolume ? raise : nil)
    }
    return Finding(.ok, thing, path.volume?.volume.map { $0.words } ?? "on")
  }

  /// The finding for a card that plays.
  static func played(_ playing: String) -> Finding {
    if playing.includes("bcm2835") || playing.includes("CARD=Headphones") { return headphones(playing) }
    return Finding(.ok, thing, playing, action: tone)
  }

  /// The test tone, for a card that plays.
  private static let tone = Finding.Action("Play a test tone", "/doctor/tone 1")

  private static func play(on card: Card) -> Finding.Action {
    Finding.Action("Play on \(card.id)", "/card \(card.id)")
  }

  /// The action that sets a volume to a level that is audible and not loud.
  private static func raise(_ volume: MixerElement.Volume) -> Finding.Action {
    volume.decibels == nil
      ? Finding.Action("Set the volume to 70 %", "/master/card/level 0.7")
      : Finding.Action("Set the volume to -12 dB", "/master/card/level/db -12")
  }

  private static func headphones(_ name: String) -> Finding {
    Finding(
      .warn, thing, "\(name): the headphone socket, which is noisy",
      "use a USB sound card or a sound HAT; pipit switches to it by itself")
  }

  /// The finding if no card is chosen automatically.
  static func none(_ cards: [Card], isLocked: Bool, user: String) -> Finding {
    if let television = cards.first(where: { $0.category == .hdmi }) ?? cards.first {
      return Finding(
        .fail, thing, "the only card is \(television.id), which pipit uses only when pipit.conf names it",
        "to use it, add to /etc/pipit/pipit.conf: device = \(television.pcm)", action: play(on: television))
    }
    if isLocked { return locked(user: user) }
    return Finding(
      .fail, thing, "none found",
      "plug in a USB sound card, or set up the sound HAT's overlay in config.txt, as dtoverlay=hifiberry-dac")
  }

  private static func locked(user: String) -> Finding {
    Finding(.fail, thing, SoundDevices.locked(user), SoundDevices.remedy(user))
  }

  /// The finding if another program uses the card.
  static func held(_ name: String, by holders: [Holder]) -> Finding {
    guard let holder = holders.first else {
      return Finding(
        .fail, thing, "\(name) is held by another program",
        "stop it; 'sudo fuser -v /dev/snd/pcm*' (package psmisc) names it")
    }
    let words = "\(name) is held by \(holder.name), process \(holder.process)"
    if Host.soundServers.contains(holder.name) {
      return Finding(
        .fail, thing, words,
        "give pipit the card: sudo systemctl enable --now pipit; see /usr/share/doc/pipit/README.Debian")
    }
    if holder.name == "pipit" {
      return Finding(
        .fail, thing, words, "stop that pipit, or set another device in pipit.conf")
    }
    return Finding(
      .fail, thing, words, "stop it: sudo kill \(holder.process); pipit then takes the card by itself")
  }
}

/// A program that plays on a card.
struct Holder: Equatable {
  let card: Int
  let process: String
  let name: String
}

extension Host {
  /// The programs that play on the cards, according to the kernel.
  var holders: [Holder] {
    names("/proc/asound").filter { $0.hasPrefix("card") }.flatMap { folder -> [Holder] in
      guard let card = Int(folder.dropFirst(4)) else { return [] }
      return names("/proc/asound/\(folder)").filter { $0.hasPrefix("pcm") && $0.hasSuffix("p") }.flatMap {
        pcm in
        names("/proc/asound/\(folder)/\(pcm)").compactMap { sub in
          holder(text("/proc/asound/\(folder)/\(pcm)/\(sub)/status") ?? "", of: card)
        }
      }
    }
  }

  private func holder(_ status: String, of card: Int) -> Holder? {
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("owner_pid") }),
      let thread = line.split(separator: " ").last.map(String.init)
    else { return nil }
    // The kernel reports the thread that has opened the card.
    let group = (text("/proc/\(thread)/status") ?? "").split(separator: "\n").first { $0.hasPrefix("Tgid:") }
    let process = group?.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? thread
    return Holder(card: card, process: process, name: self.line("/proc/\(process)/comm") ?? "another program")
  }

  /// The holders of the card in an ALSA name; all of them if the card is unknown.
  func holders(of name: String) -> [Holder] {
    let words = name.split { ":=,".contains($0) }.map(String.init)
    // hw:CARD=Intel,DEV=0, hw:Intel and hw:0,0 may all name one card.
    let cards = names("/proc/asound").filter { $0.hasPrefix("card") }.filter { folder in
      words.contains { $0 == folder.dropFirst(4) || $0 == line("/proc/asound/\(folder)/id") }
    }
    let numbers = cards.compactMap { Int($0.dropFirst(4)) }
    return holders.filter { holder in numbers.first.map { $0 == holder.card } ?? true }
  }

  /// Whether there is a card that this user may not open.
  var hasLockedCard: Bool { SoundDevices.areLocked(in: root + "/dev/snd") }

  /// Programs that share a card between the programs of a desktop.
  static let soundServers = ["pipewire", "wireplumber", "pipewire-media-", "pulseaudio", "jackd", "jackdbus"]
}

/// Checks of the signal path from the keyboard to the card.
enum SoundChecks {
  /// Whether MIDI keyboards are plugged in.
  static func keyboard(_ machine: Host) -> Finding {
    let thing = "keyboard"
    if !machine.exists("/dev/snd/seq") {
      return Finding(
        .fail, thing, "the kernel has no MIDI sequencer",
        "load it: sudo modprobe snd-seq; if that fails, use a kernel that has it")
    }
    // midiC2D0 is a device of card 2.
    let cards = Set(
      machine.names("/dev/snd").filter { $0.hasPrefix("midiC") }
        .compactMap { $0.dropFirst(5).split(separator: "D").first.map(String.init) })
    if cards.isEmpty {
      return Finding(.warn, thing, "none is plugged in", "plug one in; pipit connects it by itself")
    }
    let names = cards.sorted().map { number in
      machine.cardName(number) ?? machine.line("/sys/class/sound/card\(number)/id") ?? "card \(number)"
    }
    return Finding(.ok, thing, names.joined(separator: ", "))
  }

  /// Whether a sound server may take the card for a desktop. A sound server leaves alone a card on which pipit plays.
  static func server(_ machine: Host, isOnCard: Bool = false) -> Finding {
    let thing = "sound server"
    let running = Set(machine.processes.map { $0.name }).intersection(Host.soundServers).sorted()
    if running.isEmpty { return Finding(.ok, thing, "none is running") }
    let names = running.joined(separator: ", ")
    if isOnCard { return Finding(.ok, thing, "\(names) does not use pipit's card") }
    return Finding(
      .warn, thing, "\(names) runs and may take the card",
      "stop it, or give pipit a card that it does not use; see /usr/share/doc/pipit/README.Debian")
  }

  /// The running instrument's real-time priority and locked memory.
  /// - Parameter process: The process id that the instrument reports; nil to search for an instrument.
  static func thread(_ machine: Host, process: String? = nil) -> Finding {
    let thing = "real time"
    let service =
      "use the package's service, or add to /etc/security/limits.d/audio.conf: @audio - rtprio 95; then log in again"
    let all = machine.processes
    let named = all.first { $0.id == process }
    guard let pipit = named ?? all.first(where: { $0.name == "pipit" && machine.isInstrument($0.id) })
    else {
      return Finding(
        .warn, thing, "pipit does not run",
        "start it: sudo systemctl enable --now pipit; see systemctl status pipit")
    }
    guard let priority = machine.highestPriority(of: pipit.id), priority > 0 else {
      return Finding(.fail, thing, "the audio thread has no real-time priority", service)
    }
    if machine.lockedMemory(of: pipit.id) != "unlimited", !machine.hasLockedMemory(pipit.id) {
      return Finding(
        .warn, thing, "the audio thread has priority \(priority), but pipit may not lock its memory",
        "set LimitMEMLOCK=infinity in the service, or '@audio - memlock unlimited' in limits.d")
    }
    return Finding(.ok, thing, "the audio thread has priority \(priority), memory is locked")
  }
}

extension Host {
  /// The name of a card, without control characters; nil if the card is not connected. The kernel derives the card's
  /// id from the last word of the name.
  fileprivate func cardName(_ number: String) -> String? {
    // " 1 [MK3            ]: USB-Audio - Launchkey MK3"
    let line = (text("/proc/asound/cards") ?? "").split(separator: "\n").first {
      $0.includes("]: ") && $0.split(separator: " ").first == number[...]
    }
    guard let line, let end = line.firstIndex(of: "]") else { return nil }
    let name = line[end...].split(separator: " ").drop { $0 != "-" }.dropFirst().joined(separator: " ")
    return name.unicodeScalars.filter { ![.control, .format].contains($0.properties.generalCategory) }
      .map(String.init).joined()
  }
}
