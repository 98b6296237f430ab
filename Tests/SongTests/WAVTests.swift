import Glibc
import Scratch
import System
import Testing

@testable import Song

@Suite("A WAV")
struct WAVTests {
  private let place = Folder()
  private var folder: String { place.path }

  private static let left: [Float] = [0, 1, -1, 0.5, 2, -2, 1e-5, .nan, .infinity]
  private static let right: [Float] = [0.25, -0.25, 0, 0, 0, 0, 0, 0, -.infinity]

  private func write(_ format: WAVFormat, to path: String, times: Int = 1) throws {
    let file = try WAVFile(path: path, format: format, rate: 44_100)
    for _ in 0..<times { try file.write(left: Self.left, right: Self.right, frames: Self.left.count) }
    #expect(file.frames == times * Self.left.count)
    try file.finish()
  }

  @Test("says what it is and holds every sample", arguments: WAVFormat.allCases)
  func roundTrip(format: WAVFormat) throws {
    let path = folder + "/\(format).wav"
    // Longer than the writer's buffer.
    let times = 3_000
    try write(format, to: path, times: times)
    let bytes = contents(path)
    let wav = try #require(Wave(bytes))
    #expect(wav.tag == (format == .f32 ? 3 : 1))
    #expect(wav.channels == 2 && wav.rate == 44_100 && wav.bits == 8 * format.bytes)
    #expect(wav.frameBytes == 2 * format.bytes && wav.bytesPerSecond == 44_100 * 2 * format.bytes)
    #expect(wav.fact == (format == .f32 ? times * Self.left.count : nil))
    #expect(wav.samples.count == 2 * times * Self.left.count)
    // The last time round, so that nothing was lost in between. A whole number is at most half a step off.
    let step: Float = format == .s16 ? 1 / 32_768 : 1 / 8_388_608
    for (index, sample) in wav.samples.suffix(2 * Self.left.count).enumerated() {
      let wanted = index % 2 == 0 ? Self.left[index / 2] : Self.right[index / 2]
      if format == .f32 {
        #expect(sample.bitPattern == wanted.bitPattern)
      } else {
        let inside = wanted.isNaN ? 0 : max(-1, min(wanted, 1 - step))
        #expect(abs(sample - inside) <= step / 2)
      }
    }
  }

  @Test("without a sample is whole")
  func empty() throws {
    let path = folder + "/empty.wav"
    try WAVFile(path: path, format: .f32, rate: 48_000).finish()
    #expect(Wave(contents(path))?.samples == [])
  }

  @Test("that is not finished leaves nothing behind, and what was there before stays")
  func unfinished() throws {
    let path = folder + "/half.wav"
    try write(.s16, to: path)
    let before = contents(path)
    do {
      let file = try WAVFile(path: path, format: .f32, rate: 48_000)
      try file.write(left: Self.left, right: Self.right, frames: 9)
      #expect(contents(path) == before)
      #expect(place.names.count == 2)
    }
    #expect(contents(path) == before)
    #expect(place.names == ["half.wav"])
  }

  @Test("replaces the file that a link leads to, not the link")
  func link() throws {
    try write(.s16, to: folder + "/real.wav")
    #expect(symlink("real.wav", folder + "/link.wav") == 0)
    try write(.f32, to: folder + "/link.wav")
    #expect(Wave(contents(folder + "/real.wav"))?.tag == 3)
    #expect(place.names == ["link.wav", "real.wav"])
  }

  @Test("that cannot be written says where and why")
  func errors() throws {
    func complaint(_ path: String) -> String {
      do {
        try write(.s16, to: path, times: 10_000)
        return ""
      } catch { return "\(error)" }
    }
    #expect(complaint(folder + "/no/x.wav") == "cannot write \(folder)/no/x.wav: No such file or directory")
    #expect(complaint(folder) == "cannot write \(folder): it is a folder")
    #expect(complaint("/dev/full") == "cannot write /dev/full: No space left on device")
    #expect(complaint("/dev/null") == "")
  }

  @Test(
    "goes into a pipe as a stream of no given length, as fast as that is read, and gives up when it is told to"
  )
  func pipe() throws {
    let path = folder + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    let descriptor = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(descriptor) }
    // More than a pipe holds, and nobody reads.
    let full = try WAVFile(path: path, format: .f32, rate: 48_000) { true }
    let block = [Float](repeating: 0.5, count: 1 << 15)
    #expect(throws: FileError.self) { try full.write(left: block, right: block, frames: block.count) }
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while read(descriptor, &piece, piece.count) > 0 {}

    var bytes: [UInt8] = []
    let done = Mutex(false)
    let folder = self.folder
    let writer = TestThread {
      try? WAVTests().write(.f32, to: folder + "/pipe", times: 10_000)
      done.withLock { $0 = true }
      return 0
    }
    var readable = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let wasDone = done.withLock { $0 }
      let count = read(descriptor, &piece, piece.count)
      if count > 0 { bytes += piece[..<count] } else if wasDone { break } else { poll(&readable, 1, 1_000) }
    }
    writer.result()
    try write(.f32, to: folder + "/file.wav", times: 10_000)
    let file = contents(folder + "/file.wav")
    #expect(bytes.count == file.count && bytes.suffix(100_000) == file.suffix(100_000))
    #expect(bytes[4..<8].allSatisfy { $0 == 255 })
  }

  @Test("never grows beyond what its header can say")
  func tooLong() throws {
    let file = try WAVFile(path: "/dev/null", format: .f32, rate: 192_000)
    let block = [Float](repeating: 0, count: 1 << 10)
    // The size is checked before anything is read, so a count that is a lie does no harm here.
    #expect(throws: FileError.self) { try file.write(left: block, right: block, frames: 1 << 29) }
    try file.write(left: block, right: block, frames: block.count)
    #expect(file.frames == block.count)
  }

  @Test("says its length also when it is the longest there may be", arguments: WAVFormat.allCases)
  func longest(format: WAVFormat) {
    let frames = WAVFile.maxBytes / (2 * format.bytes)
    let header = format.header(rate: 48_000, frames: frames)
    func word(_ place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(header[place + $1]) << (8 * $1) } }
    #expect(word(4) == header.count - 8 + frames * 2 * format.bytes)
    #expect(word(header.count - 4) == frames * 2 * format.bytes)
    // No more than a hundred bytes of what a length of 32 bits can tell are given away.
    #expect(frames * 2 * format.bytes > Int(UInt32.max) - 120)
  }
}
