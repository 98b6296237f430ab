import Glibc
import Scenes
import Scratch
import Testing
@testable import pipit

@Suite("The command line")
struct CommandLineTests {
  static let commands = Subcommand.all.map { $0.name }

  @Test("shows its help and its version on standard output, and that is no error")
  func help() {
    for words in [["--help"], ["-h"], ["help"], ["--rate", "44100", "-h"]] {
      let run = Run(words)
      #expect(run.status == 0 && run.errors.isEmpty, "\(words)")
      #expect(run.output.hasPrefix("Usage: pipit [COMMAND] [OPTION]...\n"))
      for command in Self.commands { #expect(run.output.contains("\n  \(command)")) }
    }
    for words in [["--version"], ["-V"], ["render", "--version"]] {
      let run = Run(words)
      #expect(run.status == 0 && run.errors.isEmpty)
      #expect(run.output.hasPrefix("pipit ") && run.output.split(separator: ".").count == 3)
    }
  }

  @Test("has a help page for each command, in 80 columns", arguments: commands)
  func pages(command: String) {
    let page = Run([command, "--help"])
    #expect(page.status == 0 && page.errors.isEmpty)
    #expect(page.output.hasPrefix("Usage: pipit \(command) [OPTION]..."))
    #expect(page.output.contains("-h, --help") && page.output.contains("-V, --version"))
    #expect(Run(["help", command]).output == page.output)
    for line in page.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test(
    "says what is wrong and how to find help, with status 2",
    arguments: [
      (["--fo"], "pipit: unknown option '--fo'; try 'pipit --help'\n"),
      (["-x"], "pipit: unknown option '-x'; try 'pipit --help'\n"),
      (["--rat=1"], "pipit: unknown option '--rat' (did you mean '--rate'?); try 'pipit --help'\n"),
      (["rendr"], "pipit: unknown command 'rendr' (did you mean 'render'?); try 'pipit --help'\n"),
      (["help", "xyzzy"], "pipit: unknown command 'xyzzy'; try 'pipit --help'\n"),
      (["parameters", "a"], "pipit: parameters: unexpected argument 'a'; try 'pipit parameters --help'\n"),
      (["presets", "a"], "pipit: presets: unknown action 'a'; try 'pipit presets --help'\n"),
      (
        ["presets", "exprt"],
        "pipit: presets: unknown action 'exprt' (did you mean 'export'?); try 'pipit presets --help'\n"
      ),
      (
        ["presets", "rename", "a"],
        "pipit: presets: 'rename' takes a preset and its new name; try 'pipit presets --help'\n"
      ),
      (["serve", "--rate"], "pipit: serve: option '--rate' needs a value; try 'pipit serve --help'\n"),
      (["--rate", "5"], "pipit: --rate must be a whole number from 22050 to 192000, not '5'\n"),
      (["--period=99999"], "pipit: --period must be a whole number from 16 to 8192, not '99999'\n"),
      (["--osc-port=http"], "pipit: --osc-port must be a whole number from 1 to 65535, not 'http'\n"),
      (
        ["--outputs", "1-2,2-3"],
        "pipit: --outputs must be 1-2, 3-4, 5-6, 7-8 for each part from the first on, 8 at most, as 1-2,1-2,3-4, not '1-2,2-3'\n"
      ),
      (["--device="], "pipit: --device must not be empty\n"),
      (["render"], "pipit: render: SONG.mid is missing; try 'pipit render --help'\n"),
      (
        ["render", "a.mid"],
        "pipit: render: no file to write is named, use -o OUT.wav; try 'pipit render --help'\n"
      ),
      (
        ["layout"], "pipit: layout: no file to write is named, use -o pipit.tosc; try 'pipit layout --help'\n"
      ),
      (["layout", "--size", "watch"], "pipit: layout: --size must be tablet, phone, not 'watch'\n"),
      (
        ["render", "--format", "mp3", "a.mid"],
        "pipit: render: --format must be s16, s24, f32, not 'mp3'\n"
      ),
      (
        ["parameters", "--markdown=yes"],
        "pipit: parameters: option '--markdown' takes no value; try 'pipit parameters --help'\n"
      ),
    ])
  func wrong(words: [String], sentence: String) {
    let run = Run(words)
    #expect(run.errors == sentence)
    #expect(run.status == 2 && run.output.isEmpty)
  }

  @Test("takes options before and after operands, joined and apart, and none after --")
  func spellings() {
    let folder = Folder()
    let out = folder.path + "/x.wav"
    for words in [["-o", out, "no.mid"], ["no.mid", "-o\(out)"], ["--output=\(out)", "--", "no.mid"]] {
      let run = Run(["render"] + words)
      #expect(run.errors == "pipit: render: cannot read no.mid: No such file or directory\n")
      #expect(run.status == 1)
    }
    #expect(Run(["render", "-o", out, "--", "--rate"]).errors.contains("cannot read --rate"))
  }

  @Test("lists every knob with its unit, a line each with --wide; in Markdown one slot stands for all")
  func parameters() {
    let run = Run(["parameters", "--wide"])
    #expect(run.status == 0 && run.errors.isEmpty)
    let cutoff = run.output.split(separator: "\n").first { $0.hasPrefix("/filter/cutoff ") } ?? ""
    for word in ["/hz", "20 to 20000", "8000", "74", "low-pass"] { #expect(cutoff.contains(word)) }
    let markdown = Run(["parameters", "--markdown"]).output.split(separator: "\n")
    // Four lines stand for all slots, and the line below the head is the table's own.
    #expect(markdown.count == run.output.split(separator: "\n").count + 1 - (Limits.slots - 1) * 4)
    #expect(markdown.filter { $0.contains("filter-amount") }.count == 1)
    #expect(markdown.allSatisfy { $0.hasPrefix("| ") && $0.filter { $0 == "|" }.count == 7 })
  }

  @Test("prints tables that fit the terminal, with every word of the wide ones", arguments: [60, 80, 132])
  func widths(columns: Int) {
    func words(_ run: Run) -> [Substring] {
      // The head has no place for the last column where that lies below the rows.
      run.output.drop { $0 != "\n" }.split { $0.isWhitespace || $0 == "," }.filter { $0 != "choices:" }
        .sorted()
    }
    for command in [["parameters"], ["presets"], ["presets", "--bank", "gm"]] {
      let run = Run(command, environment: ["HOME=/nowhere", "COLUMNS=\(columns)"])
      let longest = run.output.split(separator: "\n").map(\.count).max() ?? 0
      #expect(run.status == 0 && (20...columns).contains(longest), "\(command): \(longest)")
      #expect(words(run) == words(Run(command + ["--wide"])), "\(command)")
    }
  }

  @Test("asks a terminal for its width; where there is none, a row stays a line")
  func terminal() throws {
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    // TIOCSPTLCK and TIOCGPTN: its other end is free, and has this number.
    var (lock, number) = (Int32(0), UInt32(0))
    #expect(ioctl(terminal, 0x4004_5431, &lock) == 0 && ioctl(terminal, 0x8004_5430, &number) == 0)
    let name = "/dev/pts/\(number)"
    // Open, so that the terminal is there until all has been read.
    let other = open(name, O_RDWR | O_NOCTTY)
    var size = winsize(ws_row: 24, ws_col: 72, ws_xpixel: 0, ws_ypixel: 0)
    #expect(ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0)
    let piped = Run(["parameters"]).output.split(separator: "\n")
    #expect(piped.contains { $0.hasPrefix("/filter/cutoff ") && $0.contains("low-pass") })
    let last = try #require(piped.last).prefix { $0 != " " }
    let folder = Folder()
    let pid = start(
      ["parameters"], environment: ["HOME=/nowhere"], output: name, errors: folder.path + "/err")
    try #require(pid > 0)
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    var entry = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, 60_000) > 0,
      !String(decoding: bytes.suffix(400), as: UTF8.self).contains(last)
    {
      let count = read(terminal, &piece, piece.count)
      if count <= 0 { break }
      bytes += piece[..<count]
    }
    kill(pid, SIGKILL)
    _ = end(of: pid)
    close(other)
    close(terminal)
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    #expect(lines.count > 100 && lines.allSatisfy { $0.count <= 72 }, "\(lines.map(\.count).max() ?? 0)")
  }

  @Test("lists the presets of the source tree, and no others")
  func presets() {
    let run = Run(["presets"])
    #expect(run.status == 0 && run.errors.isEmpty)
    let lines = run.output.split(separator: "\n")
    #expect(lines.first?.split(separator: " ") == ["Bank", "Program", "Name", "Origin"])
    #expect(lines.count >= 17)
    let others = lines.dropFirst().filter { line in
      !["0 ", "126 ", "127 "].contains { line.hasPrefix($0) } || !line.hasSuffix(" factory")
    }
    #expect(others.isEmpty, "\(others)")
  }

  @Test("lists the sound cards, or says that there is none")
  func devices() {
    let run = Run(["devices"])
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("Device") != run.errors.hasPrefix("pipit: no sound card"))
  }

  @Test(
    "says once what is wrong in the configuration, whatever looks at it", arguments: ["devices", "presets"])
  func configuration(command: String) {
    let folder = Folder()
    let file = folder.file("wrong.conf", "perod = 64\n")
    let errors = Run([command, "--config", file]).errors.split(separator: "\n")
    #expect(errors.count { $0.contains("unknown name 'perod'") } == 1, "\(errors)")
  }

  @Test("has its arguments where there is no /proc", .enabled(if: canHideProc))
  func withoutProc() {
    let run = runWithoutProc(["parameters", "--frob"])
    #expect(run.status == 2 && run.errors.contains("parameters: unknown option '--frob'"), "\(run)")
  }

  @Test("fails when its result cannot be written")
  func full() {
    let run = Run(["parameters"], output: "/dev/full")
    #expect(run.status == 1)
    #expect(run.errors == "pipit: cannot write to standard output: No space left on device\n")
  }
}

private func runWithoutProc(_ words: [String], command: String = program) -> Run {
  // Without its arguments it would serve, for ever.
  let hidden = "mount -t tmpfs none /proc && exec timeout 20 \"$0\" \"$@\""
  return Run(
    ["--map-root-user", "--mount", "/bin/sh", "-c", hidden, command] + words, command: "/usr/bin/unshare")
}

/// A container may forbid it.
private let canHideProc = runWithoutProc([], command: "/bin/true").status == 0
