import Scenes

// The table of all commands.

extension Subcommand {
  static let serve = Subcommand(
    "serve",
    options: [
      "device", "rate", "period", "periods", "outputs", "mpe", "ump", "setup-channel", "setup-edits",
      "osc-port", "reply-port", "web-port", "web-names", "allow",
      "state", "presets", "recordings", "record-format", "record-last", "config",
    ],
    "Play: MIDI keyboards and OSC in, sound card out. The default command.",
    more: """
      Each option is also a line of the configuration file, as 'rate = 48000'.
      The command line overrides the file.
      """
  ) { try Serve.run($0) }

  /// All commands, in the order of the help.
  static let all: [Subcommand] = [
    serve,
    Subcommand(
      "render", "[SONG.mid]",
      options: [
        "output", "format", "rate", "block", "preset", "keys", "programs", "tuning", "mpe", "strict",
        "length", "presets", "state",
      ],
      "Render a MIDI file to a WAV file, as fast as the machine can.",
      more: """
        Without a song, --preset renders a phrase that suits the preset. The notes of a
        song sound as they are written; with --keys they are keys, and an arpeggiator, a
        sequence or a chord memory plays what they ask for, on the song's beats.

        Each channel with notes gets a part of its own, up to all sixteen; an MPE zone
        gets one part.

        Program changes choose presets by bank and number. In a song for General MIDI
        they choose the preset nearest to the General MIDI sound, and channel 10 plays
        drums. A song is for General MIDI unless it says that it is for pipit: by GM
        System Off, by a text event 'pipit', or by a program of a bank from 1 to 127 in
        controller 32 without notes on channel 10. --programs gm treats any song as
        General MIDI, --programs pipit none; the last line says what was chosen and why.

        The WAV file ends when the last note has faded. What still sounds 20 s after the
        end of the song is faded out. The song '-' is standard input, and '-o -' is
        standard output.

        A damaged file is played as far as it can be read. Standard error reports each
        kind of fault once, with its place, and the exit status is 0. The patterns of a
        format 2 file are played one after the other. A gap of more than a minute is
        cut to ten seconds unless --strict is given, and only the first hour is rendered
        unless --length asks for more, because a damaged file may seem to last for days.
        Standard error reports both.
        """
    ) { try Render.run($0) },
    Subcommand(
      "play", "SONG", options: ["programs", "strict", "osc-port", "config"],
      "Play a MIDI file on the running instrument.",
      more: """
        SONG is a file, '-' for standard input, or the name of a song in the folder
        'songs' of the running pipit's state folder or of pipit itself; the beginning of
        the name is enough. A file here comes before a song of that name. The command
        fails while another song plays.

        Program changes choose presets as in 'pipit render', and tempo changes set the
        tempo. If the song is for General MIDI or changes programs, each of its channels
        plays a part of its own until the song ends: the part that listens to this
        channel alone, or else the lowest free part. If there are more channels than
        parts, those that play last have parts that only songs use. Players have the
        eight parts meanwhile, in the sounds that the song gives them. A song for pipit
        without program changes plays the parts that listen to its channels, as a
        keyboard does.

        The command ends with the song. Interrupt it to stop the song. A gap of more
        than a minute is cut to ten seconds. Over OSC, /song/play plays songs by name.
        """
    ) { try Play.run($0) },
    Subcommand(
      "presets", "[ACTION [NAME]...]", takes: 0...1_000,
      options: ["bank", "wide", "output", "state", "presets", "osc-port", "config"],
      "List, find and describe presets, or rename, delete, export and import them.",
      more: """
        search WORD...    list the presets that match all words, the best first
        show NAME [AGE]   print the text of a preset, or of an earlier version
        rename NAME NEW   rename one of your presets
        tag NAME TAG...   set the tags; '+soft' adds one, '-- -soft' removes one
        favorite NAME [off]  mark a preset as a favorite, or no longer
        describe NAME FIELD [WORD...]  set the category, author or about
        move NAME PLACE   move one of your presets to BANK/PROGRAM, or exchange two
        delete NAME       move one of your presets to the trash
        restore [NAME]    bring a preset back; without a name, list the trash
        versions NAME     list the earlier versions of one of your presets
        diff NAME AGE [AGE]  show what differs from a version, or between two
        bring NAME AGE    bring back an earlier version
        export [NAME]...  print the named presets, or all of yours; -o FILE writes them
        import FILE...    save the presets in files, '-' for standard input; a file
                          may be a preset or a bank of amsynth

        search looks for words in names, categories, authors and tags. tag:soft,
        category:pads, author:pipit and name:glass look in one of these; favorite finds
        your favorites.

        NAME is a name, its beginning, or BANK/PROGRAM. Write '=1/4' for a preset whose
        name looks like a place. A preset has at most \(Limits.presetBytes / 1_024) KiB, not counting its name and
        slot lines.

        The command asks the running pipit. When none runs, it opens the database that
        pipit would use. The exit status is 1 when a preset cannot be read; the list
        shows which.

        --bank gm lists the programs of General MIDI, numbered from 1, with the factory
        presets that play them, and the drum kit of channel 10.
        """
    ) { try PresetsCommand.run($0) },
    Subcommand(
      "setups", "[ACTION [NAME]...]", takes: 0...1_000,
      options: ["wide", "output", "state", "presets", "osc-port", "config"],
      "List setups, or recall, rename, describe, delete, export and import them.",
      more: """
        recall NAME       recall a setup; pipit must run
        save [NAME]       save everything as it is in the setup, or as one of a name
        show NAME         print the text of a setup
        rename NAME NEW   rename a setup
        move NAME NUMBER  give a setup another number, or exchange two
        describe NAME FIELD [WORD...]  set the category, the notes, or what a recall
                          leaves alone: keep tempo, mixer, tuning, part 3
        delete NAME       move a setup to the trash
        restore [NAME]    bring a setup back; without a name, list the trash
        versions NAME     list the earlier versions of a setup
        bring NAME AGE    bring back an earlier version
        export [NAME]...  print the named setups, or all of them; -o FILE writes them
        import FILE...    save the setups in files, '-' for standard input

        NAME is a name, its beginning, or a number. A setup holds each part's whole
        sound, how it is played and mixed, the tempo and the master equalizer. With the
        option setup-channel, a program change on that channel recalls the setup of
        that number.

        The command asks the running pipit. When none runs, it opens the database that
        pipit would use.
        """
    ) { try ShowCommand.setups.run($0) },
    Subcommand(
      "setlists", "[ACTION [NAME]...]", takes: 0...1_000,
      options: ["wide", "output", "state", "presets", "osc-port", "config"],
      "List setlists, or choose, rename, delete, export and import them.",
      more: """
        load NAME         choose a setlist; pipit must run
        show NAME         print the text of a setlist
        rename NAME NEW   rename a setlist
        delete NAME       move a setlist to the trash
        restore [NAME]    bring a setlist back; without a name, list the trash
        versions NAME     list the earlier versions of a setlist
        bring NAME AGE    bring back an earlier version
        export [NAME]...  print the named setlists, or all; -o FILE writes them
        import FILE...    save the setlists in files, '-' for standard input

        NAME is a name, its beginning, or a number. A setlist is a text: after the line
        'pipit setlist 1', each entry begins with a line such as
        'entry setup 0 3 Night drive' or 'entry preset 1 5 Glass', and may be followed
        by lines with title, transpose, tempo, snapshot, notes, color and skip.
        """
    ) { try ShowCommand.setlists.run($0) },
    Subcommand(
      "parameters", options: ["wide", "markdown"], "List the knobs: OSC address, unit, range, controller."
    ) {
      try Lists.parameters($0)
    },
    Subcommand(
      "layout", options: ["output", "size", "light", "reply-port"],
      "Write the front panel for TouchOSC on a tablet or a phone.",
      more: """
        Send the file to the tablet, for example by mail, and open it in TouchOSC.
        Its button CONNECT tells pipit the reply port, where the tablet listens.
        """
    ) { try Layouts.run($0) },
    Subcommand(
      "qr", "[TEXT]", options: ["name", "web-port", "config"],
      "Show the address of pipit's page, or a text, as a QR code.",
      more: """
        A phone or tablet in the same network opens the page when its camera sees the
        code. Below the code, the address is written with the number of this machine and
        with its name. The number may change; --name shows a code for a sticker.
        With TEXT, the code has that text instead.
        """
    ) { try QRCommand.run($0) },
    Subcommand(
      "update", "FILE|back", options: [],
      "Update the system on a card with pipit's image.",
      more: """
        FILE is the .update file of a newer image. It is written beside the running
        system and starts at the next boot; the plug may be pulled at any moment.
        Settings, presets and recordings stay. 'pipit update back' starts the system
        before the last update again. For root, on a box whose image was signed.
        """
    ) { try UpdateCommand.run($0) },
    Subcommand(
      "reference", "PAGE", options: [],
      "Print a manual page, an example configuration or shell completions.",
      more: """
        Pages: pipit.1, pipit.conf.5, pipit-osc.7 (manual), pipit.conf,
        pipit.bash, pipit.zsh, pipit.fish (completions), commands.md (OSC).
        """
    ) { try Reference.run($0) },
    Subcommand(
      "status", options: ["values", "osc-port", "config"], "Show the state of the running instrument.",
      more: """
        The exit status is 0 when all is well, 1 when something is wrong, and 3 when no
        pipit answers.
        """
    ) { try Status.run($0) },
    Subcommand(
      "devices", "[ACTION NAME...]", takes: 0...4, options: ["wide", "osc-port", "config"],
      "List sound cards and keyboards, or change how a keyboard is used.",
      more: """
        pipit plays on the first card that is not marked 'no', unless --device names
        another. To choose a card while pipit runs, send its name to /card over OSC.

        allow NAME            play this keyboard, or this DAW port, which is not played
                              otherwise
        deny NAME             do not play this keyboard
        set NAME mpe VALUE    MPE zones: auto (the keyboard tells), off, lower
        set NAME parts VALUE  parts that hear it: 1,3 or 2:1,3 10:- or auto
        set NAME clock VALUE  on: the tempo follows its clock
        set NAME clock-out VALUE  on: it is sent the clock of the beat
        set NAME feedback VALUE  on: its lamps follow the knobs that it is bound to
        set NAME pads VALUE   off: its pads play notes, whatever a file says
        forget NAME           forget a keyboard that is not plugged in

        NAME is a name, its beginning, or the number in the list. pipit recognises a
        keyboard after a restart or replug by model and serial number, else by model
        and socket, else by name.
        """
    ) { try DevicesCommand.run($0) },
    Subcommand(
      "bindings", "[ACTION WORD...]", takes: 0...4, options: ["wide", "osc-port", "config"],
      "List or change what the controls of keyboards move.",
      more: """
        To bind a control, press LEARN on the tablet, touch a fader, then turn the knob
        of the keyboard. Built-in bindings of controllers have no number.

        add DEVICE LINE        bind, as by 'cc 21 any pickup 0 1 7 /filter/cutoff':
                               kind, number, channel, mode, low, high, bits, address;
                               DEVICE is a name, a number of 'pipit devices', or any
        set NUMBER mode MODE   jump, pickup or scale; twos, offset, sign or signreversed
                               for an endless knob; toggle, cycle or press for a button
        set NUMBER low X       low end of the range, 0 to 1; above high to reverse it
        set NUMBER high X      high end of the range
        set NUMBER channel N   1 to 16, or any
        remove NUMBER          remove a binding
        """
    ) { try BindingsCommand.run($0) },
    Subcommand(
      "volume", "[dB]", options: ["osc-port", "config"],
      "Show or set the sound card's own volume in decibels, 0 for full level.",
      more: """
        The command asks the running instrument. When none runs, it uses the first card
        of 'pipit devices'. The card takes the nearest level that is not louder.
        """
    ) { try Volume.run($0) },
    Subcommand(
      "latency", options: ["device", "input", "rate", "period", "periods", "config"],
      "Measure the time from a key to its sound.",
      more: """
        Connect the card's output to its input with a cable. The command plays twenty
        notes and records them. It needs the card alone, so stop a pipit that plays on
        it. Turn down speakers and headphones first.
        """
    ) { try Latency.run($0) },
    Subcommand(
      "record", "start|stop|last", options: ["osc-port", "config"],
      "Record the output of the running instrument to a file.",
      more: """
        start   begins a recording and prints the name of its file
        stop    ends it, waits until the file is complete, and prints its name
        last    saves the last seconds, as many as the option record-last keeps

        Files are named by date. They are in the folder 'recordings' of the state
        folder, or in that of the option recordings. An unfinished file ends in '.part'.
        After a power cut, the next start completes it with everything up to about the
        last second. Recording needs the package libsndfile1, which apt installs with
        pipit.
        """
    ) { try Record.run($0) },
    Subcommand(
      "songs", "[ACTION [NAME]...]", takes: 0...1_000,
      options: ["wide", "output", "state", "presets", "osc-port", "config"],
      "List the songs, or rename, delete, import and export them.",
      more: """
        rename NAME NEW   rename a song
        delete NAME       move a song to the trash
        restore [NAME]    bring a song back; without a name, list the trash
        empty             delete the songs in the trash for ever
        import FILE...    save MIDI files as songs
        export NAME       write a song to -o FILE

        NAME is a name, with or without .mid, or its beginning. A file is imported under
        its own name; a song of that name moves to the trash. The command asks the
        running pipit. When none runs, it uses the folder that pipit would use.
        """
    ) { try FilesCommand.songs.run($0) },
    Subcommand(
      "recordings", "[ACTION [NAME]...]", takes: 0...3,
      options: ["wide", "state", "recordings", "osc-port", "config"],
      "List the recordings, or rename and delete them.",
      more: """
        rename NAME NEW   rename a recording
        delete NAME       move a recording to the trash
        restore [NAME]    bring a recording back; without a name, list the trash
        empty             delete the recordings in the trash for ever, which frees space

        NAME is a name or its beginning.
        """
    ) { try FilesCommand.recordings.run($0) },
    Subcommand(
      "backup", "[FILE]", options: ["state", "osc-port", "config"],
      "Write one file that holds the whole box.",
      more: """
        The file holds your presets with their versions and the trash, the session,
        devices, bindings, tunings, wavetables, songs, pads and the configuration; not
        the recordings and the factory presets. It is a .tar.gz file, which any computer
        opens. Without FILE, its name has the machine and the date; '-' is standard
        output.

        The command asks the running pipit, which plays on. When none runs, it reads the
        folder that pipit would use. 'pipit restore FILE' restores the box.
        """
    ) { try BackupCommand.backup($0) },
    Subcommand(
      "restore", "FILE", options: ["state", "osc-port", "config"],
      "Restore a backup, on a new box or over a used one.",
      more: """
        The file is checked as a whole before anything changes. Then the presets, the
        session, devices, bindings, songs, tunings, wavetables and pads are those of the
        backup. Earlier presets and files go to the trash or become earlier versions,
        and a backup of the earlier state is kept in the folder 'backups' of the state
        folder.

        The configuration is replaced if the command may write it, as with sudo; the
        files before get the ending '.before'. Otherwise it is laid into the folder
        'restored' of the state folder. It takes effect when pipit is restarted.

        The running pipit plays on with the restored session.
        """
    ) { try BackupCommand.restore($0) },
    Subcommand(
      "doctor", options: ["config", "state", "osc-port", "report"],
      "Check this machine, and say what to improve.",
      more: """
        Each line begins with fail, warn or ok; the most urgent comes first. The exit
        status is 1 when a check fails:

          - pipit does not run
          - there is no sound card
          - a line of the configuration cannot be read
          - presets cannot be stored
          - the audio thread has no real-time priority
          - one block in a thousand or more was late, the last within a minute

        With --report, the checks go into a text file that you can send with a question,
        beside the board, the kernel, the cards, the configuration, and the load, the
        latency and the late blocks of the running pipit over a minute. It does not name
        the machine. Read it before you send it.
        """
    ) { try Doctor.run($0) },
  ]
}
