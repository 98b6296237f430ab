import Glibc
import OSC
import Presets
import Scenes
import Scratch
import Surface
import Testing
@testable import ALSA
@testable import Storage
@testable import pipit

@Suite("The doctor")
struct DoctorTests {
  @Test("says one line a thing, what to do about what is not well, and fails when something fails")
  func lines() {
    let run = Run(["doctor", "--state", "/tmp"])
    let grades = run.output.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map { $0.prefix(4) }
    #expect(
      grades.count == 9 && grades.allSatisfy { ["ok  ", "warn", "fail"].contains($0) }, "\(run.output)")
    #expect(run.status == (grades.contains("fail") ? 1 : 0))
    let remedies = run.output.split(separator: "\n").filter { $0.hasPrefix(" ") }
    #expect(remedies.count == grades.filter { $0 != "ok  " }.count)
    // What to do first comes first.
    #expect(grades == ["fail", "warn", "ok  "].flatMap { grade in grades.filter { $0 == grade } })
  }

  @Test("asks the running instrument first, whose words go before what the machine shows")
  func instrument() {
    let plays = InstrumentChecks(figures: [
      "card": "1", "playing": "hw:0,0, 48000 Hz", "port": "8000", "xruns": "0", "blocks": "1000",
      "complaint": "",
    ])
    for device in ["auto", "hw:0,0", "Intel", "Audio", "no such card"] {
      let card = CardChecks.card(Host(), device: device, rate: 48_000, period: 128, plays)
      #expect(card.grade == .ok && card.words == "hw:0,0, 48000 Hz", "\(device)")
    }
    #expect(
      plays.otherComplaints().grade == .ok && plays.port.grade == .ok && plays.late(period: 128).grade == .ok)

    let ill = InstrumentChecks(figures: [
      "card": "0", "port": "0", "xruns": "1569", "xruns/last": "4000", "blocks": "90000",
      "complaint":
        "UDP port 8000 is taken: no tablet; a song is odd; there is no sound card",
    ])
    // It may have been started with another file than the one that is read here.
    let other = InstrumentChecks(figures: ["complaint": "pipit.conf, line 2: unknown name 'foo'"])
    #expect(
      other.otherComplaints().grade == .ok
        && other.otherComplaints(knowsConfiguration: false).words.contains("line 2"))
    #expect(ill.port.grade == .warn && ill.port.words == "UDP port 8000 is taken: no tablet")
    #expect(
      ill.otherComplaints().grade == .warn && ill.otherComplaints().words == "it runs, but a song is odd")
    #expect(
      ill.late(period: 128).grade == .warn && ill.late(period: 128).remedy?.contains("period = 256") == true)
    // A click every three seconds with a period of 128: nobody plays on that.
    let late: [(count: Int, blocks: Int, since: String, Finding.Grade)] = [
      (360, 900, "0.1", .fail), (9_000, 90_000, "59", .fail), (90, 90_000, "5", .fail),
      (89, 90_000, "5", .warn),
      (9_000, 90_000, "61", .warn), (9, 100, "1", .ok),
    ]
    for (count, blocks, since, grade) in late {
      let checks = InstrumentChecks(figures: [
        "xruns": "\(count)", "xruns/last": since, "blocks": "\(blocks)",
      ])
      #expect(checks.late(period: 128).grade == grade, "\(count) of \(blocks), \(since) s ago")
    }
    #expect(Fixture().shown.noInstrument(port: 8000).grade == .fail)
  }

  @Test("in the running instrument says the same as the command, while the instrument goes on")
  func running() throws {
    let port = try #require(freePort())
    let service = Service(port)
    #expect(service.waits(for: "blocks") { (Int($0) ?? 0) > 0 })
    let answers = try #require(LocalQuery.ask("/doctor", port: port, within: 60))
    let run = Run(["doctor", "--osc-port", "\(port)"])
    func things(_ lines: [Substring]) -> [String] {
      lines.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }.sorted()
    }
    let shown = answers.dropFirst().map {
      $0.value.words.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(
      answers.first?.value.number == Double(shown.count) && shown.allSatisfy { $0.count == 6 }, "\(shown)")
    let printed = run.output.split(separator: "\n").filter { !$0.hasPrefix(" ") }
    let told = shown.map { ("\($0[0]) \($0[1])")[...] }
    #expect(things(told) == things(printed), "\(shown)\n\(run.output)")
    #expect(LocalQuery.ask("/doctor/tone", port: port, within: 60)?.isEmpty == true)
    #expect(service.waits(for: "peak") { (Double($0) ?? -60) > -31 })
    #expect(
      eventually {
        LocalQuery.ask("/status/temperature", port: port, within: 60)?.first?.value.number != nil
      })
    #expect(service.stop() == 0)
  }

  @Test("reports the machine without its name, and what changed in the minute")
  func report() {
    let machine = Fixture()
    machine.file("/proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.5\0")
    machine.file("/proc/cpuinfo", "processor\t: 0\nCPU part\t: 0xd08\nprocessor\t: 1\nCPU part\t: 0xd08\n")
    machine.file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "1500000\n")
    machine.file("/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "600000\n")
    machine.file("/proc/meminfo", "MemTotal: 3884000 kB\nMemFree: 1 kB\nMemAvailable: 3201000 kB\n")
    machine.file("/etc/os-release", "NAME=x\nPRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\n")
    machine.file("/proc/version", "Linux version 6.12.1-rt (me@home) (gcc) #1 SMP PREEMPT_RT\n")
    machine.file("/etc/hostname", "stage\n")
    let page = machine.shown.description
    for line in [
      "board        Raspberry Pi 4 Model B Rev 1.5", "processor    2 of part 0xd08, 600 MHz now",
      "memory       3884 MB, 3201 MB available", "system       Debian GNU/Linux 13 (trixie)",
      "kernel       6.12.1-rt #1 SMP PREEMPT_RT", "no sound in this kernel",
    ] { #expect(page.contains(line + "\n"), "\(page)") }
    #expect(!page.contains("stage"))

    func reading(_ xruns: Int, _ load: Int, clock: Int?) -> WatchedMinute.Reading {
      .init(
        figures: [
          ("xruns", "\(xruns)"), ("blocks", "\(1_000 * (xruns + 1))"), ("load", "\(load)"),
          ("temperature", "-1"),
        ], clock: clock)
    }
    let minute = WatchedMinute(readings: [
      reading(3, 10, clock: 1_500), reading(4, 40, clock: 600), reading(5, 25, clock: nil),
    ]).description
    for line in [
      "watched      2 s", "late blocks  2 of 2000", "load         mean 25 %, highest 40 %",
      "clock        600 to 1500 MHz",
      "xruns=5", "pipit did not answer each time",
    ] { #expect(minute.contains(line + "\n"), "\(minute)") }
    #expect(!minute.contains("degrees"))
    #expect(WatchedMinute(readings: []).description == "pipit stopped answering\n")
  }

  @Test("writes its report where it is told, also while no pipit runs")
  func reportWithoutInstrument() throws {
    let port = try #require(freePort())
    let run = Run(["doctor", "--osc-port", "\(port)", "--report", "-"])
    #expect(run.status == 0 && run.output.hasPrefix("pipit "), "\(run.output)")
    for heading in [
      "board  ", "Sound cards", "Checks", "Configuration", "Playing", "no pipit answers on OSC port \(port)",
    ] {
      #expect(run.output.contains("\n" + heading), "\(heading)")
    }
    #expect(Run(["doctor", "--osc-port", "\(port)", "--report", "/no such folder/x"]).status == 1)
  }

  @Test("offers a message where one step helps, which is never loud")
  func actions() {
    let range = -74_00...0
    func path(_ level: Int) -> MixerPath {
      MixerPath([
        MixerElement(
          "Master", isOn: true, volume: .init(raw: 74 + level, of: 0...74, level: level * 100, in: range))
      ])
    }
    #expect(
      CardChecks.mixer(path(-74), of: "A", isPipits: true).action?.message == "/master/card/level/db -12")
    #expect(CardChecks.mixer(path(-60), of: "A", isPipits: true).action?.label == "Set the volume to -12 dB")
    #expect(CardChecks.mixer(path(-74), of: "A", isPipits: false).action == nil)
    #expect(CardChecks.mixer(path(-3), of: "A", isPipits: true).action == nil)
    let bare = MixerPath([MixerElement("PCM", volume: .init(raw: 9, of: 0...100))])
    #expect(CardChecks.mixer(bare, of: "A", isPipits: true).action?.message == "/master/card/level 0.7")
    let television = Card(id: "vc4hdmi0", name: "vc4-hdmi-0", driver: "vc4-hdmi", device: 0)
    #expect(CardChecks.none([television], isLocked: false, user: "x").action?.message == "/card vc4hdmi0")
    #expect(CardChecks.played("hw:0,0, 48000 Hz").action?.message == "/doctor/tone 1")
    let late = InstrumentChecks(figures: ["card": "1", "xruns": "900", "xruns/last": "5", "blocks": "90000"])
    #expect(late.late(period: 128).action?.message == "/card/period 256")
    #expect(late.late(period: 128).withActivation(on: Fixture().shown).action != nil)
    // Every action is an address of the instrument.
    for message in ["/master/card/level/db", "/master/card/level", "/card", "/card/period", "/doctor/tone"] {
      #expect(Node.commands.contains { $0.path == message }, "\(message)")
    }
  }

  @Test("names who holds a card, by any name that the card has")
  func holders() {
    let machine = Fixture()
    machine.file("/proc/asound/card1/id", "Intel\n")
    machine.file("/proc/asound/card1/pcm0p/sub0/status", "state: RUNNING\nowner_pid   : 71\n")
    machine.file("/proc/asound/card1/pcm0c/sub0/status", "state: RUNNING\nowner_pid   : 5\n")
    machine.file("/proc/asound/card2/id", "Audio\n")
    machine.file("/proc/asound/card2/pcm0p/sub0/status", "closed\n")
    machine.file("/proc/71/status", "Name:\taplay\nTgid:\t70\n")
    machine.file("/proc/70/comm", "aplay\n")
    let aplay = Holder(card: 1, process: "70", name: "aplay")
    for name in ["hw:CARD=Intel", "hw:Intel", "hw:1,0", "plughw:CARD=Intel,DEV=0", "default"] {
      #expect(machine.shown.holders(of: name) == [aplay], "\(name)")
    }
    #expect(machine.shown.holders(of: "hw:CARD=Audio").isEmpty)
    let held = CardChecks.held("hw:CARD=Intel", by: [aplay])
    #expect(held.grade == .fail && held.words == "hw:CARD=Intel is held by aplay, process 70")
    #expect(held.remedy?.contains("kill 70") == true)
  }

  @Test(
    "tells a user outside the group audio to join it, and gives who has only a television the line to write")
  func noCard() {
    let locked = CardChecks.none([], isLocked: true, user: "ada")
    #expect(
      locked.words == "ada may not open the sound cards"
        && locked.remedy?.contains("adduser ada audio") == true)
    let cards = [
      Card(id: "Loopback", name: "Loopback", driver: "Loopback", device: 0),
      Card(id: "vc4hdmi0", name: "vc4-hdmi-0", driver: "vc4-hdmi", device: 0),
    ]
    let television = CardChecks.none(cards, isLocked: true, user: "ada")
    #expect(television.remedy?.hasSuffix("/etc/pipit/pipit.conf: device = hw:CARD=vc4hdmi0") == true)
    #expect(CardChecks.none([], isLocked: false, user: "ada").remedy?.contains("plug in") == true)
    // pipit devices says the same.
    let sentence = DevicesCommand.noCards(isLocked: true, user: "ada")
    #expect(
      sentence.hasPrefix("ada may not open the sound cards: ") && sentence.contains("sudo adduser ada audio"))
    #expect(DevicesCommand.noCards(isLocked: false, user: "ada").hasPrefix("no sound card"))
  }

  @Test("looks at the card's mixer, and names pipit volume where that raises it")
  func volume() {
    func path(_ level: Int, isOn: Bool = true, behind pcm: Int = 0) -> MixerPath {
      let range = -74_00...0
      return MixerPath([
        MixerElement(
          "Master", isOn: isOn, volume: .init(raw: 74 + level, of: 0...74, level: level * 100, in: range)),
        MixerElement("PCM", volume: .init(raw: 74 + pcm, of: 0...74, level: pcm * 100, in: range)),
      ])
    }
    let cases: [(MixerPath, Finding.Grade, isVolume: Bool)] = [
      (path(0), .ok, true), (path(-30), .ok, true), (path(-40), .warn, true), (path(-73), .warn, true),
      (path(-74), .fail, true), (path(0, isOn: false), .fail, true), (path(0, behind: -60), .warn, false),
    ]
    for (path, grade, isVolume) in cases {
      let own = CardChecks.mixer(path, of: "PCH", isPipits: true)
      #expect(own.grade == grade, "\(own)")
      if grade == .ok { continue }
      #expect(own.remedy?.contains(isVolume ? "pipit volume 0" : "alsamixer -c PCH") == true, "\(own)")
      let other = CardChecks.mixer(path, of: "PCH", isPipits: false)
      #expect(other.grade == grade && other.remedy?.contains("alsamixer -c PCH") == true, "\(other)")
    }
    // A card that tells no decibels.
    let bare = MixerPath([MixerElement("PCM", volume: .init(raw: 9, of: 0...100))])
    #expect(
      CardChecks.mixer(bare, of: "A", isPipits: true).words == "PCM of A is at 9 %, which is almost silent")
    #expect(Subcommand.all.contains { $0.name == "volume" })
  }

  @Test("says what makes a changed line of pipit.conf hold, by the service where there is one")
  func restart() {
    let machine = Fixture()
    let finding = Finding(.warn, "OSC", "none", "set osc-port in pipit.conf")
    #expect(
      finding.withActivation(on: machine.shown).remedy?.hasSuffix("; then: stop pipit and start it again")
        == true)
    machine.file("/usr/lib/systemd/system/pipit.service", "")
    #expect(
      finding.withActivation(on: machine.shown).remedy?.hasSuffix("; then: sudo systemctl restart pipit")
        == true)
    #expect(
      Finding(.warn, "Wi-Fi", "slow", "turn it off").withActivation(on: machine.shown).remedy == "turn it off"
    )
  }

  @Test("names the card on which the files are, where pipit was started from its image")
  func cardImage() throws {
    let machine = Fixture()
    machine.file("/usr/lib/systemd/system/pipit.service", "")
    machine.file("/run/pipit-box/ports", "8000 8000\n")
    for (remedy, isOnCard) in [
      ("set osc-port in pipit.conf", true), ("set up the overlay in config.txt", true),
      ("that is cmdline.txt", true), ("turn it off", false),
    ] {
      let whole = try #require(Finding(.warn, "it", "none", remedy).withActivation(on: machine.shown).remedy)
      #expect(
        whole.hasPrefix(remedy) && whole.contains("partition PIPIT of the card") == isOnCard, "\(whole)")
      #expect(!whole.contains("systemctl"))
    }
    machine.file("/proc/mounts", "root / overlay rw,upperdir=/u 0 0\n")
    machine.file("/var/lib/pipit/presets.sqlite", "")
    let state = machine.shown.stateFolder("/var/lib/pipit", of: Account(user: 0, groups: [0]))
    #expect(
      state.grade == .fail && state.remedy?.contains("write the image to this card again") == true, "\(state)"
    )
  }

  @Test("knows a disk that forgets: in memory, or an overlay over what lies in memory")
  func forgetful() {
    let machine = Fixture()
    let mounts: [(String, String?)] = [
      ("/dev/root / ext4 rw 0 0", nil),
      ("/dev/root / ext4 ro 0 0\ntmpfs /var/lib/pipit tmpfs rw 0 0", "in memory"),
      ("overlay / overlay rw,lowerdir=/lower,upperdir=/upper/data,workdir=/upper/work 0 0", "on an overlay"),
      (
        "/dev/root / ext4 ro 0 0\noverlay /var overlay rw,upperdir=/data/var 0 0\n/dev/sda1 /data ext4 rw 0 0",
        nil
      ),
      (
        "/dev/root / ext4 ro 0 0\noverlay /var overlay rw,upperdir=/rw/var 0 0\ntmpfs /rw tmpfs rw 0 0",
        "on an overlay"
      ),
      ("overlay / overlay rw,upperdir=/u 0 0\n/dev/sda3 /var/lib/pipit ext4 rw 0 0", nil),
    ]
    for (text, kind) in mounts {
      machine.file("/proc/mounts", text + "\n")
      #expect(machine.shown.volatileState("/var/lib/pipit") == kind, "\(text)")
    }
  }

  @Test(
    "names keyboards as they are called, not by the kernel's short ids, and without what moves the cursor")
  func keyboards() {
    let machine = Fixture()
    machine.file("/dev/snd/seq", "")
    machine.file("/dev/snd/midiC1D0", "")
    machine.file("/dev/snd/midiC2D0", "")
    machine.file("/proc/asound/card1/id", "farnanoKEY\n")
    machine.file("/proc/asound/card2/id", "MK3\n")
    machine.file(
      "/proc/asound/cards",
      """
       0 [PCH            ]: HDA-Intel - HDA Intel PCH
                            HDA Intel PCH at 0xf7f10000 irq 33
       1 [farnanoKEY     ]: USB-Audio - KORG (far)nano\u{1B}[2JKEY
                            KORG (far)nanoKEY at usb-0000:00:14.0-1, full speed
       2 [MK3            ]: USB-Audio - Launchkey MK3
                            Focusrite Launchkey MK3 at usb-0000:00:14.0-2, full speed

      """)
    #expect(SoundChecks.keyboard(machine.shown).words == "KORG (far)nano[2JKEY, Launchkey MK3")
  }

  @Test(
    "knows a state that nothing is kept in: a file, a folder that cannot be written to, one that cannot be made"
  )
  func state() throws {
    let machine = Fixture()
    let nobody = Account(user: 65_534, groups: [65_534])
    machine.file("/state/presets.sqlite", "")
    machine.file("/file", "")
    let (path, whole) = (machine.shown.root, machine.shown)
    let own = Account(user: geteuid(), groups: [getegid()])
    #expect(whole.stateFolder("/state", of: own).grade == .ok)
    #expect(whole.stateFolder("/new/state", of: own).grade == .ok)
    for state in ["/file", "/file/pipit"] {
      let finding = whole.stateFolder(state, of: own)
      #expect(finding.grade == .fail && finding.words.contains("/file is not a folder"), "\(finding)")
    }
    chmod(path, 0o755)
    chmod(path + "/state", 0o755)
    let readOnly = whole.stateFolder("/state", of: nobody)
    #expect(readOnly.grade == .fail && readOnly.words.contains("may not write to /state"), "\(readOnly)")
    #expect(readOnly.remedy?.contains("chown") == true)
    let unmade = whole.stateFolder("/new/state", of: nobody)
    #expect(unmade.grade == .fail && unmade.words.contains("cannot create"), "\(unmade)")
    // The folder would do, and the file in it does not.
    chmod(path + "/state", 0o777)
    chmod(path + "/state/presets.sqlite", 0o644)
    #expect(whole.stateFolder("/state", of: nobody).words.contains("/state/presets.sqlite"))
    chmod(path + "/state/presets.sqlite", 0o666)
    #expect(whole.stateFolder("/state", of: nobody).grade == .ok)
    unlink(path + "/state/presets.sqlite")
    mkdir(path + "/state/presets.sqlite", 0o777)
    #expect(whole.stateFolder("/state", of: own).words.contains("is a folder"))
  }

  @Test("compares each stored document with its checksum, and names those that are damaged")
  func damagedDocuments() throws {
    let machine = Fixture()
    let own = Account(user: geteuid(), groups: [getegid()])
    machine.file("/state/note", "")
    let path = machine.shown.root + "/state/presets.sqlite"
    let library = Library(database: path, factory: nil, log: { _ in })
    for name in ["Brass", "Choir"] { try library.save(.initial, name: name) }
    #expect(library.stop(within: 60))
    #expect(machine.shown.stateFolder("/state", of: own).grade == .ok)
    try Database(path, create: false).script(
      "UPDATE documents SET text = text || ' ' WHERE name = 'Brass'", "test")
    let finding = machine.shown.stateFolder("/state", of: own)
    #expect(
      finding.grade == .fail && finding.words == "damaged in \(path): preset 1/0 \"Brass\"", "\(finding)")
    machine.file("/state/presets.sqlite", "no database")
    #expect(machine.shown.stateFolder("/state", of: own).grade == .fail)
  }

  @Test("never says that presets are kept beside an instrument that says the opposite")
  func keeps() throws {
    for words in [
      "no access to the disk: presets are not kept", "disk full: 3 saves wait in memory",
      "read-only disk: what is saved stays in memory",
    ] {
      let ill = InstrumentChecks(figures: ["complaint": "UDP port 8000 is taken: no tablet; \(words)"])
      let finding = try #require(ill.presets)
      #expect(finding.grade == .fail && finding.words.hasPrefix(words), "\(finding)")
      #expect(ill.otherComplaints().grade == .ok)
    }
    #expect(InstrumentChecks(figures: ["complaint": ""]).presets == nil)
  }

  @Test("sees what slows a processor down")
  func processor() {
    let machine = Fixture()
    #expect(machine.shown.governor.grade == .ok)
    for (governor, grade) in [("ondemand", Finding.Grade.warn), ("performance", .ok)] {
      machine.file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", governor)
      #expect(machine.shown.governor.grade == grade, "\(governor)")
    }
    for (temperature, grade) in [("45000", Finding.Grade.ok), ("84000", .warn)] {
      machine.file("/sys/class/thermal/thermal_zone0/temp", temperature)
      #expect(machine.shown.supply.grade == grade, "\(temperature)")
    }
    machine.file("/sys/class/thermal/thermal_zone0/temp", "45000")
    machine.file("/sys/class/hwmon/hwmon1/name", "rpi_volt")
    for (alarm, grade) in [("0", Finding.Grade.ok), ("1", .warn)] {
      machine.file("/sys/class/hwmon/hwmon1/in0_lcrit_alarm", alarm)
      #expect(machine.shown.supply.grade == grade, "\(alarm)")
    }
  }

  @Test("reads what the firmware holds the processor back for, where a Pi's kernel shows it")
  func firmware() {
    let places = ["soc/soc:firmware", "soc@107c000000/soc@107c000000:firmware"]
    for place in places {
      let machine = Fixture()
      // As the kernel prints them, in hexadecimal.
      let bits: [(String, Finding.Grade, String)] = [
        ("0\n", .ok, ""), ("0x0\n", .ok, ""), ("50000\n", .warn, "voltage"), ("1\n", .warn, "voltage"),
        ("80008\n", .warn, "slows down"), ("20002\n", .warn, "get_throttled 0x20002"), ("rubbish", .ok, ""),
      ]
      for (text, grade, words) in bits {
        machine.file("/sys/devices/platform/\(place)/get_throttled", text)
        let finding = machine.shown.supply
        #expect(finding.grade == grade && (words.isEmpty || finding.words.contains(words)), "\(text)")
        #expect((finding.remedy == nil) == (grade == .ok))
      }
    }
  }

  @Test("knows a kernel that lets the audio thread go first from one that does not")
  func kernel() {
    let machine = Fixture()
    let kernels: [(String, Finding.Grade)] = [
      ("Linux version 6.12.1-rpi #1 SMP PREEMPT Debian", .ok),
      ("Linux version 6.1.0 #1 SMP PREEMPT_DYNAMIC", .ok),
      ("Linux version 6.1.0-cloud #1 SMP", .warn),
    ]
    for (version, grade) in kernels {
      machine.file("/proc/version", version)
      #expect(machine.shown.preemption.grade == grade, "\(version)")
    }
  }

  @Test("sees a sound server, and whether the audio thread goes first")
  func processes() {
    let machine = Fixture()
    #expect(SoundChecks.server(machine.shown).grade == .ok)
    machine.file("/proc/7/comm", "wireplumber")
    #expect(SoundChecks.server(machine.shown).grade == .warn)
    #expect(SoundChecks.server(machine.shown, isOnCard: true).grade == .ok)

    #expect(SoundChecks.thread(machine.shown).grade == .warn)
    machine.file("/proc/9/comm", "pipit")
    machine.file("/proc/9/cmdline", "pipit\0serve\0")
    machine.file(
      "/proc/9/limits", "Max locked memory         unlimited            unlimited            bytes")
    for (priority, grade) in [(0, Finding.Grade.fail), (70, .ok)] {
      // The kernel writes 52 fields; the 40th is the priority.
      let fields = (3...52).map { $0 == 40 ? "\(priority)" : "0" }.joined(separator: " ")
      machine.file("/proc/9/task/9/stat", "9 (a) b) \(fields)")
      #expect(SoundChecks.thread(machine.shown).grade == grade, "\(priority)")
    }
    machine.file("/proc/9/limits", "Max locked memory         65536            65536            bytes")
    #expect(SoundChecks.thread(machine.shown).grade == .warn)
  }
}

/// A machine as its kernel would show it.
private struct Fixture {
  private let folder = Folder()
  var shown: Host { Host(root: folder.path) }
  func file(_ path: String, _ text: String) { folder.file(path, text) }
}
