import Parameters
import Scenes
import Surface
import System

/// The manual pages, made from the tables of commands, options, knobs and addresses.
enum Manual {
  /// The paragraphs of a text, separated by empty lines.
  private static func paragraphs(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).split { $0.isEmpty }
      .map { $0.joined(separator: "\n") }
  }

  /// The steps from a box that is on to a saved sound.
  private static let firstHour = [
    "Plug in a sound card and a keyboard, in any order. 'pipit doctor' and the page list what is missing.",
    "Open the page, http://HOST.local:8000/, in any browser; 'pipit qr' shows its address as a code for a phone.",
    "Connect the tablet, as described above.",
    "Choose a sound on PRESETS, and play.",
    "Change it. UNDO takes back what you did, step by step.",
    "Save it on PRESETS with NAME and SAVE AS. When the bar at the top says that it is saved, the plug may be pulled.",
    "Download a backup from the page, or run 'pipit backup FILE'.",
  ]

  /// The steps from an empty box to a show.
  private static let show = [
    """
    Make the first sound: on the tablet choose a preset for part 1, on the page PARTS split or layer a second one, set
    the levels on the page MIXER and the tempo with TAP.
    """,
    """
    Save it: on PRESETS, page SETUPS, touch SAVE AS, or run 'pipit setups save "Night drive"'. Do both steps for each
    song. Saving again changes the setup and never what its 'keep' line leaves alone.
    """,
    """
    Make the list: write the songs into a text file as below and run 'pipit setlists import friday.txt', then 'pipit
    setlists load friday'. Or recall each setup and touch ADD on the page SETUPS.
    """,
    """
    Give the feet a pedal: touch LEARN on the tablet, NEXT on the page STAGE, and press the pedal.
    """,
    """
    Rehearse on the page STAGE: NEXT plays the first song. What is held goes on in the old sound until it is let go.
    CUE chooses another song to come, anything may be played in between, and NEXT goes on from the place in the list.
    """,
    """
    Before the doors open: 'pipit doctor', 'pipit backup', and the lock on the page STAGE. After a power cut the box
    wakes on the same song.
    """,
  ]

  /// `pipit(1)`.
  static var program: String {
    var page = ManualPage("pipit", 1, "synthesizer for MIDI keyboards, controlled by a tablet over OSC")
    page.heading("Synopsis")
    page.synopsis("pipit", "[COMMAND] [OPTION]...")
    page.heading("Description")
    page.paragraph(
      """
      pipit is a polyphonic synthesizer for a small computer without a screen. MIDI keyboards play it when they are
      plugged in, the sound comes from a sound card, and a tablet that speaks OSC is the front panel. Sounds are
      stored as presets. Recalling a preset does not interrupt notes that sound.
      """)
    page.paragraph(
      """
      Without a command, pipit plays. The package installs it as a service that starts with the machine. FILES lists
      its configuration files, and 'pipit doctor' checks the machine.
      """)
    page.heading("Commands")
    for command in Subcommand.all {
      page.subheading("pipit " + [command.name, command.operand].compactMap { $0 }.joined(separator: " "))
      page.paragraph(command.about)
      for lines in paragraphs(command.more) {
        // Columns and lists keep their line breaks.
        if lines.includes("   ") { page.example(lines) } else { page.paragraph(lines) }
      }
      for option in command.rows where !common.contains(option.name) {
        page.item(option.spelling, option.sentence)
      }
    }
    page.subheading("Options of every command")
    for option in Option.all where common.contains(option.name) {
      page.item(option.spelling, option.sentence)
    }
    page.heading("The tablet")
    page.paragraph(
      """
      The front panel is a layout for TouchOSC. The package installs two layouts in \(Folders.installedLayouts):
      pipit.tosc for a ten-inch tablet and pipit-phone.tosc for a phone. 'pipit layout' writes them too. Send the file by
      mail, or serve it to the tablet's browser at port 8080 of this machine:
      """)
    page.example("python3 -m http.server -d \(Folders.installedLayouts) 8080")
    page.paragraph(
      """
      Open the file in TouchOSC. In the connections, under OSC, choose UDP. Enter the address that 'pipit status' shows as
      host, 8000 as send port and 9000 as receive port. Press play and then CONNECT: all controls move to the current
      values.
      """)
    page.heading("The first hour")
    page.paragraph(
      "From a box that is on to a sound of your own. The page about the box shows the same with pictures.")
    for (number, step) in firstHour.enumerated() { page.item("\(number + 1).", step) }
    page.heading("A show in ten minutes")
    page.paragraph(
      """
      A setup is everything that is heard and how it is played; a setlist is the order of a show. From an empty box to the
      first song:
      """)
    for (number, step) in show.enumerated() { page.item("\(number + 1).", step) }
    page.example(
      """
      pipit setlist 1
      entry setup 0 0 Night drive
      title Opening
      tempo 124
      notes Wait for the singer.
      entry setup 0 1 Slow one
      transpose -2
      snapshot B
      """)
    page.heading("Accounts")
    page.paragraph(
      """
      Commands talk to the running pipit over a Unix socket. Every account may run commands that only show something.
      Commands that change something are for root, the user that pipit runs as, and members of its group. The group of the
      installed service is pipit: run 'sudo adduser $USER pipit' and log in again. Members of this group can also read the
      presets, songs and recordings in \(Folders.installedState); other accounts cannot. OSC over UDP knows no accounts:
      every program on this machine and in the networks of the option 'allow' may change things.
      """)
    page.heading("Exit status")
    for status in ExitStatus.allCases { page.item("\(status.rawValue)", status.meaning) }
    page.heading("Signals")
    page.paragraph(
      """
      SIGTERM, SIGINT, SIGHUP and SIGQUIT stop pipit. It first writes saved presets to the disk and completes a recording.
      pipit ignores SIGUSR1, SIGUSR2 and SIGALRM. It reads its configuration only when it starts.
      """)
    page.heading("Environment")
    page.item("STATE_DIRECTORY", "Folder of the presets and the session, set by systemd.")
    page.item(
      "XDG_STATE_HOME",
      "Parent of the folder pipit with the presets, if STATE_DIRECTORY is not set. Default: $HOME/.local/state."
    )
    page.heading("Files")
    page.item(Configuration.defaultPath, "Configuration; see pipit.conf(5).")
    page.item(
      Configuration.folder(of: Configuration.defaultPath) + "/*.conf",
      "More configuration, read after that file. Later lines override earlier ones.")
    page.item(
      "/usr/share/doc/pipit/examples/pipit.conf", "Example configuration with every default.")
    page.item(
      Folders.installedState,
      "Your presets, the last session and known tablets, if pipit runs as a service.")
    page.item(
      Folders.tunings(Folders.installedState),
      "Scala files (.scl, .kbm) for /tuning; see pipit-osc(7).")
    page.item(
      Folders.songs(Folders.installedState),
      "MIDI files for /song/play and 'pipit play'; see pipit-osc(7).")
    page.item(
      Folders.installedState + "/pads", "Your own files that say what the pads of controllers do.")
    page.item(Folders.recordings(Folders.installedState), "Recordings.")
    page.item(
      Folders.installedState + "/backups",
      "The last five states that 'pipit restore' has replaced, as backups.")
    page.item(
      Folders.installedState + "/restored",
      "The configuration of the backup that was restored last, if it differs and pipit may not replace it.")
    page.item(Folders.installedPresets, "Factory presets.")
    page.item(Folders.installedLayouts, "Layouts for TouchOSC.")
    page.heading("See also")
    page.paragraph("pipit.conf(5), pipit-osc(7), aconnect(1), aplay(1)")
    return page.text
  }

  private static let common = ["help", "version"]

  /// `pipit.conf(5)`.
  static var configuration: String {
    var page = ManualPage("pipit.conf", 5, "configuration of the synthesizer pipit")
    page.heading("Description")
    page.paragraph(
      """
      'pipit serve' reads \(Configuration.defaultPath), or the file that --config names, when it starts. Each line sets an
      option of 'pipit serve', without dashes, as 'rate = 48000'. Options on the command line override the file. A # begins
      a comment.
      """)
    page.paragraph(
      """
      Then pipit reads the files in \(Configuration.folder(of: Configuration.defaultPath)) whose names end in .conf, in the
      order of their names. (For another configuration file, the folder is its name followed by .d.) Later lines override
      earlier ones. System images and other packages put their settings there.
      """)
    page.paragraph(
      """
      pipit ignores a wrong line and uses the others. The log, the tablet and 'pipit status' name the file and the line. pipit
      also ignores a file that it cannot read. If the wrong line may be 'allow', or a file cannot be read, pipit accepts OSC
      only from this machine until the fault is corrected.
      """)
    page.paragraph("After a change, restart the service: sudo systemctl restart pipit")
    page.heading("Names")
    for option in Configuration.rows {
      page.item("\(option.name) = \(option.placeholder ?? "")", option.sentence)
    }
    page.heading("Card, rate and period from the tablet")
    page.paragraph(
      """
      pipit stores a card, rate or period that is chosen over OSC with /card, /card/rate and /card/period (see
      pipit-osc(7)). The stored choice overrides device, rate and period. When you change one of these in the configuration
      or on the command line, pipit forgets the stored choice.
      """)
    page.heading("Parts on outputs of their own")
    page.paragraph(
      """
      If the card has more than two channels, parts can have outputs of their own. 'outputs = 1-2,1-2,3-4' plays parts 1 and
      2 on outputs 1 and 2, part 3 on outputs 3 and 4, and parts 4 to 8 on outputs 1 and 2. The master level applies to
      every pair, each pair has its own limiter, and all pairs stay in time. The master equalizer and recordings use outputs
      1 and 2 only. The click plays on outputs of its own if they are named last, as in 'outputs = 1-2,1-2,click=3-4', or by
      /click/output. If the card has too few channels, all parts play on outputs 1 and 2; the log and 'pipit status' report
      which outputs are used.
      """)
    page.heading("Example")
    page.example("# A USB sound card with low latency.\ndevice = hw:CARD=Device\nperiod = 64")
    page.paragraph("/usr/share/doc/pipit/examples/pipit.conf has every option with its default.")
    page.heading("See also")
    page.paragraph("pipit(1), pipit-osc(7)")
    return page.text
  }

  /// `pipit-osc(7)`.
  static var osc: String {
    var page = ManualPage("pipit-osc", 7, "OSC addresses of the synthesizer pipit")
    page.heading("Description")
    page.paragraph(
      """
      pipit receives OSC over UDP, on port 8000 unless pipit.conf(5) sets another. An address without a value is a query;
      the answer goes to the sender. Every host that sends a message receives all changes on port 9000.
      """)
    page.paragraph("A knob such as /filter/cutoff has up to three addresses:")
    page.item("/filter/cutoff 0.5", "Position of the fader, from 0 to 1.")
    page.item("/filter/cutoff/hz 1200", "Value in its unit, which is the last word of the address.")
    page.item("/filter/cutoff/text", "Value as text, for a label. pipit sends it and never takes it.")
    page.paragraph(
      """
      A knob with choices takes the number of a choice, from 0, or its name. An address means the part in focus;
      /part/3/filter/cutoff means part 3. Addresses that begin with /master exist once.
      """)
    page.heading("Tuning")
    page.paragraph(
      """
      Put Scala files into the folder tunings of the state folder, \(Folders.tunings(Folders.installedState)) for the
      service. '/tuning meantone' gives meantone.scl to the part in focus, '/part/3/tuning meantone' to part 3, and
      '/master/tuning meantone' to all parts. '/tuning equal' restores equal temperament.
      """)
    page.paragraph(
      """
      A keyboard mapping, meantone.kbm, says which key plays which degree, and gives the frequency of one key. '/tuning/map'
      chooses another mapping, also for equal temperament. Without a mapping, middle C plays the first degree at its usual
      pitch. /master/tune shifts every tuning; the frequency in a mapping applies at 440 Hz.
      """)
    page.paragraph(
      """
      Notes that sound are retuned at once. A key without a pitch is silent; if it is held during the change, it keeps its
      old pitch. If a file has an error, pipit names the line and changes nothing.
      """)
    page.heading("Songs")
    page.paragraph(
      """
      Put MIDI files into the folder songs of the state folder, \(Folders.songs(Folders.installedState)) for the service.
      '/song/play canon' plays canon.mid from its beginning, '/song/stop' stops it, '/song/play' without a name continues,
      and '/song/position 60' goes to the second minute. 'pipit play' plays files from other folders, and 'pipit songs
      import' puts files into the folder.
      """)
    page.paragraph(
      """
      For rehearsing, '/song/tempo/percent 70' plays a song slower, '/song/transpose -2' two semitones lower without its
      drums, and '/song/channel/4/mute 1' without its channel 4, at once. Another song begins as it is written. The page
      SONGS has all of it.
      """)
    page.paragraph(
      """
      A song that plays leads the beat: arpeggiators, synced LFOs and the click are in its time, and /tempo shows its
      tempos. It follows a device whose clock leads instead, and /tempo after '/clock/source own'. '/song/loop 1' repeats
      it.
      """)
    page.paragraph(
      """
      Program changes choose presets. If the song is for General MIDI or changes programs, each of its channels plays
      a part of its own until the song ends: the part that listens to this channel alone, or else the lowest free part,
      whether it is on or off. If all eight are taken, the song gets up to eight more parts, which only it plays.
      Keyboards play the same parts as before. When the song ends or is stopped, the parts listen to their own channels
      again, and sounds, pans and tempo are as before, except for what you have changed meanwhile. A song
      for pipit without program changes plays the parts that listen to its channels, as a keyboard does; 'pipit render
      --help' says which songs are.
      """)
    page.heading("Commands")
    for node in Node.commands {
      let part = node.isPerPart ? " Also for a part, as /part/1\(node.path)." : ""
      page.item(node.path, "\(node.about) Takes: \(node.takes).\(part)")
    }
    page.heading("Knobs")
    for row in Table.rows {
      let unit = row.kind.unit.map { "/" + $0.rawValue } ?? ""
      // The slots of the matrix are alike, and the list of targets is long.
      if row.address.hasPrefix("/mod/"), !row.address.hasPrefix("/mod/1/") {
        page.item(row.address + unit, "As that of slot 1.")
        continue
      }
      let controller = row.controller.map { " MIDI controller \($0)." } ?? ""
      page.item(
        row.address + unit,
        "\(row.about) \(row.kind.span), initially \(row.kind.exact(value: row.initial)).\(controller)")
    }
    page.heading("See also")
    page.paragraph("pipit(1), pipit.conf(5)")
    return page.text
  }
}

