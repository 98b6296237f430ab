import Glibc
import Scratch
import Testing

@testable import pipit

/// The same reason has the same exit status in every command.
@Suite(.serialized) struct ExitStatusTests {
  @Test("Where no pipit answers, each command that needs one says so, with status 3")
  func nobody() throws {
    let (descriptor, port) = try #require(boundPort())
    defer { close(descriptor) }
    let commands = [
      ["status"], ["record", "start"], ["record", "stop"], ["record", "last"], ["play", "canon"],
      ["devices", "allow", "x"], ["bindings"], ["bindings", "remove", "1"],
    ]
    for words in commands {
      let run = Run(words + ["--osc-port", "\(port)"])
      let sentence = "pipit: \(words[0]): no pipit answers on OSC port \(port)\n"
      #expect(run.status == 3 && run.errors == sentence && run.output.isEmpty, "\(words): \(run)")
    }
  }

  @Test(
    "Wrong usage is 2",
    arguments: [
      ["devices", "frob"], ["devices", "set", "a"], ["bindings", "add"], ["record", "everything"],
      ["record"], ["play"], ["volume", "loud"], ["presets", "rename", "a"], ["reference", "x"],
    ])
  func usage(words: [String]) { #expect(Run(words).status == 2) }

  @Test("A second recording is refused and names the first; what is not on cannot be stopped; both are 1")
  func record() throws {
    let port = try #require(freePort())
    let service = Service(port, ["--record-format", "wav"])
    #expect(service.waits(for: "blocks") { (Int($0) ?? 0) > 0 })
    func record(_ verb: String) -> Run { Run(["record", verb, "--osc-port", "\(port)"]) }
    let early = record("stop")
    #expect(early.status == 1 && early.errors == "pipit: record: nothing is being recorded\n", "\(early)")
    let off = record("last")
    #expect(
      off.status == 1 && off.errors.contains("record-last is off")
        && off.errors.contains("record-last = 120"),
      "\(off)")
    let start = record("start")
    let name = start.output.split(separator: "\n").first.map(String.init) ?? ""
    #expect(start.status == 0 && name.hasPrefix("recording into ") && name.hasSuffix(".wav"), "\(start)")
    let file = name.split(separator: " ").dropFirst(2).joined(separator: " ")
    #expect(
      service.folder.names.contains("recordings")
        && access(service.folder.path + "/recordings/" + file + ".part", F_OK) == 0)
    #expect(service.log.contains("recording into \(file)"))
    let second = record("start")
    #expect(second.status == 1 && second.errors.contains("\(file) is being recorded"), "\(second)")
    let stop = record("stop")
    #expect(stop.status == 0 && stop.output.hasSuffix(" into \(file)\n"), "\(stop)")
  }
}
