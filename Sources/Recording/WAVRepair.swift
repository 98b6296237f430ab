import Glibc
import System

/// Repairs an unfinished WAV file: writes its length into the header. Below 4 GiB it becomes a plain WAV, and above
/// that an RF64 (EBU Tech 3306), like a recording that ended normally.
enum WAVRepair {
  /// More bytes than the chunks before the sound have.
  private static let headerBytes = 4096

  /// Repairs the file that is open as `file`, and returns its length. Throws if it does not begin as WAV, or cannot be
  /// written.
  static func repair(_ file: Int32, _ path: String) throws(FileError) -> RepairedRecording {
    var header = try bytes(of: file, path, at: 0, headerBytes)
    var facts = stat()
    if fstat(file, &facts) != 0 { throw FileError("repair", path) }
    let offsets = chunks(header)
    guard let format = offsets["fmt "], let data = offsets["data"], let rate = number(header, format + 4, 4),
      let frameBytes = number(header, format + 12, 2), rate > 0, frameBytes > 0
    else { throw FileError("repair", path, "it does not begin as a WAV file") }

    let frames = max(0, Int(facts.st_size) - data) / frameBytes
    let (length, end) = (frames * frameBytes, data + frames * frameBytes)
    let isLong = end - 8 > Int(UInt32.max)
    guard let long = offsets["ds64"] ?? offsets["JUNK"] ?? (isLong ? nil : 0) else {
      throw FileError("repair", path, "it is too long for its header")
    }
    func put(_ number: Int, _ offset: Int, _ count: Int) {
      for byte in 0..<count { header[offset + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
    }
    func put(_ name: String, _ offset: Int) { header.replaceSubrange(offset..<offset + 4, with: name.utf8) }
    let unknown = Int(UInt32.max)
    put(isLong ? "RF64" : "RIFF", 0)
    put(isLong ? unknown : end - 8, 4, 4)
    put(isLong ? unknown : length, data - 4, 4)
    if let fact = offsets["fact"] { put(isLong ? unknown : frames, fact, 4) }
    if long > 0 {
      put(isLong ? "ds64" : "JUNK", long - 8)
      put(end - 8, long, 8)
      put(length, long + 8, 8)
      put(frames, long + 16, 8)
    }
    if ftruncate(file, end) != 0 { throw FileError("repair", path) }
    try overwrite(file, path, Array(header[..<data]), at: 0)
    return RepairedRecording(frames: frames, rate: rate)
  }

  /// The offset of the content of each chunk, up to the sound.
  static func chunks(_ header: [UInt8]) -> [String: Int] {
    guard let name = name(header, 0), ["RIFF", "RF64"].contains(name), self.name(header, 8) == "WAVE" else {
      return [:]
    }
    var offsets: [String: Int] = [:]
    var offset = 12
    while let name = self.name(header, offset), let length = number(header, offset + 4, 4) {
      offsets[name] = offset + 8
      if name == "data" { break }
      // It must hold the lengths that are written into it.
      if name == "ds64" || name == "JUNK", length < 24 { offsets[name] = nil }
      offset += 8 + length + length % 2
    }
    return offsets
  }

  private static func name(_ header: [UInt8], _ offset: Int) -> String? {
    guard offset <= header.count - 8 else { return nil }
    return String(decoding: header[offset..<offset + 4], as: UTF8.self)
  }

  static func number(_ header: [UInt8], _ offset: Int, _ count: Int) -> Int? {
    guard offset <= header.count - count else { return nil }
    return (0..<count).reduce(0) { $0 | Int(header[offset + $1]) << (8 * $1) }
  }
}
