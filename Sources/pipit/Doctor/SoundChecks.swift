import ALSA

/// Checks of the path of a note, from the keyboard to the card.
enum SoundChecks {
  /// The card that pipit plays on, for a device as the configuration names it.
  static func card(asked: String) -> Finding {
    let thing = "sound card"
    let cards = Card.all()
    if asked == "clock" {
      return Finding(.warn, thing, "none is asked for: device = clock", "set device = auto in pipit.conf")
    }
    if asked != "auto" {
      if let card = cards.first(where: { asked.contains("CARD=\($0.id)") || asked.hasSuffix(":\($0.id)") }) {
        return Finding(.ok, thing, "\(asked), \(card.name)")
      }
      let there =
        cards.isEmpty ? "none is there" : "there are " + cards.map { $0.pcm }.joined(separator: ", ")
      // A name from ALSA's own configuration may be no card's.
      let known = !asked.hasPrefix("hw:") && !asked.hasPrefix("plughw:")
      return Finding(
        known ? .warn : .fail, thing, "\(asked) is not among the cards; \(there)",
        "plug it in, or set device in pipit.conf; 'pipit devices' lists the names")
    }
    guard let card = Card.automatic(cards).first else {
      return Finding(
        .fail, thing, Card.whyNone(),
        "plug in a USB sound card, or set up the sound HAT's overlay in config.txt, as dtoverlay=hifiberry-dac"
      )
    }
    if card.category == .headphones {
      return Finding(
        .warn, thing, "\(card.pcm), the headphone socket, which is noisy",
        "use a USB sound card or a sound HAT; pipit takes it by itself")
    }
    return Finding(.ok, thing, "\(card.pcm), \(card.name)")
  }

  /// The MIDI keyboards that are plugged in.
  static func keyboard(_ machine: Host) -> Finding {
    let thing = "keyboard"
    if !machine.exists("/dev/snd/seq") {
      return Finding(
        .fail, thing, "the kernel has no MIDI sequencer",
        "load it: sudo modprobe snd-seq; if that fails, use a kernel with it")
    }
    // midiC2D0 is a device of card 2.
    let cards = Set(
      machine.names("/dev/snd").filter { $0.hasPrefix("midiC") }
        .compactMap { $0.dropFirst(5).split(separator: "D").first.map(String.init) })
    if cards.isEmpty {
      return Finding(.warn, thing, "none is plugged in", "plug one in; pipit connects it by itself")
    }
    let names = cards.sorted().map { machine.line("/proc/asound/card\($0)/id") ?? "card \($0)" }
    return Finding(.ok, thing, names.joined(separator: ", "))
  }

  /// Sound servers, which may hold the card for a desktop.
  static func server(_ machine: Host) -> Finding {
    let servers = ["wireplumber", "pipewire-media-", "pulseaudio", "jackd", "jackdbus"]
    let running = Set(machine.processes.map { $0.name }).intersection(servers).sorted()
    if running.isEmpty { return Finding(.ok, "sound server", "none runs, the card is pipit's alone") }
    return Finding(
      .warn, "sound server", "\(running.joined(separator: ", ")) runs and may hold the card",
      "end it, or give pipit a card that it leaves alone; see /usr/share/doc/pipit/README.Debian")
  }

  /// The running instrument's real-time priority and locked memory.
  static func thread(_ machine: Host) -> Finding {
    let thing = "real time"
    let service =
      "install the package, whose service may, or allow it in /etc/security/limits.d: @audio - rtprio 95"
    guard let pipit = machine.processes.first(where: { $0.name == "pipit" && machine.isInstrument($0.id) })
    else {
      return Finding(
        .warn, thing, "pipit does not run",
        "start it: sudo systemctl enable --now pipit; see systemctl status pipit")
    }
    guard let priority = machine.highestPriority(of: pipit.id), priority > 0 else {
      return Finding(.fail, thing, "the audio thread has no real-time priority", service)
    }
    if machine.lockedMemory(of: pipit.id) != "unlimited" {
      return Finding(
        .warn, thing, "the audio thread has priority \(priority), but memory may not be locked",
        "allow it: LimitMEMLOCK=infinity in the service, or '@audio - memlock unlimited'")
    }
    return Finding(.ok, thing, "the audio thread has priority \(priority), memory may be locked")
  }
}
