import Glibc
import Testing

@testable import Tuning

/// Keyboard mappings as files have them, and the pitches that keys get.
@Suite("Key maps") struct KeyMapTests {
  private func map(_ lines: String...) -> [UInt8] { Array(lines.joined(separator: "\n").utf8) }

  private func error(_ text: String) -> String? {
    do throws(TuningError) {
      _ = try KeyMap(Array(text.utf8))
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func scale(_ about: String, cents: [Double], _ last: String) throws -> Scale {
    let lines = [about, "\(cents.count + 1)"] + cents.map { "\($0)" } + [last, ""]
    return try Scale(Array(lines.joined(separator: "\n").utf8))
  }

  /// Cents of a key above concert pitch; no number for one without a pitch.
  private func cents(_ key: Int, _ scale: Scale, _ map: KeyMap = .linear) throws -> Double {
    let octaves: Double? = try map.octaves(of: scale)[key]
    return octaves.map { $0 * 1200 } ?? .nan
  }

  private func isNear(_ one: Double, _ other: Double, _ most: Double = 1e-9) -> Bool {
    (one - other).magnitude < most
  }

  @Test("A scale of twelve equal steps gives every key its pitch in equal temperament")
  func equalSteps() throws {
    let file = try scale("12", cents: (1...11).map { Double($0) * 100 }, "2/1")
    for scale in [Scale.equal, file] {
      for key in 0..<128 {
        let semitones: Double = try cents(key, scale) / 100
        #expect(isNear(semitones, Double(key - 69), 1e-6))
      }
    }
  }

  /// Four fifths of quarter-comma meantone make a pure third: by the rule that the temperament is named for.
  @Test("Quarter-comma meantone has pure major thirds and fifths of 696.6 cents") func meantone() throws {
    let fifth: Double = 300 * log2(5.0)
    let chain: [Double] = [7, 2, -3, 4, -1, 6, 1, -4, 3, -2, 5]  // From C sharp to B, in fifths.
    var steps: [Double] = []
    for fifths in chain {
      let way = (fifths * fifth).truncatingRemainder(dividingBy: 1200)
      steps.append(way < 0 ? way + 1200 : way)
    }
    let meantone = try scale("meantone", cents: steps, "2/1")
    let third: Double = 1200 * log2(1.25)
    let c: Double = try cents(60, meantone)
    #expect(isNear(c, -900))
    #expect(isNear(try cents(64, meantone) - c, third))
    #expect(isNear(try cents(67, meantone) - c, 696.578, 1e-3))
    #expect(isNear(try cents(48, meantone) - c, -1200))
  }

  @Test("The Bohlen-Pierce scale reaches the tritave 13 keys from middle C, upwards and downwards")
  func bohlenPierce() throws {
    let tritave: Double = 1200 * log2(3.0)
    let steps: [Double] = (1...12).map { tritave * Double($0) / 13 }
    let thirteen = try scale("BP", cents: steps, "3/1")
    let c: Double = try cents(60, thirteen)
    #expect(isNear(try cents(73, thirteen) - c, tritave))
    #expect(isNear(try cents(47, thirteen) - c, -tritave))
    #expect(isNear(try cents(61, thirteen) - c, 146.304, 1e-3))
  }

  @Test("A mapping plays 12 of 19 equal steps per octave, and a linear mapping plays all 19")
  func nineteenSteps() throws {
    let step: Double = 1200.0 / 19
    let nineteen = try scale("19", cents: (1...18).map { step * Double($0) }, "2/1")
    let map = try KeyMap(
      map(
        "! 19.kbm", "12", "0", "127", "60", "69", "440.0", "19", "0", "1", "3", "4", "6", "8", "9", "11",
        "12",
        "14", "15", "17"))
    #expect(isNear(try cents(69, nineteen, map), 0))
    #expect(isNear(try cents(81, nineteen, map), 1200))
    #expect(isNear(try cents(60, nineteen, map), -14 * step))
    #expect(isNear(try cents(59, nineteen, map), -16 * step))
    // One key a step.
    let linear = try KeyMap(self.map("0", "0", "127", "60", "69", "440", "0"))
    #expect(isNear(try cents(88, nineteen, linear), 1200))
  }

  @Test("The reference key sounds at the frequency that the mapping gives, here 432 Hz")
  func referenceFrequency() throws {
    let map = try KeyMap(map("0", "0", "127", "60", "69", "432.0", "12"))
    let a: Double = try cents(69, .equal, map)
    #expect(isNear(440 * exp2(a / 1200), 432))
    #expect(isNear(a - (try cents(60, .equal, map)), 900))
  }

  @Test("Unmapped keys have no pitch, and keys outside the mapped range keep their equal temperament")
  func unmappedKeys() throws {
    // The white keys; the last two of the pattern are left out of the file.
    let map = try KeyMap(
      map("12", "36", "84", "60", "60", "261.6255653", "7", "0", "x", "1", "X", "2", "3", "x", "4", "x", "5"))
    let seven = try scale("seven", cents: [171.4, 342.9, 514.3, 685.7, 857.1, 1028.6], "2/1")
    let pitches: [Double?] = try map.octaves(of: seven)
    #expect((60..<72).filter { pitches[$0] != nil } == [60, 62, 64, 65, 67, 69])
    #expect(pitches[48] != nil && pitches[49] == nil)
    // What is not retuned is where it always was.
    #expect(pitches[35] == Double(35 - 69) / 12 && pitches[85] == Double(85 - 69) / 12)
  }

  @Test("A mapping whose repeat degree is 0 repeats at the last pitch of the scale")
  func patternRepeats() throws {
    let seven = try scale("seven", cents: [171.4, 342.9, 514.3, 685.7, 857.1, 1028.6], "2/1")
    let map = try KeyMap(
      map("7", "0", "127", "60", "60", "261.6255653", "0", "0", "1", "2", "3", "4", "5", "6"))
    let c: Double = try cents(60, seven, map)
    #expect(isNear(try cents(66, seven, map) - c, 1028.6, 1e-6))
    #expect(isNear(try cents(67, seven, map) - c, 1200, 1e-6))
    #expect(isNear(try cents(59, seven, map) - c, 1028.6 - 1200, 1e-6))
  }

  @Test("Keys from the first to the last key of a mapping, inclusive, are retuned, and no others")
  func keyRange() throws {
    let step: Double = 1200.0 / 19
    let nineteen = try scale("19", cents: (1...18).map { step * Double($0) }, "2/1")
    let map = try KeyMap(map("0", "58", "64", "60", "60", "261.6255653", "0"))
    for key in 58...64 {
      #expect(isNear(try cents(key, nineteen, map), -900 + step * Double(key - 60), 1e-4), "\(key)")
    }
    for key in [57, 65] { #expect(isNear(try cents(key, nineteen, map), Double(key - 69) * 100)) }
  }

  @Test("A mapping whose reference key has no degree is refused with the line and the key")
  func unmappedReference() throws {
    let map = try KeyMap(map("! a", "2", "0", "127", "60", "61", "440.0", "2", "0", "x"))
    #expect(throws: TuningError.self) { try map.octaves(of: .equal) }
    do { _ = try map.octaves(of: .equal) } catch {
      #expect("\(error)" == "line 6: the reference is key 61, to which the mapping gives no degree")
    }
  }

  @Test(
    "Every error in a mapping file is reported with its line number",
    arguments: [
      ("", "line 1: the file ends here; the size of the mapping is missing"),
      ("12.5\n", "line 1: \"12.5\" is not the size of the mapping; takes 0 to 2048"),
      ("-1\n", "line 1: \"-1\" is not the size of the mapping"),
      ("99999\n", "line 1: \"99999\" is not the size of the mapping"),
      ("0\n", "line 1: the file ends here; the first key is missing"),
      ("0\n!\n128\n", "line 3: \"128\" is not the first key; takes 0 to 127"),
      ("0\n40\n30\n", "line 3: the last key, 30, is below the first, 40"),
      ("0\n0\n127\nC\n", "line 4: \"C\" is not the middle key"),
      ("0\n0\n127\n60\n200\n", "line 5: \"200\" is not the reference key"),
      ("0\n0\n127\n60\n69\n", "line 5: the file ends here; the frequency of the reference is missing"),
      (
        "0\n0\n127\n60\n69\n440,5\n",
        "line 6: \"440,5\" is not the frequency of the reference; takes Hz with a point"
      ),
      ("0\n0\n127\n60\n69\n0.0\n", "line 6: \"0.0\" is not the frequency"),
      ("0\n0\n127\n60\n69\n-440\n", "line 6: \"-440\" is not the frequency"),
      (
        "0\n0\n127\n60\n69\n440\n",
        "line 6: the file ends here; the degree that the mapping repeats at is missing"
      ),
      ("0\n0\n127\n60\n69\n440\nx\n", "line 7: \"x\" is not the degree that the mapping repeats at"),
      ("2\n0\n127\n60\n69\n440\n2\n0\none\n", "line 9: \"one\" is no degree; takes a number to 4096, or x"),
      ("2\n0\n127\n60\n69\n440\n2\n0\n5000\n", "line 9: \"5000\" is no degree"),
      (
        "2\n0\n127\n60\n69\n440\n2\n0\n1\n2\n",
        "line 10: \"2\" is a degree more than the size of the mapping, 2"
      ),
    ])
  func errorLines(_ text: String, _ said: String) {
    #expect(error(text)?.hasPrefix(said) == true, "\(error(text) ?? "read")")
  }

  @Test("A truncated or corrupted mapping file never crashes the reader or yields an infinite pitch")
  func corruptFile() throws {
    let whole = map("! a.kbm", "3", "0", "127", "60", "69", "440.0", "3", "0 do", "x", "2", "")
    for end in whole.indices {
      _ = try? KeyMap(Array(whole[..<end])).octaves(of: .equal)
      for byte: UInt8 in [0, 10, 33, 45, 46, 47, 57, 128, 255] {
        var bytes = whole
        bytes[end] = byte
        for pitch in (try? KeyMap(bytes).octaves(of: .equal)) ?? [] { #expect(pitch.map(\.isFinite) ?? true) }
      }
    }
  }
}
