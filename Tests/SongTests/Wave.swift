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
