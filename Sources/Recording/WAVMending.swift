import Glibc
import System

/// Mends a WAV file that was not ended: its header says how long the file is. Below 4 GiB it is an ordinary WAV, and
/// above that an RF64 (EBU Tech 3306), as when it had been ended.
enum WAVMending {
  /// The chunks in front of the sound take less.
  private static let headerBytes = 4096

  /// Mends the file that is open as `file`. What it then holds. Throws where no WAV begins, and where it cannot be written.
  static func mend(_ file: Int32, _ path: String) throws(FileError) -> Mended {
    var header = try bytes(of: file, path, at: 0, headerBytes)
    var facts = stat()
    if fstat(file, &facts) != 0 { throw FileError("mend", path) }
    let places = chunks(header)
    guard let format = places["fmt "], let data = places["data"], let rate = number(header, format + 4, 4),
      let frameBytes = number(header, format + 12, 2), rate > 0, frameBytes > 0
    else { throw FileError("mend", path, "it does not begin as a WAV file") }

    let frames = max(0, Int(facts.st_size) - data) / frameBytes
    let (length, end) = (frames * frameBytes, data + frames * frameBytes)
    let isLong = end - 8 > Int(UInt32.max)
    guard let long = places["ds64"] ?? places["JUNK"] ?? (isLong ? nil : 0) else {
      throw FileError("mend", path, "it is too long for its header")
    }
    func put(_ number: Int, _ place: Int, _ count: Int) {
      for byte in 0..<count { header[place + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
    }
    func put(_ name: String, _ place: Int) { header.replaceSubrange(place..<place + 4, with: name.utf8) }
    let unknown = Int(UInt32.max)
    put(isLong ? "RF64" : "RIFF", 0)
    put(isLong ? unknown : end - 8, 4, 4)
    put(isLong ? unknown : length, data - 4, 4)
    if let fact = places["fact"] { put(isLong ? unknown : frames, fact, 4) }
    if long > 0 {
      put(isLong ? "ds64" : "JUNK", long - 8)
      put(end - 8, long, 8)
      put(length, long + 8, 8)
      put(frames, long + 16, 8)
    }
    if ftruncate(file, end) != 0 { throw FileError("mend", path) }
    try overwrite(file, path, Array(header[..<data]), at: 0)
    return Mended(frames: frames, rate: rate)
  }

  /// Where the contents of the chunks begin, up to that of the sound.
  private static func chunks(_ header: [UInt8]) -> [String: Int] {
    guard let name = name(header, 0), ["RIFF", "RF64"].contains(name), self.name(header, 8) == "WAVE" else {
      return [:]
    }
    var places: [String: Int] = [:]
    var place = 12
    while let name = self.name(header, place), let length = number(header, place + 4, 4) {
      places[name] = place + 8
      if name == "data" { break }
      // The lengths that are written into it must be there.
      if name == "ds64" || name == "JUNK", length < 24 { places[name] = nil }
      place += 8 + length + length % 2
    }
    return places
  }

  private static func name(_ header: [UInt8], _ place: Int) -> String? {
    guard place <= header.count - 8 else { return nil }
    return String(decoding: header[place..<place + 4], as: UTF8.self)
  }

  private static func number(_ header: [UInt8], _ place: Int, _ count: Int) -> Int? {
    guard place <= header.count - count else { return nil }
    return (0..<count).reduce(0) { $0 | Int(header[place + $1]) << (8 * $1) }
  }
}
