import Glibc
import OSC
import Presets
import Scenes
import Scratch
import Surface
import Testing
@testable import pipit

/// `pipit setups` and `pipit setlists` on real databases, with a running instrument and without one.
@Suite(.serialized) struct ShowCommandTests {
  private let folder = Folder()
  private var state: String { folder.path + "/state" }

  private func run(_ words: String...) -> Run {
    Run(words + ["--state", state, "--presets", folder.path + "/factory"])
  }

  private func fill() {
    folder.file("factory/01-glass.txt", "pipit preset 1\nname Glass\n/filter/cutoff/hz 100\n")
    let setups = ["A", "B"].enumerated().map { index, name in
      "pipit setup 1\nname \(name)\n/part/1/filter/cutoff/hz \(index + 1)000\n"
    }
    folder.file("show.txt", setups.joined())
    folder.file(
      "friday.txt", "pipit setlist 1\nentry setup 0 0 A\ntitle Opening\nentry setup 0 1 B\ntempo 99\n")
    #expect(
      run("setups", "import", folder.path + "/show.txt").output == "\"A\" is setup 1\n\"B\" is setup 2\n")
    #expect(run("setlists", "import", folder.path + "/friday.txt").output == "\"friday\" is setlist 1\n")
  }

  @Test("Without an instrument: lists, describes, renames, moves, deletes, restores and exports")
  func database() {
    fill()
    #expect(run("setups").output == "Number  Name  Category  Left alone\n1       A\n2       B\n")
    #expect(run("setlists").output == "Number  Name    Entries\n1       friday  2\n")
    #expect(
      run("setups", "describe", "A", "keep", "tempo,", "part", "3").output == "\"A\": keep tempo, part 3\n")
    #expect(run("setups", "rename", "B", "Bridge").output == "\"B\" is named \"Bridge\" now\n")
    #expect(run("setups", "move", "Bridge", "5").output == "\"Bridge\" has the number 5 now\n")
    #expect(run("setups", "delete", "5").output == "\"Bridge\" is in the trash\n")
    #expect(run("setups", "restore").output.contains("Bridge"))
    #expect(run("setups", "restore", "5").output == "\"Bridge\" is back\n")
    let text = run("setups", "export").output
    #expect(text.hasPrefix("pipit setup 1\nname A\nkey 0/0\nkeep tempo, part 3\n"))
    #expect(text.contains("pipit setup 1\nname Bridge\nkey 0/4\n"))
    #expect(run("setups", "export", "-o", folder.path + "/out.txt").status == 0)
    #expect(String(decoding: contents(folder.path + "/out.txt"), as: UTF8.self) == text)
    #expect(run("setups", "import", folder.path + "/out.txt").status == 0)
    #expect(run("setups", "export").output == text)
    #expect(run("setups", "bring", "A", "3").status == 1)
    #expect(run("setups", "show", "Nobody").errors.contains("setups: no setup is named \"Nobody\""))
    #expect(run("setlists", "show").status == 2)
    #expect(run("setups", "shwo", "A").errors.contains("unknown action 'shwo'"))
    folder.file("bad.txt", "pipit preset 1\nname X\n")
    let bad = run("setups", "import", folder.path + "/bad.txt")
    #expect(bad.status == 1 && bad.errors.contains("a setup begins with"))
  }

  @Test("L7: setup, setlist and place are the same after kill -9, and next goes on from there")
  func killed() throws {
    fill()
    let port = try #require(freePort())
    var process = serve(port)
    func ask(_ address: String, _ values: [OSCValue] = []) -> String {
      LocalQuery.ask(address, values, port: port, within: 60)?.first?.value.words ?? ""
    }
    #expect(Run(["setlists", "load", "friday", "--osc-port", "\(port)"]).status == 0)
    _ = ask("/set/next", [.int(1)])
    #expect(ask("/set/title") == "Opening" && ask("/setup") == "A")
    usleep(200_000)
    _ = ask("/set/next", [.int(1)])
    #expect(ask("/set/title") == "B" && ask("/tempo/bpm") == "99")
    // The session is on the disk a few seconds after a change at the latest.
    #expect(
      eventually {
        Library(database: state + "/presets.sqlite", factory: nil, writes: false, log: { _ in }).session?.show
          .position == 1
      })
    Glibc.kill(process, SIGKILL)
    _ = end(of: process)
    process = serve(port)
    #expect(ask("/set/name") == "friday" && ask("/set/place") == "2" && ask("/setup") == "B")
    #expect(ask("/setup/edited") == "0" && ask("/tempo/bpm") == "99")
    _ = ask("/set/previous", [.int(1)])
    #expect(ask("/set/title") == "Opening" && ask("/setup") == "A")
    Glibc.kill(process, SIGTERM)
    #expect(end(of: process) == 0)
  }

  @Test("A setup that is larger than any packet is shown and exported by a running instrument")
  func large() throws {
    let comments = (0..<6_000).map { "# A line of a setup, number \($0), ä\n" }.joined()
    folder.file("large.txt", "pipit setup 1\nname Large\nkey 0/0\n" + comments)
    #expect(run("setups", "import", folder.path + "/large.txt").status == 0)
    let text = run("setups", "export").output
    #expect(text.utf8.count > Limits.presetBytes && text.contains("number 5999, ä\n"))
    let port = try #require(freePort())
    let process = serve(port)
    for words in [["export"], ["show", "Large"]] {
      let shown = Run(["setups"] + words + ["--osc-port", "\(port)"])
      #expect(shown.output == text, "\(shown.errors)")
    }
    Glibc.kill(process, SIGTERM)
    #expect(end(of: process) == 0)
  }

  private func serve(_ port: Int) -> pid_t {
    let process = start(
      [
        "--device", "clock", "--state", state, "--osc-port", "\(port)", "--presets", folder.path + "/factory",
      ], environment: ["HOME=/nowhere"], output: folder.path + "/out", errors: folder.path + "/err")
    #expect(eventually { Status.figures(port: port) != nil })
    return process
  }
}
