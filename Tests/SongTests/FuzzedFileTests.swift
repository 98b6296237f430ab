import Glibc
import Scratch
import Song
import Testing

/// Files that nobody meant, made from the odd ones by chance. `.ci/full` runs more of them under AddressSanitizer:
/// `PIPIT_INPUTS=50000 swift test --sanitize=address --filter FuzzedFileTests`.
struct FuzzedFileTests {
  private var seed: UInt64 { SeededRandom.chosenSeed ?? 1 }
  private var inputs: Int { getenv("PIPIT_INPUTS").flatMap { Int(String(cString: $0)) } ?? 2_000 }

  @Test("Whatever a file holds, it is played or refused, within bounds, and every note that begins ends")
  func files() {
    var random = SeededRandom(seed)
    let seeds = OddFile.all.filter { $0.bytes.count < 1_000 }
    var (strictly, played, warned, notes) = (0, 0, 0, 0)
    for _ in 0..<inputs {
      let bytes = spoilt(seeds[.random(in: 0..<seeds.count, using: &random)].bytes, &random)
      let strict = try? Song(bytes, strict: true)
      let song = try? Song(bytes)
      if strict != nil { strictly += 1 }
      // What is right is right for both.
      if strict != nil && song == nil { Issue.record("refused, and played strictly: \(bytes)") }
      guard let song else { continue }
      played += 1
      if !song.warnings.isEmpty { warned += 1 }
      if let strict, song.warnings.isEmpty, strict.messages != song.messages || strict.length != song.length {
        Issue.record("played otherwise than strictly: \(bytes)")
      }
      let heard = Heard(song)
      notes += heard.notes.count
      let isSound = heard.allEnd && heard.isInOrder && (0...86_400).contains(song.length)
      if !isSound { Issue.record("\(heard) of \(bytes)") }
      if Set(song.warnings.map { $0.kind }).count < song.warnings.count {
        Issue.record("said twice: \(bytes)")
      }
    }
    print(
      "fuzzing: seed \(seed), \(inputs) songs, \(strictly) without fault, \(played) played, \(notes) notes")
    #expect(strictly > inputs / 100 && strictly < inputs / 2)
    #expect(played > inputs / 2 && played < inputs && warned > inputs / 4 && notes > inputs / 2)
  }

  @Test("Noise behind a header waits nowhere for more than a minute, and says where it would have")
  func noise() throws {
    var random = SeededRandom(seed)
    var shortened = 0
    for round in 0..<12 {
      let noise = (0..<(round < 2 ? 86_000 : 4_000)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let resolution = UInt8.random(in: 0...255, using: &random)
      let head: [UInt8] = [0, 0, 0, 6, 0, 0, 0, 1, resolution, 96]
      let length: [UInt8] = [0, 1, 0x4F, 0xF0]
      var file: [UInt8] = Array("MThd".utf8)
      for piece in [head, Array("MTrk".utf8), length, noise] { file += piece }
      guard let song = try? Song(file) else { continue }
      let happens = (song.messages.map(\.seconds) + song.tempos.map(\.seconds)).sorted()
      let times = [0] + happens + [song.length]
      #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 <= 60.001 })
      if let pause = song.warnings.first(where: { $0.kind == .pause }) {
        shortened += 1
        #expect(pause.description.contains("seconds nothing happens for"))
      }
    }
    #expect(shortened > 4)
  }

  private func spoilt(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
      guard place < bytes.count else { break }
      switch Int.random(in: 0..<8, using: &random) {
      case 0: bytes.remove(at: place)
      case 1: bytes.insert(.random(in: 0...255, using: &random), at: place)
      case 2: bytes[place] = .random(in: 0...255, using: &random)
      case 3: bytes[place] = [0, 1, 0x7F, 0x80, 0x90, 0xF0, 0xFE, 0xFF].randomElement(using: &random) ?? 0
      case 4: bytes.removeLast(min(bytes.count - 1, .random(in: 0..<8, using: &random)))
      // A piece of it comes twice.
      case 5:
        let end = min(bytes.count, place + .random(in: 1...24, using: &random))
        bytes.insert(contentsOf: Array(bytes[place..<end]), at: .random(in: 0...bytes.count, using: &random))
      default: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      }
    }
    return bytes
  }
}
