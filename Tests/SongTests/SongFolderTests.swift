import Foundation
import Scenes
import Song
import Testing

/// The songs of a folder and those below it: `PIPIT_SONGS=FOLDER packaging/test --filter SongFolderTests`. Strokes and
/// offs are counted by a reader that shares nothing with pipit's.
struct SongFolderTests {
  private static let folder = ProcessInfo.processInfo.environment["PIPIT_SONGS"]

  /// The notes on and off of a file of quarter notes; nil for others, and for those that are not as the standard has
  /// them.
  private struct Reader {
    let division: Int
    /// Ticks with their keys, channel times 128 and key, in order of ticks.
    private(set) var moves: [(tick: Int, key: Int, isOn: Bool)] = []
    private let bytes: [UInt8]
    private var place = 14

    init?(_ bytes: [UInt8]) {
      self.bytes = bytes
      guard bytes.count > 22, Array(bytes[..<4]) == Array("MThd".utf8), bytes[7] == 6, bytes[9] < 2,
        bytes[12] < 128
      else { return nil }
      division = Int(bytes[12]) << 8 | Int(bytes[13])
      while place + 8 <= bytes.count {
        let size = bytes[(place + 4)..<(place + 8)].reduce(0) { $0 << 8 | Int($1) }
        let isTrack = Array(bytes[place..<(place + 4)]) == Array("MTrk".utf8)
        place += 8
        if place + size > bytes.count { return nil }
        if isTrack { track(to: place + size) }
        place += size
      }
      moves = moves.enumerated().sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }
        .map(\.element)
    }

    private mutating func track(to end: Int) {
      var (at, tick, status) = (place, 0, UInt8(0))
      func byte() -> UInt8 {
        at += 1
        return at <= end ? bytes[at - 1] : 0
      }
      func number() -> Int {
        var (value, next) = (0, byte())
        while next > 127 {
          value = (value + Int(next & 127)) << 7
          next = byte()
        }
        return value + Int(next)
      }
      while at < end {
        tick += number()
        let first = at < end && bytes[at] > 127 ? byte() : status
        switch first {
        case 0xFF:
          if byte() == 0x2F { return }
          at += number()
        case 0xF0, 0xF7: at += number()
        case 0x80...0x9F:
          status = first
          let (key, velocity) = (Int(first & 15) << 7 | Int(byte() & 127), byte())
          moves.append((tick, key, first >= 0x90 && velocity > 0))
        case 0xC0...0xDF:
          status = first
          _ = byte()
        case 0xA0...0xEF:
          status = first
          _ = (byte(), byte())
        default: return
        }
      }
    }
  }

  @Test("Each stroke sounds until it has had its off", .enabled(if: SongFolderTests.folder != nil))
  func strokes() throws {
    let folder = try #require(Self.folder)
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    var (songs, counted, together, overlapping) = (0, 0, 0, 0)
    for name in names.sorted() {
      let ending = name.lowercased().split(separator: ".").last ?? ""
      if !["mid", "midi", "kar"].contains(ending) { continue }
      let bytes = [UInt8](FileManager.default.contents(atPath: folder + "/" + name) ?? Data())
      guard let song = try? Song(bytes), song.warnings.isEmpty, let reader = Reader(bytes) else { continue }
      songs += 1
      var (strokes, offs) = ([Int: [Int]](), [Int: [Int]]())
      for move in reader.moves where move.isOn { strokes[move.key, default: []].append(move.tick) }
      for move in reader.moves where !move.isOn { offs[move.key, default: []].append(move.tick) }
      // The ends of all strokes that pipit plays; nil for one that sounds until the next.
      var ends: [Int: [Int?]] = [:]
      for (_, beat, event) in song.timedEvents() {
        let key = Int(event.target) << 7 | Int(event.note)
        switch event.kind {
        case .noteOn: ends[key, default: []].append(nil)
        case .noteOff:
          guard let last = ends[key]?.indices.last, ends[key]?[last] == .some(nil) else { break }
          ends[key]?[last] = Int((beat * Double(reader.division)).rounded())
        default: break
        }
      }
      for (key, ticks) in strokes {
        let played = ends[key] ?? []
        #expect(played.count == ticks.count, "\(name): key \(key)")
        // Where each stroke has an off of its own, the oldest stroke has the first.
        let own = offs[key] ?? []
        guard own.count == ticks.count, played.count == ticks.count,
          zip(ticks, own).allSatisfy({ $0 <= $1 })
        else { continue }
        for (index, (stroke, off)) in zip(ticks, own).enumerated() where stroke < off {
          counted += 1
          if index > 0, own[index - 1] == stroke { together += 1 }
          if index > 0, own[index - 1] > stroke { overlapping += 1 }
          // The next stroke takes the note over.
          let next = index + 1 < ticks.count ? ticks[index + 1] : Int.max
          let end = played[index] ?? Int.max
          #expect(end >= min(off, next), "\(name): key \(key), \(stroke) to \(off), ends at \(end)")
        }
      }
    }
    print("\(songs) songs, \(counted) strokes: \(together) at a tick of an off, \(overlapping) before it")
    #expect(songs > 0)
  }
}
