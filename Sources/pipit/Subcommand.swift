/// A command of the program. Parsing, help, the configuration file, completion and the manual come from this table.
struct Subcommand: Sendable {
  let name: String
  /// What it takes besides options, as the help shows it.
  let operand: String?
  /// How many of those it takes.
  let operands: ClosedRange<Int>
  let options: [String]
  let about: String
  /// Further lines of its help page.
  let more: String
  let run: @Sendable (CommandArguments) throws -> Void

  static let serve = Subcommand(
    "serve",
    options: [
      "device", "rate", "period", "periods", "outputs", "mpe", "ump", "osc-port", "reply-port", "allow",
      "state", "presets", "recordings", "record-format", "record-last", "config",
    ],
    "Play: MIDI keyboards and OSC in, a sound card out. The default command.",
    more: """
      Each option is also a line of the configuration file, as 'rate = 48000'.
      The command line wins over the file.
      """
  ) { try Serve.run($0) }

  /// All commands, in the order of the help.
  static let all: [Subcommand] = [
    serve,
    Subcommand(
      "render", "[SONG.mid]",
      options: [
        "output", "format", "rate", "block", "preset", "programs", "tuning", "mpe", "strict", "length",
        "presets", "state",
      ],
      "Play a MIDI file into a WAV file, as fast as it can.",
      more: """
        Without a song, --preset plays a phrase that suits the preset's category.

        Each channel with notes gets a part of its own, an MPE zone as one. There are
        eight parts: of more channels those that play first have one. A line on
        standard error says which are not played.

        Programs choose presets by bank and number. In a song for General MIDI they
        are its programs, each played by the preset nearest to it, and channel 10 plays
        drums. Such a song says GM System On, or GS or XG; or it says nothing and has
        programs without selecting a bank (controller 0 or 32) before them, or has
        notes on channel 10 beside them. --programs gm does so in any song, --programs
        pipit in none.

        The file ends when the last note has faded. A song of - is read from standard
        input, and -o - writes to standard output.

        A file that is damaged, or otherwise than the standard has it, is played as
        far as it can be read; a line on standard error says what could not, once for
        each kind and with its place, and the exit status is 0. The patterns of a file
        of format 2 are played one after the other. More than a minute without a
        message becomes ten seconds, unless --strict is given, and of a song that
        lasts longer than an hour the first is rendered, unless --length asks for
        more: a damaged file would make days of it. Lines say so.
        """
    ) { try Render.run($0) },
    Subcommand(
      "play", "SONG", options: ["programs", "strict", "osc-port", "config"],
      "Have the running instrument play a MIDI file.",
      more: """
        SONG is a file, or the name of a song, or its beginning, among those in 'songs'
        of the state folder and those that come with pipit. A song of - is read from
        standard input. While another song is played it is refused.

        Programs choose presets as in 'pipit render', tempos set the tempo. Each channel
        of a song that has programs plays a part of its own for as long as the song is
        played: the one that answers to this channel alone, or else the lowest that is
        left. A song without programs plays the parts that answer to its channels, as a
        keyboard does. Ends with the song; interrupted, it stops the song. More than a
        minute without a message becomes ten seconds, as in 'pipit render'. /song/play
        over OSC plays songs by their names too.
        """
    ) { try Play.run($0) },
    Subcommand(
      "presets", "[ACTION [NAME]...]", takes: 0...1_000,
      options: ["bank", "wide", "output", "state", "presets", "osc-port", "config"],
      "List the presets: bank, program, name and origin, or keep them in order.",
      more: """
        show NAME         print the text of a preset
        rename NAME NEW   give one of yours another name
        delete NAME       move one of yours to the trash
        restore [NAME]    bring it back; without a name, list the trash
        export [NAME]...  print the named presets, or all of yours; -o FILE writes them
        import FILE...    save the presets in files, '-' for standard input

        A name may be its beginning, or BANK/PROGRAM. That is always a place: a preset
        whose name looks like one is written with = before it, as '=1/4'. A preset has
        at most 64 KiB, without the lines of its name and its place.

        The running pipit is asked, and the database that it would use when none runs.
        The exit status is 1 when one of the presets cannot be read; the list says
        which.

        --bank gm lists the programs of General MIDI, numbered from 1 as it does, and
        the factory presets that play them; of the drums that which plays channel 10.
        """
    ) { try PresetsCommand.run($0) },
    Subcommand(
      "parameters", options: ["wide", "markdown"], "List the knobs: OSC address, unit, range, controller."
    ) {
      try Lists.parameters($0)
    },
    Subcommand(
      "layout", options: ["output", "size", "reply-port"],
      "Write the front panel for TouchOSC on a tablet or a phone.",
      more: """
        Send the file to the tablet, for example by mail, and open it in TouchOSC.
        CONNECT sends the reply port, which is where the tablet listens.
        """
    ) { try Layouts.run($0) },
    Subcommand(
      "reference", "PAGE", options: [],
      "Print a page of the manual, an example of a configuration or shell completions.",
      more: """
        Pages: pipit.1, pipit.conf.5, pipit-osc.7 (manual), pipit.conf,
        pipit.bash, pipit.zsh, pipit.fish (completions), commands.md (OSC).
        """
    ) { try Reference.run($0) },
    Subcommand(
      "status", options: ["values", "osc-port", "config"], "Ask the running instrument how it is.",
      more: """
        The exit status is 0 when all is well, 1 when something is wrong, and 3 when
        no pipit answers.
        """
    ) { try Status.run($0) },
    Subcommand(
      "devices", "[ACTION NAME...]", takes: 0...4, options: ["wide", "osc-port", "config"],
      "List the sound cards and the keyboards, or set what is done with a keyboard.",
      more: """
        The first card that is not marked 'no' is played on, unless --device names
        another. Choose one while pipit runs by sending its name to /card over OSC.

        allow NAME            play a keyboard, or a port for a DAW, which are left alone
        deny NAME             leave it alone
        set NAME mpe VALUE    its channels are zones: auto (it says so), off, lower
        set NAME parts VALUE  the parts that hear it: 1,3 or 2:1,3 10:- or auto
        set NAME clock VALUE  on: the tempo follows its clock
        set NAME feedback VALUE  on: its lamps show what its controllers move
        forget NAME           forget one that is not there

        A name may be its beginning, or the number in the list. What is set is known
        again after a plug and a start: by model and serial number, else by model and
        socket, else by name.
        """
    ) { try DevicesCommand.run($0) },
    Subcommand(
      "bindings", "[ACTION WORD...]", takes: 0...4, options: ["wide", "osc-port", "config"],
      "List what the controls of keyboards move, or change it.",
      more: """
        LEARN on the tablet binds a control: touch a fader, then turn a knob.
        What controllers move that are bound to nothing is built in, and has no number.

        add DEVICE LINE        bind, as by 'cc 21 any pickup 0 1 7 /filter/cutoff':
                               kind, number, channel, mode, low, high, bits, address;
                               the device is a name, a number of 'pipit devices' or any
        set NUMBER mode MODE   jump, pickup or scale; twos, offset, sign or signreversed
                               for an endless knob; toggle, cycle or press for a button
        set NUMBER low WAY     where the way begins, 0 to 1; above high to turn it round
        set NUMBER high WAY    where it ends
        set NUMBER channel N   1 to 16, or any
        remove NUMBER          remove one
        """
    ) { try BindingsCommand.run($0) },
    Subcommand(
      "volume", "[dB]", options: ["osc-port", "config"],
      "Show or set the sound card's own volume in decibels, 0 for full level.",
      more: """
        It is asked of the running instrument; when none runs, of the first card of
        'pipit devices'. The card takes the nearest level that is not louder.
        """
    ) { try Volume.run($0) },
    Subcommand(
      "latency", options: ["device", "input", "rate", "period", "periods", "config"],
      "Measure how long it takes from a key to the sound.",
      more: """
        Takes a cable from the card's output to its input, which hears twenty notes,
        and the card to itself: stop a pipit that plays on it. Turn what is connected
        to the card down first.
        """
    ) { try Latency.run($0) },
    Subcommand(
      "record", "start|stop|last", options: ["osc-port", "config"],
      "Write what is heard into a file, through the running instrument.",
      more: """
        The files lie in 'recordings' of the state folder, named by the date, unless
        the option recordings says otherwise. 'last' writes what was just heard, as
        many seconds as record-last keeps. 'start' names the file; 'stop' and 'last'
        wait until it is whole, and name it. Until then its name ends in '.part'; after a
        power cut the next start makes of it a whole file with what was written, up to
        about the last second. Needs libsndfile1, which apt installs along.
        """
    ) { try Record.run($0) },
    Subcommand(
      "doctor", options: ["config", "state", "osc-port"],
      "Look at what matters on this machine, and say what to do.",
      more: """
        Each line begins with fail, warn or ok, and what to do first comes first. The
        exit status is 1 when something fails: pipit does not run, there is no sound
        card, a line of the configuration cannot be read, presets are not kept, the
        audio thread may not go first, or at least one block in a thousand comes too
        late, the last within a minute.
        """
    ) { try Doctor.run($0) },
  ]

  private init(
    _ name: String, _ operand: String? = nil, takes operands: ClosedRange<Int>? = nil, options: [String],
    _ about: String, more: String = "",
    run: @escaping @Sendable (CommandArguments) throws -> Void
  ) {
    self.name = name
    self.operand = operand
    let most = operand == nil ? 0 : 1
    self.operands = operands ?? (operand?.hasPrefix("[") ?? true ? 0 : 1)...most
    self.options = options + ["help", "version"]
    self.about = about
    self.more = more
    self.run = run
  }

  /// The rows of its options.
  var rows: [Option] { options.compactMap { name in Option.all.first { $0.name == name } } }
}
