import Glibc
import Scratch
import Testing

@testable import Tuning

/// Scales as files have them: what is read, and what is refused and where.
@Suite("Scale files") struct ScaleFileTests {
  /// What is wrong with a file; nil when it can be read.
  private func error(_ text: String) -> String? {
    do throws(TuningError) {
      _ = try Scale(Array(text.utf8))
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("Pitches may be written as cents, ratios or integers, with remarks and comments")
  func pitchNotations() throws {
    let text = """
      ! pitches.scl
      !
      All of them
       8
      !
       100.0
      200.
       .5 cents
      -50.0   a remark
      5/4
       3 / 2   fifth
      \t2147483647/2147483646\t! a comma
      2

      """
    let scale = try Scale(Array(text.utf8))
    #expect(scale.about == "All of them")
    let cents: [Double] = [100, 200, 0.5, -50]
    let ratios: [Double] = [1.25, 1.5, 2_147_483_647.0 / 2_147_483_646, 2]
    let expected: [Double] = cents.map { $0 / 1200 } + ratios.map { log2($0) }
    #expect(scale.pitches.count == expected.count)
    for (pitch, right) in zip(scale.pitches, expected) { #expect(abs(pitch - right) < 1e-14) }
  }

  @Test(
    "Line ends may be LF, CRLF or CR, and errors report the right line with each of them",
    arguments: ["\n", "\r\n", "\r"])
  func lineEnds(_ end: String) throws {
    let lines = ["! a.scl", "", "2", "!", "700.0", "", "2/1", ""]
    let scale = try Scale(Array(lines.joined(separator: end).utf8))
    #expect(scale.about.isEmpty)
    let pitches: [Double] = [700.0 / 1200, 1]
    #expect(scale.pitches == pitches)
    let wrong = ["! a.scl", "", "2", "!", "700,0", "2/1"].joined(separator: end)
    #expect(error(wrong)?.hasPrefix("line 5: \"700,0\" is no pitch; takes cents with a point") == true)
  }

  @Test("A description may be in Latin-1 or UTF-8, with or without a byte order mark")
  func textEncoding() throws {
    #expect(try Scale([0x47, 0xFC, 0x6E] + Array("\n1\n2/1 \u{e9}\n".utf8)).about == "Gün")
    #expect(try Scale(Array("\u{FEFF}Gün à\n1\n2/1".utf8)).about == "Gün à")
    #expect(try Scale(Array("a\u{1}b\n1\n2/1\u{1A}".utf8)).about == "a?b")
  }

  @Test("Degrees above and below the scale repeat the scale at its last pitch, here the tritave")
  func degreesBeyond() throws {
    let scale = try Scale(Array("Bohlen-Pierce\n2\n1460.0\n3/1\n".utf8))
    let tritave: Double = log2(3.0)
    let first: Double = 1460.0 / 1200
    #expect(scale.octaves(degree: 0) == 0)
    #expect(scale.octaves(degree: 2) == tritave)
    #expect(abs(scale.octaves(degree: 5) - (2 * tritave + first)) < 1e-14)
    #expect(abs(scale.octaves(degree: -1) - (first - tritave)) < 1e-14)
    #expect(scale.octaves(degree: -2) == -tritave)
  }

  @Test(
    "Every error in a scale file is reported with its line number",
    arguments: [
      ("", "line 1: the file ends here; a scale has a description"),
      ("! only\n! comments\n", "line 2: the file ends here; a scale has a description"),
      ("name\n", "line 1: the file ends here; the number of notes is missing"),
      ("name\n\n\n", "line 3: the file ends here; the number of notes is missing"),
      ("12\n100.0\n", "line 2: \"100.0\" is no number of notes; the first line is the description"),
      ("name\ntwelve\n", "line 2: \"twelve\" is no number of notes"),
      ("name\n0\n", "line 2: 0 is no number of notes; takes 1 to 4096"),
      ("name\n-3\n", "line 2: -3 is no number of notes"),
      ("name\n4097\n2\n", "line 2: 4097 is no number of notes"),
      ("name\n99999999999999999999999\n2\n", "line 2: \"99999999999999999999999\" is no number of notes"),
      ("name\n3\n100.0\n! no\n200.0\n", "line 5: the file ends here; it has 2 of 3 pitches"),
      (
        "name\n1\n3:2\n",
        "line 3: \"3:2\" is no pitch; takes cents with a point, as 701.955, or a ratio, as 3/2"
      ),
      ("name\n1\n701,955\n", "line 3: \"701,955\" is no pitch"),
      ("name\n1\n1.2.3\n", "line 3: \"1.2.3\" is no pitch"),
      ("name\n1\n1e3\n", "line 3: \"1e3\" is no pitch"),
      ("name\n1\n.\n", "line 3: \".\" is no pitch"),
      ("name\n1\n-\n", "line 3: \"-\" is no pitch"),
      ("name\n1\n-3/2\n", "line 3: \"-3/2\" is no pitch"),
      ("name\n1\n3/-2\n", "line 3: \"3/-2\" is no pitch"),
      ("name\n1\n0\n", "line 3: \"0\" is no pitch"),
      ("name\n1\n1/0\n", "line 3: \"1/0\" is no pitch"),
      ("name\n1\n3/2/1\n", "line 3: \"3/2/1\" is no pitch"),
      ("name\n1\n3/2.5\n", "line 3: \"3/2.5\" is no pitch"),
      ("name\n1\noctave\n", "line 3: \"octave\" is no pitch"),
      ("name\n1\n9999999.0\n", "line 3: \"9999999.0\" is too far from the first degree"),
      (
        "name\n2\n100.0\n200.0\n300.0\n", "line 5: \"300.0\" is a pitch more than the 2 of the file"
      ),
    ])
  func errorLines(_ text: String, _ said: String) {
    #expect(error(text)?.hasPrefix(said) == true, "\(error(text) ?? "read")")
  }

  @Test("Ratios with numbers of 60 digits are read, and those of 400 digits are refused") func longRatios() {
    let digits = String(repeating: "9", count: 400)
    #expect(
      error("name\n1\n\(digits)/\(digits)\n")?.hasPrefix("line 3: \"99999999999999999999999…\" is no pitch")
        == true)
    let long = String(repeating: "9", count: 60)
    #expect(error("name\n1\n\(long)/1\(String(repeating: "0", count: 59))\n") == nil)
  }

  @Test("Pitches up to 64 octaves away and scales of 4,096 notes are read, and farther pitches refused")
  func farthestPitches() throws {
    #expect(try Scale(Array("name\n2\n-76800.0\n76800.0\n".utf8)).pitches == [-64, 64])
    for cents in ["76801.0", "-76801.0"] {
      #expect(
        error("name\n1\n\(cents)\n")?.hasPrefix("line 3: \"\(cents)\" is too far from the first degree")
          == true)
    }
    let most = Array(repeating: "2", count: 4_096).joined(separator: "\n")
    #expect(try Scale(Array("name\n4096\n\(most)\n".utf8)).pitches.count == 4_096)
  }

  @Test("Text after the last pitch of a scale file is ignored")
  func trailingText() { #expect(error("name\n1\n2/1\n\nwritten by hand\n") == nil) }

  @Test("A scale file that is truncated, corrupted or random is read or refused, without a crash")
  func corruptFile() throws {
    let whole = Array("! a.scl\r\n!\r\nQuarter-comma\r\n 3\r\n!\r\n 76.04900\r\n 5/4\r\n 2/1 octave\r\n".utf8)
    for end in whole.indices {
      let scale = try? Scale(Array(whole[..<end]))
      #expect(scale == nil || scale?.pitches.count == 3)
      for byte: UInt8 in [0, 10, 33, 46, 47, 57, 128, 255] {
        var bytes = whole
        bytes[end] = byte
        if let scale = try? Scale(bytes) { #expect((1...93).contains(scale.pitches.count)) }
      }
    }
    var random = SeededRandom.ofRun
    for _ in 0..<2_000 {
      _ = try? Scale(
        (0..<Int.random(in: 0..<64, using: &random)).map { _ in UInt8.random(in: 9...57, using: &random) })
    }
  }
}
