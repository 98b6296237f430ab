import Glibc

/// A WAV as another program reads it: by its chunks, believing only what they say.
struct Wave {
  var tag = 0
  var channels = 0
  var rate = 0
  var bytesPerSecond = 0
  var frameBytes = 0
  var bits = 0
  var fact: Int?
  /// Left and right by turns, full scale is 1.
  var samples: [Float] = []

  /// Nil when the file is not whole to the last byte.
  init?(_ bytes: [UInt8]) {
    func word(_ place: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    func name(_ place: Int) -> String { String(decoding: bytes[place..<place + 4], as: UTF8.self) }
    guard bytes.count >= 12, name(0) == "RIFF", name(8) == "WAVE", word(4, 4) == bytes.count - 8 else {
      return nil
    }
    var place = 12
    while place + 8 <= bytes.count {
      let (kind, length, body) = (name(place), word(place + 4, 4), place + 8)
      guard body + length <= bytes.count else { return nil }
      switch kind {
      case "fmt ":
        (tag, channels, rate) = (word(body, 2), word(body + 2, 2), word(body + 4, 4))
        (bytesPerSecond, frameBytes, bits) = (word(body + 8, 4), word(body + 12, 2), word(body + 14, 2))
        if tag != 1 && (length != 18 || word(body + 16, 2) != 0) { return nil }
      case "fact": fact = word(body, 4)
      case "data":
        let width = bits / 8
        samples = stride(from: body, to: body + length, by: width).map { place in
          let raw = word(place, width)
          if tag == 3 { return Float(bitPattern: UInt32(raw)) }
          return Float((raw << (64 - bits)) >> (64 - bits)) / Float(1 << (bits - 1))
        }
      default: return nil
      }
      place = body + length + length % 2
    }
    if place != bytes.count { return nil }
  }
}

/// A folder of its own for a test, empty, and gone after it with the files in it.
final class Folder {
  let path: String

  init() {
    var name = Array("/tmp/pipit-song-XXXXXX".utf8CString)
    path = mkdtemp(&name).map { String(cString: $0) } ?? "/nowhere"
  }

  deinit {
    for name in names(path) { unlink(path + "/" + name) }
    rmdir(path)
  }
}

/// The bytes of a file; none when it cannot be read.
func contents(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { return [] }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
  return bytes
}

/// The names in a folder, sorted.
func names(_ folder: String) -> [String] {
  guard let directory = opendir(folder) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if !name.hasPrefix(".") { names.append(name) }
  }
  return names.sorted()
}
