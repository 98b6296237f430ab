import Foundation
import Scenes
import Scratch
import System
import Testing
@testable import Recording

/// A recording on the disk: what is there while it grows, when the power fails, and when it is ended.
struct SoundFileTests {
  private let folder = Folder()

  /// Frame n is n / 2^20, and its opposite on the right.
  private func frames(_ range: Range<Int>) -> [SIMD2<Float>] {
    range.map { SIMD2(Float($0), -Float($0)) / 1_048_576 }
  }

  private func write(_ range: Range<Int>, to file: SoundFile) throws {
    try frames(range).withUnsafeBufferPointer { try file.write($0) }
  }

  private func number(_ bytes: [UInt8], _ place: Int, _ count: Int = 4) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }

  /// Where the chunk of a name begins behind its length, and that length.
  private func chunk(_ name: String, _ bytes: [UInt8]) -> (place: Int, length: Int)? {
    var place = 12
    while place + 8 <= bytes.count {
      let length = number(bytes, place + 4)
      if bytes[place..<place + 4].elementsEqual(name.utf8) { return (place + 8, length) }
      place += 8 + length + length % 2
    }
    return nil
  }

  @Test("The header of a WAV says after each sync how long the file is by then")
  func header() throws {
    let path = folder.path + "/take.wav"
    let file = try SoundFile(path, .wav, rate: 44_100)
    var end = 0
    for count in [1_000, 1, 30_000] {
      try write(end..<end + count, to: file)
      end += count
      try file.sync()
      let bytes = contents(path + ".part")
      let (data, length) = try #require(chunk("data", bytes))
      #expect(length == end * 8 && bytes.count == data + length)
      #expect(number(bytes, 4) == bytes.count - 8 && bytes.starts(with: "RIFF".utf8))
      let fact = try #require(chunk("fact", bytes))
      #expect(number(bytes, fact.place) == end)
      // It would hold the time at which it was written: no two recordings of one sound would be alike.
      #expect(chunk("PEAK", bytes) == nil)
      let format = try #require(chunk("fmt ", bytes)).place
      #expect(number(bytes, format + 2, 2) == 2 && number(bytes, format + 4) == 44_100)
      // Floating point of 32 bits, the left side first.
      #expect(number(bytes, format + 14, 2) == 32)
      #expect(Float(bitPattern: UInt32(number(bytes, data + 8 * (end - 1)))) == Float(end - 1) / 1_048_576)
    }
    #expect(try file.finish() == 31_001)
    #expect(folder.names == ["take.wav"])
  }

  @Test(
    "What was written before a sync is on the disk when the power fails", arguments: SoundFile.Format.allCases
  )
  func powerCut(format: SoundFile.Format) throws {
    let cut = PowerCut(folder)
    let path = folder.path + "/take.\(format.rawValue)"
    let file = try SoundFile(path, format, rate: 48_000)
    // The name was kept when the file was begun.
    #expect(cut.folderSyncs == 1)
    try write(0..<30_000, to: file)
    try file.sync()
    let left = Folder()
    for (name, bytes) in cut.files { left.file(name, bytes) }
    let repaired = try #require(try SoundFile.repair(left.path + "/take.\(format.rawValue)"))
    // FLAC keeps up to 4,096 frames until it has a block together.
    let least = format == .wav ? 30_000 : 30_000 - 4_096
    #expect(repaired.rate == 48_000 && (least...30_000).contains(repaired.frames), "\(repaired)")
    #expect(
      try heardFrames(left.path + "/" + #require(left.names.first)) == frames(0..<repaired.frames))
    try write(30_000..<40_000, to: file)
    #expect(try file.finish() == 40_000)
    // The end and the name of the whole file, too.
    #expect(cut.folderSyncs == 2)
    let whole = try #require(cut.files["take.\(format.rawValue)"])
    let other = Folder()
    other.file("whole", whole)
    let heard = try heardFrames(other.path + "/whole", isGrowing: format == .flac)
    #expect(heard.count >= (format == .wav ? 40_000 : 40_000 - 4_096) && heard == frames(0..<heard.count))
  }

  @Test("A mended file is on the disk with its name", arguments: SoundFile.Format.allCases)
  func mendedPowerCut(format: SoundFile.Format) throws {
    let name = "take.\(format.rawValue)"
    let begun = Folder()
    let file = try SoundFile(begun.path + "/" + name, format, rate: 48_000)
    try write(0..<9_000, to: file)
    try file.sync()
    let cutOff = contents(begun.path + "/" + name + ".part")
    _ = try file.finish()
    // What was already ended is mended to the same length, but for nothing.
    let (cut, whole) = (PowerCut(folder), contents(begun.path + "/" + name))
    for (bytes, isWhole) in [(cutOff, false), (whole, true)] {
      unlink(folder.path + "/" + name)
      folder.file(name + ".part", bytes)
      let before = cut.folderSyncs
      let repaired = try #require(try SoundFile.repair(folder.path + "/" + name))
      #expect(repaired.frames == (isWhole || format == .wav ? 9_000 : 8_192), "\(repaired)")
      #expect(folder.names == [name] && cut.folderSyncs == before + 1)
      #expect(cut.files[name] == contents(folder.path + "/" + name))
      #expect(try heardFrames(folder.path + "/" + name) == frames(0..<repaired.frames))
    }
  }

  @Test("A FLAC of more frames than one byte counts is mended as a whole")
  func manyFrames() throws {
    let path = folder.path + "/take.flac"
    // 2,100 blocks of 4,096 frames: their numbers have one, two and three bytes.
    let silence = [SIMD2<Float>](repeating: .zero, count: 4_096)
    let file = try SoundFile(path, .flac, rate: 48_000)
    for _ in 0..<2_100 { try silence.withUnsafeBufferPointer { try file.write($0) } }
    try write(0..<1_234, to: file)
    _ = try file.finish()
    #expect(rename(path, path + ".part") == 0)
    #expect(try SoundFile.repair(path) == RepairedRecording(frames: 2_100 * 4_096 + 1_234, rate: 48_000))
    // How many there are stands in the 36 bits behind the sizes and the rate.
    let bytes = contents(path)
    let told = bytes[21..<26].reduce(0) { $0 << 8 | Int($1) } & 0xF_FFFF_FFFF
    #expect(told == 2_100 * 4_096 + 1_234)
  }

  @Test("Louder than full scale is full scale in FLAC, and what it is in WAV")
  func loud() throws {
    for format in SoundFile.Format.allCases {
      let path = folder.path + "/loud.\(format.rawValue)"
      let file = try SoundFile(path, format, rate: 48_000)
      let loud: [SIMD2<Float>] = [SIMD2(1.5, -1.5), SIMD2(-2, 0.25), SIMD2(1, -1)]
      try loud.withUnsafeBufferPointer { try file.write($0) }
      #expect(try file.finish() == 3)
      let heard = try heardFrames(path)
      if format == .wav {
        #expect(heard == loud)
      } else {
        let one: Float = 1 - 1 / 8_388_608
        #expect(heard == [SIMD2(one, -1), SIMD2(-1, 0.25), SIMD2(one, -1)])
      }
    }
  }

  @Test(
    "Nothing is written over: neither what is there, nor what a link leads to, nor what has the name at the end"
  )
  func taken() throws {
    let path = folder.path + "/take.wav"
    folder.file("take.wav.part", "mine")
    #expect(throws: FileError.self) { _ = try SoundFile(path, .wav, rate: 48_000) }
    #expect(contents(path + ".part") == Array("mine".utf8))
    unlink(path + ".part")
    folder.file("other", "mine")
    #expect(symlink("other", path + ".part") == 0)
    #expect(throws: FileError.self) { _ = try SoundFile(path, .wav, rate: 48_000) }
    #expect(throws: FileError.self) { _ = try SoundFile.repair(path) }
    #expect(contents(folder.path + "/other") == Array("mine".utf8))
    unlink(path + ".part")
    let file = try SoundFile(path, .wav, rate: 48_000)
    try write(0..<10, to: file)
    folder.file("take.wav", "mine")
    #expect {
      _ = try file.finish()
    } throws: { error in
      "\(error)".contains("there is a \(path) already")
    }
    #expect(contents(path) == Array("mine".utf8) && folder.names.contains("take.wav.part"))
  }

  @Test(
    "A WAV of 4 GiB that was cut off is an ordinary one, and a byte more is an RF64 with lengths of 64 bits")
  func long() throws {
    let begun = Folder()
    let file = try SoundFile(begun.path + "/take.wav", .wav, rate: 48_000)
    try write(0..<10, to: file)
    try file.sync()
    let cutOff = contents(begun.path + "/take.wav.part")
    _ = try file.finish()
    let data = try #require(chunk("data", cutOff)).place
    // As many frames as a length of 32 bits can tell, and one more; the file is a hole.
    let most = (Int(UInt32.max) + 8 - data) / 8
    for frames in [most, most + 1] {
      let path = folder.path + "/take.wav"
      unlink(path)
      folder.file("take.wav.part", cutOff)
      // The last frame is not whole.
      #expect(truncate(path + ".part", data + 8 * frames + 5) == 0)
      #expect(try SoundFile.repair(path) == RepairedRecording(frames: frames, rate: 48_000))
      var status = stat()
      #expect(stat(path, &status) == 0 && Int(status.st_size) == data + 8 * frames)
      let header = try bytes(of: path, data)
      let isLong = frames > most
      let size = data + 8 * frames
      #expect(header.starts(with: (isLong ? "RF64" : "RIFF").utf8))
      #expect(number(header, 4) == (isLong ? 0xFFFF_FFFF : size - 8))
      #expect(number(header, data - 4) == (isLong ? 0xFFFF_FFFF : 8 * frames))
      if let fact = chunk("fact", header) {
        #expect(number(header, fact.place) == (isLong ? 0xFFFF_FFFF : frames))
      }
      if isLong {
        let place = try #require(chunk("ds64", header)).place
        #expect(number(header, place, 8) == size - 8 && number(header, place + 8, 8) == 8 * frames)
        #expect(number(header, place + 16, 8) == frames)
      }
    }
  }

  /// The first bytes of a file.
  private func bytes(of path: String, _ count: Int) throws -> [UInt8] {
    let file = try #require(FileHandle(forReadingAtPath: path))
    return try Array(#require(try file.read(upToCount: count)))
  }
}

private func heardFrames(_ path: String, isGrowing: Bool = false) throws -> [SIMD2<Float>] {
  try frames(of: path, isGrowing: isGrowing)
}
