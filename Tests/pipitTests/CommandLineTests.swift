import Scratch
import Testing

@Suite("The command line")
struct CommandLineTests {
  static let commands = [
    "serve", "render", "play", "presets", "parameters", "status", "layout", "reference", "devices",
    "bindings", "latency",
    "doctor",
  ]

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

  @Test("lists every knob with its unit, and the same as Markdown")
  func parameters() {
    let run = Run(["parameters"])
    #expect(run.status == 0 && run.errors.isEmpty)
    let cutoff = run.output.split(separator: "\n").first { $0.hasPrefix("/filter/cutoff ") } ?? ""
    for word in ["/hz", "20 to 20000", "8000", "74", "low-pass"] { #expect(cutoff.contains(word)) }
    let markdown = Run(["parameters", "--markdown"]).output.split(separator: "\n")
    #expect(markdown.count == run.output.split(separator: "\n").count + 1)
    #expect(markdown.allSatisfy { $0.hasPrefix("| ") && $0.filter { $0 == "|" }.count == 7 })
  }

  @Test("lists the presets of the source tree, and no others")
  func presets() {
    let run = Run(["presets"])
    #expect(run.status == 0 && run.errors.isEmpty)
    let lines = run.output.split(separator: "\n")
    #expect(lines.first?.split(separator: " ") == ["Bank", "Program", "Name", "Origin"])
    #expect(lines.count >= 17)
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("0 ") && $0.hasSuffix(" factory") })
  }

  @Test("lists the sound cards, or says that there is none")
  func devices() {
    let run = Run(["devices"])
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("Device") != run.errors.hasPrefix("pipit: no sound card"))
  }

  @Test("fails when its result cannot be written")
  func full() {
    let run = Run(["parameters"], output: "/dev/full")
    #expect(run.status == 1)
    #expect(run.errors == "pipit: cannot write to standard output: No space left on device\n")
  }
}