extension Option {
  /// The option as it is typed, such as `-o, --output OUT.wav`.
  var spelling: String {
    (letter.map { "-\($0), " } ?? "") + "--" + name + (placeholder.map { " " + $0 } ?? "")
  }

  /// The description and the default, as a sentence.
  var sentence: String {
    about.prefix(1).uppercased() + about.dropFirst() + (initial.map { " (default: \($0))" } ?? "") + "."
  }
}

extension Kind {
  /// The possible values in words: the names, or the range.
  var span: String {
    switch self {
    case .choice(let names): names.joined(separator: " ")
    case .names(let fixed, _): fixed.joined(separator: " ") + further
    case .toggle: "off on"
    default: "\(exact(value: range.lowerBound)) to \(exact(value: range.upperBound))"
    }
  }

  /// The words after the names of a choice that learns further ones.
  var further: String { if case .names = self { ", or a file of the folder wavetables" } else { "" } }
}

/// A manual page in roff, with the few `man` macros that the manual needs.
struct ManualPage {
  /// The page so far.
  private(set) var text: String

  /// Begins a page. It has the program's version and no date, so that a build is reproducible.
  init(_ name: String, _ section: Int, _ about: String) {
    text = ".TH \(name.uppercased()) \(section) \"\" \"pipit \(version)\"\n"
    heading("Name")
    text += "\(ManualPage.escaped(name)) \\- \(ManualPage.escaped(about))\n"
  }

