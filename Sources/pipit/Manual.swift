import Parameters
import Surface
import Synth
import System

/// The manual pages, made from the tables of commands, options, knobs and addresses.
enum Manual {
  /// The paragraphs of a text, which have an empty line between them.
  private static func paragraphs(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).split { $0.isEmpty }
      .map { $0.joined(separator: "\n") }
  }

  /// `pipit(1)`.
  static var program: String {
    var page = ManualPage("pipit", 1, "synthesizer that MIDI keyboards play and a tablet turns over OSC")
    page.heading("Synopsis")
    page.synopsis("pipit", "[COMMAND] [OPTION]...")
    page.heading("Description")
    page.paragraph(
      """
      pipit makes a polyphonic synthesizer of a small computer without a screen. Every MIDI keyboard that is
      plugged in plays it, a sound card sounds it, and a tablet that speaks OSC is its front panel. Sounds are
      kept as presets and recalled without disturbing what is sounding.
      """)
    page.paragraph(
      """
      Without a command it plays. Installed as a package it is a service of the system, which starts when the
      machine does: see FILES for its configuration, and 'pipit doctor' for what to set on the machine.
      """)
    page.heading("Commands")
    for command in Subcommand.all {
      page.subheading("pipit " + [command.name, command.operand].compactMap { $0 }.joined(separator: " "))
      page.paragraph(command.about)
      for lines in paragraphs(command.more) {
        // What stands in columns stays in them.
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
      The front panel is a layout for TouchOSC. The package brings two of them in \(Folders.installedLayouts):
      pipit.tosc for a tablet of ten inches, pipit-phone.tosc for a phone; 'pipit layout' writes them anew. Send the
      file by mail, or serve it to the tablet's browser, which fetches it at port 8080 of this machine:
      """)
    page.example("python3 -m http.server -d \(Folders.installedLayouts) 8080")
    page.paragraph(
      """
      Open it in TouchOSC. In its connections, under OSC, choose UDP, as host the address that 'pipit status' shows,
      send port 8000 and receive port 9000. Play the layout and press CONNECT: everything moves to where it stands.
      """)
    page.heading("Accounts")
    page.paragraph(
      """
      Commands ask the running pipit by a socket of its own. Every account may ask what there is; what changes something
      needs the rights of the user that pipit runs as: that user, root, or a member of its group. For the installed
      service the group is pipit: sudo adduser $USER pipit, and log in again. Its members also read the presets, songs
      and recordings in \(Folders.installedState), which is closed to all others. OSC over UDP knows no accounts: whom the
      option 'allow' lets in may change things, programs of this machine among them.
      """)
    page.heading("Exit status")
    for status in ExitStatus.allCases { page.item("\(status.rawValue)", status.meaning) }
    page.heading("Signals")
    page.paragraph(
      """
      SIGTERM, SIGINT, SIGHUP and SIGQUIT end the instrument cleanly: what was saved is on the disk, and a recording is
      whole. It ignores SIGUSR1, SIGUSR2 and SIGALRM. A change of its configuration takes effect when it is started anew.
      """)
    page.heading("Environment")
    page.item("STATE_DIRECTORY", "The folder of the presets, set by the service manager.")
    page.item(
      "XDG_STATE_HOME", "Else the folder that holds a folder pipit of presets; $HOME/.local/state if unset.")
    page.heading("Files")
    page.item(Configuration.defaultPath, "The configuration; see pipit.conf(5).")
    page.item(
      Configuration.folder(of: Configuration.defaultPath) + "/*.conf",
      "More of it, read after that file; later lines count.")
    page.item(
      "/usr/share/doc/pipit/examples/pipit.conf", "A configuration of which each line is a default.")
    page.item(
      Folders.installedState,
      "Your presets, the last session and the tablets that saw it, when pipit is a service.")
    page.item(
      Folders.tunings(Folders.installedState),
      "Scala files, .scl and .kbm, that /tuning chooses from by name; see pipit-osc(7).")
    page.item(
      Folders.songs(Folders.installedState),
      "MIDI files that /song/play chooses from by name; see pipit-osc(7).")
    page.item(Folders.recordings(Folders.installedState), "What was recorded.")
    page.item(Folders.installedPresets, "The factory presets.")
    page.item(Folders.installedLayouts, "The layouts for TouchOSC.")
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
      \(Configuration.defaultPath) is read when 'pipit serve' starts, and another file when --config names one.
      Each line is an option of 'pipit serve' without its dashes, as 'rate = 48000'. What the command line
      says wins over the file, and a line that is not there leaves the default. A # begins a comment.
      """)
    page.paragraph(
      """
      Then the files in \(Configuration.folder(of: Configuration.defaultPath)) whose names end in .conf are read, in the
      order of their names (the folder of another file is its name and .d). Of two lines with one name the later one
      counts. Settings that an image or another package brings belong there.
      """)
    page.paragraph(
      """
      A line that is wrong is left out, and the rest holds; the log, the tablet and 'pipit status' name the file and the
      line. A file that cannot be read is left out too, and pipit plays. Where a line that is wrong may be that of 'allow', and
      where a file cannot be read, nobody but the machine itself may send OSC until that is corrected. A change takes
      effect when the service is restarted: sudo systemctl restart pipit
      """)
    page.heading("Names")
    for option in Configuration.rows {
      page.item("\(option.name) = \(option.placeholder ?? "")", option.sentence)
    }
    page.heading("Card, rate and period from the tablet")
    page.paragraph(
      """
      What is chosen by /card, /card/rate and /card/period while pipit plays (pipit-osc(7)) is remembered. Whoever spoke
      last wins: it holds until device, rate or period here, or on the command line, is another than at the last start.
      """)
    page.heading("Parts on outputs of their own")
    page.paragraph(
      """
      On a card of more than two channels 'outputs = 1-2,1-2,3-4' plays the parts 1 and 2 on the outputs 1 and 2, the part
      3 on the outputs 3 and 4, and all that follow on 1 and 2 again. Each pair has the master level and a limiter of its
      own and they stay in time with one another; the equalizer is the first pair's, and a recording has the outputs 1 and
      2 alone. On a card with fewer channels all parts play on 1 and 2; the log and 'pipit status' say which it is.
      """)
    page.heading("Example")
    page.example("# A USB sound card, in small pieces.\ndevice = hw:CARD=Device\nperiod = 64")
    page.paragraph("/usr/share/doc/pipit/examples/pipit.conf has every line, with its default.")
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
      pipit receives OSC over UDP, on port 8000 unless pipit.conf(5) says otherwise. An address without a value is a
      query, and the answer goes to its sender. Whoever sends anything is sent all changes, on port 9000.
      """)
    page.paragraph("A knob such as /filter/cutoff has up to three addresses:")
    page.item("/filter/cutoff 0.5", "Its position from 0 to 1, which is what a fader sends.")
    page.item("/filter/cutoff/hz 1200", "Its value in its unit, which is the last word of the address.")
    page.item("/filter/cutoff/text", "Its value as text, for a label; sent, never received.")
    page.paragraph(
      """
      Where a knob is a choice, its address takes the number, from 0, or the name. Addresses mean the part in focus;
      /part/3/filter/cutoff names one of the eight. Those that begin with /master exist once.
      """)
    page.heading("Tuning")
    page.paragraph(
      """
      Scala files go into the folder tunings of the state folder, \(Folders.tunings(Folders.installedState)) for the
      service. '/tuning meantone' gives meantone.scl to the part in focus, '/part/3/tuning meantone' to one that is named,
      '/master/tuning meantone' to all, and 'equal' takes it away again. A file meantone.kbm says which key plays which
      degree, and at which frequency; '/tuning/map' chooses another, also for equal temperament. Without one, middle C is
      the first degree, at the pitch that it always has. What sounds is retuned at once; a key without a pitch sounds
      nothing, and one that is held keeps the pitch that it had. What is wrong in a file is said by its line, and nothing
      changes. /master/tune moves all of it: the frequency that a mapping gives is the one at 440 Hz.
      """)
    page.heading("Songs")
    page.paragraph(
      """
      MIDI files go into the folder songs of the state folder, \(Folders.songs(Folders.installedState)) for the service.
      '/song/play canon' plays canon.mid from its beginning; '/song/stop' stops it, '/song/play' without a name goes on
      from there, and '/song/position 60' goes to the second minute. Programs choose presets, and tempos set /tempo. While a
      song that has programs is played, each of its channels plays a part of its own: the one that answers to this channel
      alone, or else the lowest that is left, be it on or off; a notice says which are not played. What keyboards play stays
      as it is, and after the song no part answers to other channels than before. A song without programs plays the parts
      that answer to its channels, as a keyboard does. 'pipit play' plays a file that lies elsewhere.
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
        "\(row.about) \(row.kind.span), at first \(row.kind.exact(value: row.initial)).\(controller)")
    }
    page.heading("See also")
    page.paragraph("pipit(1), pipit.conf(5)")
    return page.text
  }
}

extension Option {
  /// The option as it is written, as `-o, --output OUT.wav`.
  var spelling: String {
    (letter.map { "-\($0), " } ?? "") + "--" + name + (placeholder.map { " " + $0 } ?? "")
  }

  /// What it does and what holds without it, as a sentence.
  var sentence: String {
    about.prefix(1).uppercased() + about.dropFirst() + (initial.map { " (default: \($0))" } ?? "") + "."
  }
}

extension Kind {
  /// The values that there are, in words: the names, or the range.
  var span: String {
    switch self {
    case .choice(let names): names.joined(separator: " ")
    case .toggle: "off on"
    default: "\(exact(value: range.lowerBound)) to \(exact(value: range.upperBound))"
    }
  }
}
