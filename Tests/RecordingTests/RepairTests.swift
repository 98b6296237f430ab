import Foundation
import Scenes
import Scratch
import System
import Testing
@testable import Recording

/// Recordings that were not ended: what was written of them is there again after the next start.
struct RepairTests {
  private let folder = Folder()
  private let ring = AudioRing()

  private func recorder(_ folder: String? = nil, _ format: SoundFile.Format = .flac) -> Recorder {
    Recorder(
      ring, folder: folder ?? self.folder.path, format: format, keeping: 0, rate: 48_000, leftFree: 0
    ) {}
  }

  /// Frame n of a hiss and of a slow wave, exact in 24 bits.
  private func frame(_ n: Int) -> SIMD2<Float> {
    SIMD2(Float(n &* 7_919 % 65_536 - 32_768) / 262_144, Float(n / 8 % 4_096) / 8_192)
  }

  private func play(_ frames: Range<Int>) {
    let block = frames.map(frame)
    ring.write(block.map(\.x), block.map(\.y), frames: block.count)
  }

  /// What a start says of the recordings in the folder.
  private func repaired(_ recorder: Recorder) -> [String] {
    recorder.repair()
    #expect(eventually { recorder.work.withLock { $0.threads } == 0 })
    return recorder.takeRepairReports()
  }