  /// Begins a section.
  mutating func heading(_ words: String) { text += ".SH \(ManualPage.escaped(words.uppercased()))\n" }

  /// Begins a subsection.
  mutating func subheading(_ words: String) { text += ".SS \(ManualPage.escaped(words))\n" }

  /// The synopsis of a command.
  mutating func synopsis(_ command: String, _ arguments: String) {
    text += ".B \(ManualPage.escaped(command))\n" + ManualPage.lines(arguments)
  }

  /// A paragraph; its lines are joined and wrapped.
  mutating func paragraph(_ words: String) { text += ".PP\n" + ManualPage.lines(words) }

  /// A term and its description.
  mutating func item(_ term: String, _ words: String) {
    text += ".TP\n.B \(ManualPage.escaped(term))\n" + ManualPage.lines(words)
  }

  /// Lines that are not wrapped.
  mutating func example(_ lines: String) {
    text += ".PP\n.nf\n.RS\n" + ManualPage.lines(lines) + ".RE\n.fi\n"
  }

  private static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let words = escaped(String(line))
      // A dot or an apostrophe at the beginning of a line would be a roff request.
      return (words.hasPrefix(".") || words.hasPrefix("'") ? "\\&" : "") + words + "\n"
    }.joined()
  }

  private static func escaped(_ text: String) -> String {
    text.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : String($0) }.joined()
  }
}
