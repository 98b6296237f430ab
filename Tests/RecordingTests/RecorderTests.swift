import Glibc
import Scratch
import Synth
import System
import Testing

@testable import Recording

/// What was heard, from the audio thread's ring to a file that a program of others reads.
@Suite struct RecorderTests {
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

  private func waitUntil(_ condition: () -> Bool) {
    let end = monotonic() + 60_000_000_000
    while !condition(), monotonic() < end { sleep(until: monotonic() + 5_000_000) }
    #expect(condition())
  }

  /// The only file of a folder.
  private func recorded(_ folder: Folder) throws -> [SIMD2<Float>] {
    let names = try #require(fileNames(in: folder.path + "/recordings"))
    return try frames(of: folder.path + "/recordings/" + #require(names.first))
  }

  @Test(arguments: SoundFile.Format.allCases)
  func aRecordingIsWhatWasHeard(_ format: SoundFile.Format) throws {
    let folder = Folder()
    let recorder = recorder(folder, format)
    recorder.start(rate: 48_000)
    play(0..<100_000)
    recorder.stop()
    waitUntil { !recorder.state.isOn }
    #expect(recorder.state.outcome.hasPrefix("recorded 0:02 into "))
    // Whole numbers of 2^-20 are exact in 24 bits as in floating point.
    #expect(try recorded(folder) == (0..<100_000).map { SIMD2(sample($0), -sample($0)) })
  }

  /// What lies on the disk while it goes on is a file that others can read: the plug may be pulled.
  @Test(arguments: SoundFile.Format.allCases)
  func aRecordingThatGoesOnIsWholeAlready(_ format: SoundFile.Format) throws {
    let folder = Folder()
    let recorder = recorder(folder, format)
    recorder.start(rate: 48_000)
    play(0..<60_000)
    waitUntil { recorder.state.seconds == 1 }
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
  }

  @Test func theLastSecondsAreKept() throws {
    let folder = Folder()
    let recorder = recorder(folder, keeping: 2)
    play(0..<200_000)
    recorder.saveLast(rate: 48_000)
    waitUntil { recorder.state.outcomes == 1 }
    #expect(try recorded(folder) == (104_000..<200_000).map { SIMD2(sample($0), -sample($0)) })
  }

  @Test func aFullDiskIsLeftRoom() throws {
    let folder = Folder()
    let recorder = recorder(folder, leftFree: .max)
    recorder.start(rate: 48_000)
    waitUntil { !recorder.state.isOn }
    #expect(recorder.state.failed && recorder.state.outcome.contains("are free on the disk"))
    #expect(fileNames(in: folder.path + "/recordings") == [])
  }

  @Test func aFolderThatCannotBeMadeIsSaid() throws {
    let recorder = Recorder(ring, folder: "/proc/none", format: .flac, keeping: 0, rate: 48_000) {}
    recorder.start(rate: 48_000)
    waitUntil { !recorder.state.isOn }
    #expect(recorder.state.failed && recorder.state.outcome.contains("cannot make the folder none in /proc"))
  }

  @Test func aRingSaysWhatWasWrittenOver() throws {
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
