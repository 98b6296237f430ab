import Glibc
import Scratch
import Testing

@testable import pipit

@Suite("The configuration file")
struct ConfigurationTests {
  private let folder = Folder()

  private func read(_ bytes: [UInt8]) throws -> Configuration.Contents {
    let file = folder.file("pipit.conf", bytes)
    return Configuration.read(try CommandArguments(["--config", file], of: .serve, named: true))
  }

  private func complaint(_ text: String) throws -> String {
    let prefix = "\(folder.path)/pipit.conf, "
    let problems = try read(Array(text.utf8)).problems.map { "\($0)\n" }
    #expect(problems.allSatisfy { $0.hasPrefix(prefix) && $0.hasSuffix("; ignored\n") })
    return problems.map { String($0.dropFirst(prefix.count).dropLast("; ignored\n".count)) + "\n" }.joined()
  }

  @Test("that is wrong in a line is said with file and line")
  func wrong() throws {
    #expect(
      try complaint("# pipit\n\nratee = 48000\n") == "line 3: unknown name 'ratee' (did you mean 'rate'?)\n")
    #expect(try complaint("rate 48000") == "line 1: 'rate 48000' is not of the form 'name = value'\n")
    #expect(
      try complaint("device = clock # here\nperiod = 1")
        == "line 2: period must be a whole number from 16 to 8192, not '1'\n")
    #expect(try complaint("outputs = 3-4, 1-2 # the bass apart").isEmpty)
    #expect(
      try complaint("outputs = 9-10").hasPrefix("line 1: outputs must be 1-2, 3-4, 5-6, 7-8 for each part"))
    #expect(try complaint("device =") == "line 1: device must not be empty\n")
    #expect(try complaint("config = x") == "line 1: unknown name 'config'\n")
    #expect(try complaint("help = x") == "line 1: unknown name 'help'\n")
  }

  @Test("keeps what is right beside what is wrong")
  func rest() throws {
    let contents = try read(Array("period = 0\nrate = 44100\nperiod = 64\nxyzzy\ndevice = clock\n".utf8))
    #expect(contents.values == ["rate": "44100", "period": "64", "device": "clock"])
    #expect(contents.problems.map(\.line) == [1, 4])
    let rubbish = try read(Array(String(repeating: "rubbish\n", count: 100).utf8))
    #expect(rubbish.problems.count == 6 && rubbish.problems.last?.sentence == "95 more lines cannot be read")
  }

  @Test(
    "leaves nobody in whom a slip of the pen would let in",
    arguments: [
      "allow = 10.0.0.0/99", "alow = 10.0.0.7", "allow 10.0.0.7", "allowed = 10.0.0.7", "--allow = 10.0.0.7",
      "allow:10.0.0.7", "allow=none", "ALLOW = 10.0.0.7", "from 10.0.0.7", "hosts = 192.168.1.0/24,10.0.0.7",
    ])
  func closed(line: String) throws {
    let contents = try read(Array((line + "\nrate = 44100\n").utf8))
    #expect(contents.values == ["allow": "127.0.0.1", "rate": "44100"] && contents.problems.count == 1)
    #expect(
      contents.locksOut && contents.short?.hasPrefix("tablets are locked out: pipit.conf, line 1: ") == true)
    let corrected = try read(Array((line + "\nallow = any\n").utf8))
    #expect(corrected.values == ["allow": "any"] && !corrected.locksOut && corrected.problems.count == 1)
    #expect(try !read(Array("perod = 64\nrate = high\n".utf8)).locksOut)
  }

  @Test("that cannot be read leaves nobody in but the machine itself")
  func unreadable() throws {
    for path in [
      folder.path, folder.path + "/none", folder.file("large", Array(repeating: 10, count: 1 << 20)),
    ] {
      let contents = Configuration.read(try CommandArguments(["--config", path], of: .serve, named: true))
      #expect(contents.values == ["allow": "127.0.0.1"] && contents.locksOut && contents.problems.count == 1)
      #expect("\(contents.problems)".contains("\(path): cannot be read ("))
    }
  }

  @Test("goes on in the folder beside it, in the order of names, and the later line counts")
  func beside() throws {
    mkdir(folder.path + "/pipit.conf.d", 0o755)
    folder.file("pipit.conf.d/20-card.conf", "period = 256\nperiods = none\n")
    folder.file("pipit.conf.d/10-card.conf", "period = 64\ndevice = clock\n")
    for name in ["30-card.txt", "card", ".hidden.conf", "40.conf~"] {
      folder.file("pipit.conf.d/" + name, "period = 32\n")
    }
    let contents = try read(Array("period = 128\nrate = 44100\nallow = none\n".utf8))
    #expect(
      contents.values == ["period": "256", "device": "clock", "rate": "44100", "allow": "127.0.0.1"])
    #expect(
      contents.problems.map { "\($0)" }.last?.hasPrefix("\(folder.path)/pipit.conf.d/20-card.conf, line 2: ")
        == true)
    #expect(
      contents.problems.last?.short.hasPrefix("pipit.conf.d/20-card.conf, line 2: periods must be") == true)
    folder.file("pipit.conf.d/30-tablet.conf", "allow = 10.0.0.7\n")
    #expect(try read([]).values["allow"] == "10.0.0.7")
    // A folder that is none is said, too.
    unlink(folder.path + "/other.conf.d")
    folder.file("other.conf.d", "")
    let other = folder.file("other.conf", "rate = 44100\n")
    let wrong = Configuration.read(try CommandArguments(["--config", other], of: .serve, named: true))
    #expect(wrong.values["rate"] == "44100" && "\(wrong.problems)".contains("other.conf.d: cannot be read"))
  }

  @Test("is read as Windows writes it")
  func windows() throws {
    let text = "# pipit\r\n\r\nallow = 10.0.0.7\r\nperiod = 64 # small\r\nrate = 1\r\n"
    let units = text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let swapped = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    let files: [[UInt8]] = [
      Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), [0xFF, 0xFE] + units, [0xFE, 0xFF] + swapped,
    ]
    for file in files {
      let contents = try read(file)
      #expect(contents.values == ["allow": "10.0.0.7", "period": "64"])
      #expect(contents.problems.map(\.line) == [5])
    }
  }

  @Test("that a command was asked to read must be there")
  func missing() {
    let run = Run(["status", "--config", folder.path + "/none"])
    #expect(run.status == 1)
    #expect(run.errors.contains("cannot read \(folder.path)/none: No such file or directory"))
  }
}
