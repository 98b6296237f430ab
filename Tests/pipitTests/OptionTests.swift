import Scratch
import Testing

@testable import pipit

@Suite("The options of the command line") struct OptionTests {
  private func option(_ name: String) throws -> Option {
    try #require(Option.all.first { $0.name == name })
  }

  @Test("Numbers have the ranges and the defaults that they were released with")
  func numbers() throws {
    let wanted: [(String, ClosedRange<Int>, String?)] = [
      ("rate", 22_050...192_000, "48000"), ("period", 16...8_192, "128"), ("periods", 2...4, "2"),
      ("osc-port", 1...65_535, "8000"), ("reply-port", 1...65_535, "9000"), ("record-last", 0...3_600, "0"),
      ("length", 1...86_400, "3600"), ("block", 1...8_192, "256"), ("web-port", 0...65_535, nil),
      ("setup-channel", 0...16, "0"),
    ]
    for (name, range, initial) in wanted {
      let option = try option(name)
      #expect(option.initial == initial, "\(name)")
      for number in [range.lowerBound, range.upperBound] { #expect(option.problem(in: "\(number)") == nil) }
      for word in ["\(range.lowerBound - 1)", "\(range.upperBound + 1)", "", "1.5", " 3", "3 ", "x"] {
        #expect(
          option.problem(in: word)?.hasPrefix("must be a whole number from ") == true, "\(name) \(word)")
      }
    }
    let others = Option.all.filter { if case .number = $0.value { true } else { false } }.map(\.name)
    #expect(Set(others) == Set(wanted.map(\.0)))
  }

  @Test("Words have the choices and the defaults that they were released with")
  func words() throws {
    let wanted: [(String, [String], String)] = [
      ("ump", ["auto", "off"], "auto"), ("record-format", ["flac", "wav"], "flac"),
      ("programs", ["auto", "gm", "pipit"], "auto"), ("format", ["s16", "s24", "f32"], "s16"),
      ("size", ["tablet", "phone"], "tablet"),
    ]
    for (name, words, initial) in wanted {
      let option = try option(name)
      #expect(option.initial == initial && option.placeholder == words.joined(separator: "|"), "\(name)")
      for word in words { #expect(option.problem(in: word) == nil) }
      #expect(option.problem(in: words[0].uppercased()) != nil && option.problem(in: "") != nil)
    }
    for (name, initial) in [("device", "auto"), ("outputs", "1-2"), ("mpe", "auto"), ("allow", "private")] {
      #expect(try option(name).initial == initial && option(name).problem(in: initial) == nil)
    }
    // What has no default is left to folders and files.
    for name in ["state", "presets", "recordings", "config", "input", "output", "preset", "bank", "tuning"] {
      #expect(try option(name).initial == nil && option(name).problem(in: "") == "must not be empty")
    }
    let letters = Option.all.compactMap { option in option.letter.map { "\($0) \(option.name)" } }
    #expect(letters == ["o output", "h help", "V version"])
    #expect(Set(Option.all.map(\.name)).count == Option.all.count)
  }

  @Test("The command line wins over the configuration, the last of two words over the first")
  func precedence() throws {
    let folder = Folder()
    let file = folder.file("pipit.conf", "rate = 96000\nperiod = 64\nosc-port = 7000\n")
    let words = ["--rate", "22050", "--rate=44100", "--config", file]
    let given = try CommandArguments(words[...], of: .serve, named: true)
    #expect(given[.rate] == "44100" && given.number(.period) == 128 && given[.config] == file)
    let all = try Configuration.adding(to: given)
    #expect(all.number(.rate) == 44_100 && all.number(.period) == 64 && all.number(.oscPort) == 7_000)
    // Only what a command asks for.
    let some = try Configuration.adding([.oscPort], to: given)
    #expect(some.number(.oscPort) == 7_000 && some.number(.period) == 128 && some.number(.rate) == 44_100)
  }

  @Test("Negative numbers are operands where a command takes any; letters may stand together")
  func operands() throws {
    let volume = try #require(Subcommand.all.first { $0.name == "volume" })
    #expect(try CommandArguments(["-6.5"], of: volume, named: true).operands == ["-6.5"])
    #expect(throws: CommandError.self) { try CommandArguments(["-6.5"], of: .serve, named: true) }
    let render = try #require(Subcommand.all.first { $0.name == "render" })
    let joined = try CommandArguments(["-ox.wav", "a.mid"], of: render, named: true)
    #expect(joined[.output] == "x.wav" && joined.operands == ["a.mid"])
    #expect(
      try CommandArguments(["a.mid", "--", "-o"][...].prefix(2), of: render, named: true).operands == [
        "a.mid"
      ])
    // Whoever asks for help gets it, whatever else is missing.
    #expect(try CommandArguments(["-h"], of: render, named: true)[.help] == "")
    #expect(try CommandArguments(["-"], of: render, named: true).operands == ["-"])
  }
}
