import Glibc
import Scenes
import Testing
@testable import Wavetables

/// WAV files as wavetables.
@Suite("A wavetable file") struct WavetableFileTests {
  /// A sum of two harmonics in each of some frames; the second grows from frame to frame.
  private static func frames(_ count: Int, length: Int) -> [Float] {
    (0..<count * length).map { index -> Float in
      let angle = 2 * Float.pi * Float(index % length) / Float(length)
      return 0.5 * sin(angle) + 0.4 * Float(index / length) / Float(max(count - 1, 1)) * cos(3 * angle)
    }
  }

  private static func problem(_ bytes: [UInt8]) -> String {
    do throws(WavetableError) { _ = try WavetableFile.read(bytes) } catch { return error.problem }
    return ""
  }

  @Test(
    "is read in each format, whatever its other channels hold",
    arguments: [(1, 16), (1, 24), (1, 32), (3, 32), (3, 64)])
  func formats(code: Int, bits: Int) throws {
    for (channels, isExtensible) in [(1, false), (2, false), (2, true)] {
      let samples = Self.frames(3, length: 2_048)
      let spectrum = try WavetableFile.read(
        WAVFile.bytes(samples, code: code, bits: bits, channels: channels, isExtensible: isExtensible))
      #expect(spectrum.frames == 3)
      let outline = spectrum.outline()
      for (index, sample) in outline[2].enumerated() {
        let expected = samples[2 * 2_048 + index * 8] / (samples.map(\.magnitude).max() ?? 1)
        #expect(abs(sample - expected) < 2e-3, "\(index)")
      }
    }
  }

  @Test("has frames of the length that it names, or of 2,048 samples, or one that is shorter")
  func lengths() throws {
    let named = WAVFile.bytes(Self.frames(5, length: 256), clm: "<!>256 10000000 wavetable (somebody)")
    #expect(try WavetableFile.read(named).frames == 5)
    #expect(try WavetableFile.read(WAVFile.bytes(Self.frames(1, length: 600))).frames == 1)
    let short = try WavetableFile.read(WAVFile.bytes(Self.frames(1, length: 600))).outline()
    let usual = try WavetableFile.read(WAVFile.bytes(Self.frames(1, length: 2_048))).outline()
    for (one, other) in zip(short[0], usual[0]) { #expect(abs(one - other) < 1e-3) }
    #expect(try WavetableFile.read(WAVFile.bytes(Self.frames(256, length: 2_048))).frames == 256)
  }

  @Test("says what is wrong with it")
  func problems() {
    let good = Self.frames(1, length: 2_048)
    func with(_ value: Float) -> [Float] { good.dropLast() + [value] }
    #expect(Self.problem([]) == "is no WAV file")
    #expect(Self.problem(WAVFile.bytes(good).dropLast(9).map { $0 }) == "is cut off")
    #expect(Self.problem(WAVFile.bytes(with(.nan))) == "has a sample that is no number")
    #expect(Self.problem(WAVFile.bytes(with(.infinity))) == "has a sample that is no number")
    #expect(Self.problem(WAVFile.bytes(good.map { _ in 0 })) == "is silent")
    #expect(Self.problem(WAVFile.bytes(good.map { _ in Float(bitPattern: 700) })) == "is silent")
    #expect(Self.problem(WAVFile.bytes([])) == "is silent")
    #expect(Self.problem(WAVFile.bytes(good, code: 1, bits: 8)).contains("another kind"))
    #expect(Self.problem(WAVFile.bytes(Self.frames(257, length: 2_048))).contains("256 is the most"))
    #expect(Self.problem(WAVFile.bytes(Self.frames(1, length: 5_000))).contains("no multiple"))
    #expect(Self.problem(WAVFile.bytes(good, clm: "<!>3 1 x")).contains("frames of 3"))
    #expect(
      Self.problem(WAVFile.bytes(Self.frames(4, length: 1_000), clm: "<!>1000 1 x")).contains("power of two"))
  }

  @Test("may be as loud as numbers go")
  func loud() throws {
    let samples = Self.frames(2, length: 2_048).map { $0 * 1e38 }
    let outline = try WavetableFile.read(WAVFile.bytes(samples)).outline()
    #expect(outline.joined().allSatisfy { $0.isFinite && $0.magnitude <= 1 })
  }

  /// Every beginning of a file, and a file with changed bytes: refused or read, never more.
  @Test("is refused or read, however it is damaged")
  func damaged() {
    let good = WAVFile.bytes(Self.frames(2, length: 64), bits: 32, clm: "<!>64 10000000 wavetable")
    for count in 0..<good.count { _ = try? WavetableFile.read(Array(good.prefix(count))) }
    var seed: UInt64 = 4_711
    for _ in 0..<3_000 {
      var bytes = good
      for _ in 0..<4 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(seed >> 33) % min(bytes.count, 120)] = UInt8(truncatingIfNeeded: seed >> 20)
      }
      if let spectrum = try? WavetableFile.read(bytes) {
        #expect(spectrum.outline().joined().allSatisfy { $0.isFinite && $0.magnitude <= 1.0001 })
      }
    }
  }
}
