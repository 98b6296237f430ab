import Glibc
import Scenes
import Scratch
import System
import Testing
@testable import Recording

/// What was heard, from the audio thread's ring to a file that a program of others reads.
@Suite("The recorder") struct RecorderTests {
  private let ring = AudioRing()

  /// Writes frames as the audio thread does; sample n is n / 2^20, and its opposite on the right.
  private func play(_ frames: Range<Int>) {
    for start in stride(from: frames.lowerBound, to: frames.upperBound, by: 64) {
      let block = start..<min(start + 64, frames.upperBound)
      ring.write(block.map(sample), block.map { -sample($0) }, frames: block.count)
    }
  }

  private func sample(_ frame: Int) -> Float { Float(frame) / 1_048_576 }

  private func recorder(
    _ folder: Folder, _ format: SoundFile.Format = .wav, keeping: Int = 0, leftFree: UInt64 = 0
  ) -> Recorder {
    Recorder(
      ring, folder: folder.path + "/recordings", format: format, keeping: keeping, rate: 48_000,
      leftFree: leftFree
    ) {}
  }

  /// The only file of a folder.
  private func recorded(_ folder: Folder) throws -> [SIMD2<Float>] {
    let names = try #require(fileNames(in: folder.path + "/recordings"))
    return try frames(of: folder.path + "/recordings/" + #require(names.first))
  }

  @Test(
    "A recording holds every frame that was played, sample for sample",
    arguments: SoundFile.Format.allCases)
  func exactSamples(_ format: SoundFile.Format) throws {
    let folder = Folder()
    let recorder = recorder(folder, format)
    recorder.start(rate: 48_000)
    play(0..<100_000)
    recorder.stop()
    #expect(eventually { !recorder.state.isOn })
    #expect(recorder.state.outcome.hasPrefix("recorded 0:02 into "))
    // Whole numbers of 2^-20 are exact in 24 bits as in floating point.
    #expect(try recorded(folder) == (0..<100_000).map { SIMD2(sample($0), -sample($0)) })
  }

  /// What lies on the disk while it goes on is a file that others can read: the plug may be pulled.
  @Test(
    "The file of a recording in progress can already be read by other programs",
    arguments: SoundFile.Format.allCases)
  func readableFile(_ format: SoundFile.Format) throws {
    let folder = Folder()
    let recorder = recorder(folder, format)
    recorder.start(rate: 48_000)
    play(0..<60_000)
    #expect(eventually { recorder.state.seconds == 1 })
    let name = try #require(fileNames(in: folder.path + "/recordings")?.first)
    let bytes = try readFile(folder.path + "/recordings/" + name, limit: 10_000_000)
    let copy = try NewFile(folder.path + "/pulled")
    try copy.write(bytes)
    try copy.finish()
    let frames = try frames(of: folder.path + "/pulled", isGrowing: true)
    // FLAC keeps up to 4,096 frames until it has a block together.
    #expect(
      frames.count >= 60_000 - 4_096 && frames == (0..<frames.count).map { SIMD2(sample($0), -sample($0)) })
    recorder.finish(within: 60)
    // The next begins at 0.
    recorder.start(rate: 48_000)
    #expect(recorder.state.seconds == 0)
    recorder.finish(within: 60)
  }

  @Test("Saving the last two seconds writes exactly the last 96,000 frames") func lastSeconds() throws {
    let folder = Folder()
    let recorder = recorder(folder, keeping: 2)
    play(0..<200_000)
    recorder.saveLast(rate: 48_000)
    #expect(eventually { recorder.state.outcomes == 1 })
    #expect(try recorded(folder) == (104_000..<200_000).map { SIMD2(sample($0), -sample($0)) })
  }

  @Test("A recording fails without a file if the disk has less free space than must be left")
  func fullDisk() throws {
    let folder = Folder()
    let recorder = recorder(folder, leftFree: .max)
    recorder.start(rate: 48_000)
    #expect(eventually { !recorder.state.isOn })
    #expect(recorder.state.failed && recorder.state.outcome.contains("are free on the disk"))
    #expect(fileNames(in: folder.path + "/recordings") == [])
  }

  @Test(
    "A recording ends when other programs fill the disk, and its file remains readable",
    arguments: SoundFile.Format.allCases)
  func fillingDisk(_ format: SoundFile.Format) throws {
    guard let disk = Disk(kilobytes: 8_192) else { return }
    let recorder = recorder(disk.folder, format, leftFree: 4_000_000)
    recorder.start(rate: 48_000)
    play(0..<60_000)
    #expect(eventually { recorder.state.seconds == 1 })
    #expect(recorder.state.isOn && !recorder.state.failed)
    disk.fill()
    // Nothing more is played: it is the free room that is looked at, once a second.
    #expect(eventually { !recorder.state.isOn })
    let outcome = recorder.state.outcome
    #expect(recorder.state.failed && outcome.hasPrefix("less than 4 MB are free on the disk: "), "\(outcome)")
    let names = fileNames(in: disk.folder.path + "/recordings") ?? []
    #expect(names.count == 1 && names[0].hasSuffix(".\(format.rawValue)"))
    let heard = try recorded(disk.folder)
    #expect(heard == (0..<heard.count).map { SIMD2(sample($0), -sample($0)) })
    #expect(heard.count >= 60_000 - 2 * 4_096)
  }

