import System

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