  /// The bytes of a file while more than a second of it is written, and how many frames the disk has by then.
  private func cutOff(_ format: SoundFile.Format) throws -> [UInt8] {
    let folder = Folder()
    let recorder = recorder(folder.path, format)
    recorder.start(rate: 48_000)
    #expect(eventually { recorder.state.hasFile })
    for start in stride(from: 0, to: 60_000, by: 1_000) { play(start..<start + 1_000) }
    #expect(eventually { recorder.state.seconds == 1 })
    let bytes = contents(folder.path + "/" + (try #require(folder.names.first)))
    recorder.finish(within: 60)
    return bytes
  }

  @Test(
    "The length of a finished recording is in its header, and other files have none",
    arguments: SoundFile.Format.allCases)
  func length(format: SoundFile.Format) throws {
    let recorder = recorder(nil, format)
    recorder.start(rate: 48_000)
    #expect(eventually { recorder.state.hasFile })
    play(0..<200_000)
    recorder.finish(within: 60)
    let path = folder.path + "/" + (try #require(folder.names.first))
    #expect(RecordingLength.seconds(path) == 4)
    let whole = contents(path)
    for count in [0, 3, 4, 20, 25] {
      #expect(RecordingLength.seconds(folder.file("short", Array(whole[..<count]))) == nil, "\(count)")
    }
    #expect(RecordingLength.seconds(folder.path) == nil && RecordingLength.seconds("/dev/null") == nil)
  }

  @Test(
    "What a killed program has recorded is a whole file after the next start, bit for bit",
    arguments: SoundFile.Format.allCases, 1...3)
  func killed(format: SoundFile.Format, seconds: Int) throws {
    let process = Process()
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    process.executableURL = URL(fileURLWithPath: tests).deletingLastPathComponent()
      .appendingPathComponent("recordist")
    process.arguments = [folder.path, format.rawValue]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var told = ""
    while !told.contains("\(seconds)\n") {
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty)
      told += String(decoding: data, as: UTF8.self)
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()

    let name = try #require(folder.names.first)
    #expect(folder.names.count == 1 && name.hasSuffix(".\(format.rawValue).part"))
    let said = repaired(recorder())
    #expect(said.count == 1 && said[0].contains(" was cut off; "), "\(said)")
    #expect(folder.names == [String(name.dropLast(5))])
    let heard = try frames(of: folder.path + "/" + folder.names[0])
    // FLAC keeps up to 4,096 frames until it has a block together.
    #expect(heard.count >= seconds * 48_000 - 4_096)
    let played = (0..<heard.count).map { Float($0 % 1_048_576) / 1_048_576 }.map { SIMD2($0, -$0) }
    #expect(heard == played)
    // Nothing is left to be mended.
    #expect(repaired(recorder()) == [])
  }

  @Test("A recording is named by the time zone that the machine has when it begins")
  func zones() throws {
    let process = Process()
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    process.executableURL = URL(fileURLWithPath: tests).deletingLastPathComponent()
      .appendingPathComponent("recordist")
    // 14 hours before UTC, and 12 after it: the dates always differ.
    process.arguments = [folder.path, "flac", "EAST-14", "WEST12"]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let days = Set(folder.names.map { $0.prefix(10) })
    #expect(folder.names.count == 2 && days.count == 2, "\(folder.names)")
  }

  /// What a pulled plug may leave: the file ends anywhere, or in zeros, or in what stood there before.
  @Test("A file that ends anywhere is whole up to there", arguments: SoundFile.Format.allCases)
  func cut(format: SoundFile.Format) throws {
    let bytes = try cutOff(format)
    var random = SeededRandom(5)
    var kept: [Int] = []
    for round in 0..<90 {
      let end = round < 3 ? bytes.count - round : Int.random(in: 0...bytes.count, using: &random)
      var left = Array(bytes[..<end])
      switch round % 3 {
      case 1: left += [UInt8](repeating: 0, count: Int.random(in: 1...9_000, using: &random))
      // A WAV has no check: what follows is heard.
      case 2 where format == .flac:
        left += (0..<Int.random(in: 1...9_000, using: &random)).map { _ in
          .random(in: 0...255, using: &random)
        }
      default: break
      }
      let folder = Folder()
      folder.file("take.\(format.rawValue).part", left)
      let said = repaired(recorder(folder.path))
      if folder.names == [] {
        #expect(said.count == 1 && said[0].contains("before it held any sound") && end < 12_000)
        continue
      }
      if folder.names == ["take.\(format.rawValue).part"] {
        // A header that is not there cannot be mended.
        #expect(said.count == 1 && said[0].contains("cannot repair") && end < 200, "\(said) \(end)")
        continue
      }
      #expect(folder.names == ["take.\(format.rawValue)"] && said.count == 1)
      let heard = try frames(of: folder.path + "/" + folder.names[0])
      let whole = format == .wav ? heard.prefix(max(0, end - 200) / 8) : heard[...]
      #expect(whole.elementsEqual((0..<whole.count).map(frame)), "round \(round)")
      // Of FLAC a frame more is lost where it cannot be seen that it is whole.
      if format == .flac { #expect(heard.count + 2 * 4_096 >= 60_000 * end / bytes.count - 4_096) }
      kept.append(heard.count)
    }
    #expect(kept.count > 60 && (kept.max() ?? 0) > 50_000)
  }

  @Test("What is still recorded is left to whoever records it")
  func running() throws {
    let first = recorder()
    first.start(rate: 48_000)
    #expect(eventually { first.state.hasFile })
    play(0..<10_000)
    #expect(repaired(recorder()) == [])
    #expect(folder.names.count == 1 && folder.names[0].hasSuffix(".flac.part"))
    first.finish(within: 60)
    #expect(folder.names.count == 1 && folder.names[0].hasSuffix(".flac"))
    #expect(try frames(of: folder.path + "/" + folder.names[0]) == (0..<10_000).map(frame))
  }

  @Test("What is no recording, or has a name that is taken, stays as it is")
  func strange() throws {
    folder.file("notes.part", "mine")
    folder.file("song.flac.part", String(repeating: "no sound at all ", count: 100))
    folder.file("take.wav.part", try cutOff(.wav))
    folder.file("take.wav", "mine")
    let before = folder.names
    let said = repaired(recorder())
    #expect(said.count == 2 && said[0].contains("cannot repair") && said[1].contains("there is a"), "\(said)")
    #expect(folder.names == before && contents(folder.path + "/take.wav") == Array("mine".utf8))
  }

  @Test("A full disk ends a recording, which holds what fitted", arguments: SoundFile.Format.allCases)
  func fullDisk(format: SoundFile.Format) throws {
    guard let disk = Disk(kilobytes: 256) else { return }
    let recorder = recorder(disk.folder.path, format)
    recorder.start(rate: 48_000)
    #expect(eventually { recorder.state.hasFile })
    for start in stride(from: 0, to: 200_000, by: 1_000) { play(start..<start + 1_000) }
    #expect(eventually { !recorder.state.isOn })
    let outcome = recorder.state.outcome
    #expect(recorder.state.failed && outcome.contains("No space left on device"), "\(outcome)")
    #expect(outcome.contains(": recorded 0:0"), "\(outcome)")
    #expect(disk.folder.names.count == 1 && disk.folder.names[0].hasSuffix(".\(format.rawValue)"))
    let heard = try frames(of: disk.folder.path + "/" + disk.folder.names[0])
    #expect(heard == (0..<heard.count).map(frame))
    // 256 KiB but for a block of the file system and a frame of FLAC.
    #expect(heard.count >= (format == .wav ? 30_000 : 40_000), "\(heard.count)")
  }

  @Test("A recording whose file is taken away ends, and says so")
  func removed() throws {
    let takes = folder.path + "/takes"
    let recorder = recorder(takes)
    recorder.start(rate: 48_000)
    #expect(eventually { recorder.state.hasFile })
    play(0..<60_000)
    try FileManager.default.removeItem(atPath: takes)
    #expect(eventually { !recorder.state.isOn })
    #expect(recorder.state.failed)
    #expect(recorder.state.outcome.contains("moved or removed while it was written"))
    // The next one makes its folder anew.
    recorder.start(rate: 48_000)
    #expect(eventually { recorder.state.hasFile })
    recorder.finish(within: 60)
    #expect(fileNames(in: takes)?.count == 1 && !recorder.state.failed)
  }
}
