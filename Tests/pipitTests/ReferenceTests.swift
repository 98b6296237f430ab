import Glibc
import Scratch
import Testing

@Suite("The reference that a package holds")
struct ReferenceTests {
  @Test("has a configuration file whose every line is a default, and pipit takes it")
  func configuration() {
    let page = Run(["reference", "pipit.conf"])
    #expect(page.status == 0 && page.errors.isEmpty)
    let lines = page.output.split(separator: "\n").filter { $0.hasPrefix("#") && !$0.hasPrefix("# ") }
    let help = Run(["--help"]).output
    for line in lines {
      let words = line.dropFirst().split(separator: " ")
      #expect(words.count == 3 && words[1] == "=", "\(line)")
      #expect(help.contains("--\(words[0]) "), "\(line)")
      // Folders depend on whose they are; the help page says it in words.
      if !words[2].hasPrefix("/") { #expect(help.contains("(\(words[2]))"), "\(line)") }
    }
    let folder = Folder()
    let taken = folder.file("pipit.conf", lines.flatMap { Array($0.dropFirst().utf8) + [10] })
    #expect(!Run(["doctor", "--config", taken]).output.contains("configuration"))
    let wrong = folder.file("wrong.conf", Array("perod = 64\n".utf8))
    let run = Run(["doctor", "--config", wrong])
    #expect(run.status == 1 && run.output.hasPrefix("fail  configuration"), "\(run.output)")
  }

  @Test("has manual pages that name every command, option, knob and address")
  func manual() {
    func page(_ name: String) -> String {
      let run = Run(["reference", name])
      #expect(run.status == 0 && run.output.hasPrefix(".TH "))
      for line in run.output.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
        #expect(
          [".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".nf", ".fi", ".RS", ".RE"].contains(
            line.split(separator: " ")[0]), "\(line)")
      }
      return run.output.split(separator: "\\").joined()
    }
    let program = page("pipit.1")
    for command in CommandLineTests.commands {
      #expect(program.contains(".SS pipit \(command)"), "\(command)")
      let options = Run([command, "--help"]).output.split(separator: " ").filter { $0.hasPrefix("--") }
      for option in options { #expect(program.contains(option), "\(option)") }
    }
    #expect(page("pipit.conf.5").contains("\n.B period = N\n"))
    let osc = page("pipit-osc.7")
    for line in Run(["parameters", "--wide"]).output.split(separator: "\n").dropFirst() {
      #expect(osc.contains("\n.B \(line.split(separator: " ")[0])"), "\(line)")
    }
    #expect(osc.contains("\n.B /panic\n"))
    // The tables of Sources/Surface/README.md have the same rows.
    let commands = Run(["reference", "commands.md"])
    #expect(commands.status == 0 && commands.output.hasPrefix("| Address | "))
    for line in commands.output.split(separator: "\n").dropFirst(2) {
      #expect(osc.contains("\n.B \(line.split(separator: "`")[1])\n"), "\(line)")
    }
  }

  @Test(
    "completes in bash",
    arguments: [
      ("ren", "render"), ("help doc", "doctor"), ("--ra", "--rate"), ("render --fo", "--format"),
      ("render --format s", "s16 s24"), ("reference pipit.c", "pipit.conf.5 pipit.conf"),
      ("presets i", "import"), ("devices a", "allow"), ("bindings re", "remove"), ("devices allow a", ""),
    ])
  func bash(words: String, expected: String) {
    let folder = Folder()
    let page = folder.file("pipit.bash", Array(Run(["reference", "pipit.bash"]).output.utf8))
    let script = """
      . \(page); COMP_WORDS=(pipit \(words)) COMP_CWORD=\(words.split(separator: " ").count)
      compopt() { :; }; _pipit; echo "${COMPREPLY[@]}" >\(folder.path)/out
      """
    let file = folder.file("script", Array(script.utf8))
    #expect(system("bash \(file)") == 0)
    #expect(text(folder.path + "/out") == expected + "\n")
  }

  @Test("does not know a page that is not there")
  func unknown() {
    let run = Run(["reference", "pipit.con"])
    #expect(run.status == 2 && run.errors.contains("did you mean 'pipit.conf'?"))
  }
}