  @Test("A recording whose first block does not fit on the disk fails and leaves no file")
  func emptyRecording() throws {
    // Room for the header, and not for a block of noise.
    guard let disk = Disk(kilobytes: 24) else { return }
    let recorder = recorder(disk.folder, .flac)
    recorder.start(rate: 48_000)
    #expect(eventually { recorder.state.hasFile || !recorder.state.isOn })
    #expect(recorder.state.hasFile)
    var random = SeededRandom(3)
    let noise = (0..<20_000).map { _ in Float.random(in: -1..<1, using: &random) }
    ring.write(noise, noise.reversed(), frames: noise.count)
    #expect(eventually { !recorder.state.isOn })
    let outcome = recorder.state.outcome
    #expect(recorder.state.failed && !outcome.contains("recorded"), "\(outcome)")
    #expect(fileNames(in: disk.folder.path + "/recordings") == [])
  }

  @Test("Seconds that are lost because of a slow disk are reported, and the rest is recorded")
  func slowDisk() throws {
    // 65,536 frames, of which 16,384 are kept apart from the audio thread.
    ring.open(frames: 1)
    play(0..<200_000)
    let folder = Folder()
    let recorder = recorder(folder)
    let (said, endedEarly) = try recorder.writeFile(from: 0, until: 180_000, 48_000)
    let oldest = 200_000 - 65_536 + 2 * Limits.period
    #expect(
      said.hasPrefix("\(oldest / 48_000 + 1) s are missing, the disk was too slow: recorded 0:00 into "))
    #expect(!endedEarly)
    #expect(try recorded(folder) == (oldest..<180_000).map { SIMD2(sample($0), -sample($0)) })
    // All of it is gone.
    #expect(try recorder.writeFile(from: 0, until: 100_000, 48_000).text.contains("recorded 0:00"))
  }

  @Test("Saving the last two seconds saves everything if less than that was played")
  func shortHistory() throws {
    let folder = Folder()
    let recorder = recorder(folder, keeping: 2)
    play(0..<50_000)
    recorder.saveLast(rate: 48_000)
    #expect(eventually { recorder.state.outcomes == 1 })
    #expect(try recorded(folder) == (0..<50_000).map { SIMD2(sample($0), -sample($0)) })
    // It is no recording that goes on.
    #expect(!recorder.state.isOn && !recorder.state.hasFile && !recorder.state.failed)
    #expect(recorder.state.outcome.hasPrefix("recorded 0:01 into "))
  }

  @Test("The last seconds can be saved while a recording goes on") func duringRecording() throws {
    let folder = Folder()
    let recorder = recorder(folder, keeping: 2)
    play(0..<96_000)
    recorder.start(rate: 48_000)
    #expect(eventually { recorder.state.hasFile })
    let name = recorder.state.file
    play(96_000..<100_000)
    recorder.saveLast(rate: 48_000)
    #expect(eventually { recorder.state.outcomes == 1 })
    #expect(recorder.state.isOn && recorder.state.hasFile && recorder.state.file == name)
    // A second start changes nothing.
    recorder.start(rate: 48_000)
    play(100_000..<104_000)
    recorder.finish(within: 60)
    #expect(recorder.state.outcomes == 2 && !recorder.state.isOn && !recorder.state.hasFile)
    let path = folder.path + "/recordings/"
    #expect(fileNames(in: path)?.count == 2)
    // From the moment of the start, to that of the stop.
    #expect(try frames(of: path + name) == (96_000..<104_000).map { SIMD2(sample($0), -sample($0)) })
    let other = try #require(fileNames(in: path)?.first { $0 != name })
    #expect(try frames(of: path + other) == (4_000..<100_000).map { SIMD2(sample($0), -sample($0)) })
  }

  @Test("Each recording gets a unique file name with its date and time") func uniqueNames() throws {
    let folder = Folder()
    let recorder = recorder(folder, .flac)
    var names: Set<String> = []
    for round in 1...4 {
      recorder.start(rate: 48_000)
      #expect(eventually { recorder.state.hasFile })
      names.insert(recorder.state.file)
      play(0..<10)
      recorder.finish(within: 60)
      #expect(recorder.state.outcomes == round)
    }
    #expect(names.count == 4 && names == Set(fileNames(in: folder.path + "/recordings") ?? []))
    for name in names {
      // As 2026-11-24 20.40.33.flac, or 2026-11-24 20.40.33 (2).flac.
      #expect(name.hasPrefix("20") && name.hasSuffix(".flac"))
      let shape = name.prefix(19).map { $0.isNumber ? "0" : String($0) }.joined()
      #expect(shape == "0000-00-00 00.00.00", "\(name)")
    }
  }

  @Test("The length of a recording is shown as minutes and seconds") func lengthText() {
    let lengths = [0, 9, 10, 59, 60, 61, 600, 3_599, 3_600].map { Recorder.length($0) }
    #expect(lengths == ["0:00", "0:09", "0:10", "0:59", "1:00", "1:01", "10:00", "59:59", "60:00"])
  }

  @Test("A recording fails with an error if its folder cannot be made") func folderError() throws {
    let recorder = Recorder(ring, folder: "/proc/none", format: .flac, keeping: 0, rate: 48_000) {}
    recorder.start(rate: 48_000)
    #expect(eventually { !recorder.state.isOn })
    #expect(recorder.state.failed && recorder.state.outcome.contains("cannot make the folder none in /proc"))
  }

  @Test("An audio ring reports that frames were overwritten before they were read")
  func overwrittenFrames() throws {
    ring.open(frames: 1)
    let room = UnsafeMutableBufferPointer<AudioRing.Frame>.allocate(capacity: 1_000)
    defer { room.deallocate() }
    play(0..<100)
    #expect(ring.read(from: 0, into: room) == 100)
    #expect(room[99] == SIMD2(sample(99), -sample(99)))
    #expect(ring.read(from: 100, into: room) == 0)
    play(100..<200_000)
    #expect(ring.read(from: 100, into: room) == nil)
    #expect(ring.read(from: ring.oldest, into: room) == 1_000)
    #expect(room[0].x == sample(Int(ring.oldest)))
  }
}
