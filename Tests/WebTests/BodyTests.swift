import Glibc
import Scratch
import System
import Testing

@testable import Web

/// Bodies of requests, which wait on the disk.
struct BodyTests {
  private static func head(_ length: Int) -> String {
    "PUT /keep HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(length)\r\n\r\n"
  }

  /// The number of files in a folder that this process holds open, with or without a name.
  private static func openFiles(_ folder: Folder) -> Int {
    (0..<1024).count { descriptor in
      var path = [CChar](repeating: 0, count: 256)
      let count = readlink("/proc/self/fd/\(descriptor)", &path, 255)
      return count > 0
        && String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self).hasPrefix(
          folder.path)
    }
  }

  @Test("arrive as they were sent, one beside the other, however long they are")
  func arrive() throws {
    let stand = try Stand(bodyBytes: 8 << 20)
    var random = SeededRandom.ofRun
    // Around the size of a piece, and far beyond it.
    let sizes = [1, 65_535, 65_536, 65_537, 131_072, 5 << 20]
    let bodies = sizes.map { size in (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) } }
    let peers = try bodies.indices.map { try stand.connect(from: 1 + $0) }
    for (peer, body) in zip(peers, bodies) { peer.send(BodyTests.head(body.count)) }
    var rests = bodies.map { $0[...] }
    #expect(
      stand.run {
        for (index, peer) in peers.enumerated() where !rests[index].isEmpty {
          rests[index] = rests[index].dropFirst(peer.send(rests[index].prefix(100_000)))
        }
        return peers.allSatisfy { $0.look() == .open && $0.received.contains("kept") }
      })
    #expect(try Set(stand.kept.map { try $0.bytes() }) == Set(bodies))
  }

  @Test("have a bound for all of them and one for each machine, which ended ones do not count for")
  func bounds() throws {
    let (size, folder) = (40 << 20, Folder())
    let stand = try Stand(bodyBytes: 64 << 20, in: folder)
    func begin(from host: Int) throws -> Peer {
      let peer = try stand.connect(from: host)
      peer.send(BodyTests.head(size) + String(repeating: "x", count: 70_000))
      stand.run { peer.look() == .ended || peer.received.contains("503") || BodyTests.openFiles(folder) > 0 }
      return peer
    }
    func isRefused(_ peer: Peer) -> Bool {
      for _ in 0..<50 {
        stand.loop.round(limit: 1_000_000)
        _ = peer.look()
      }
      return peer.received.contains(" 503 ")
    }
    let first = try begin(from: 1)
    let (second, others) = (try begin(from: 1), try [begin(from: 2), begin(from: 3)])
    #expect(isRefused(second) && !isRefused(first) && !others.contains(where: isRefused))
    #expect(isRefused(try begin(from: 4)), "160 MiB of all machines")
    #expect(stand.run { BodyTests.openFiles(folder) == 3 })
    first.close()
    #expect(stand.run { BodyTests.openFiles(folder) == 2 })
    let (again, fourth) = (try begin(from: 1), try begin(from: 4))
    #expect(!isRefused(again) && isRefused(fourth))
    for peer in [again] + others { peer.close() }
    #expect(stand.run { BodyTests.openFiles(folder) == 0 } && folder.names.isEmpty)
  }

  @Test("are refused with the reason when the disk is full, and other requests are answered")
  func fullDisk() throws {
    guard let disk = Disk(kilobytes: 1_024) else { return }
    let stand = try Stand(bodyBytes: 8 << 20, in: disk.folder)
    let peer = try stand.connect(from: 1)
    peer.send(BodyTests.head(200_000))
    var rest = [UInt8](repeating: 1, count: 200_000)[...]
    #expect(
      stand.run {
        rest = rest.dropFirst(peer.send(rest))
        _ = peer.look()
        return peer.received.contains(" 507 ")
      })
    #expect(
      stand.run {
        _ = peer.look(); return peer.received.contains("the disk has only")
      })
    let other = try stand.connect(from: 2)
    other.send(Request.wholeHead)
    #expect(stand.run { other.look() == .open && other.received.contains("here") })
  }
}
