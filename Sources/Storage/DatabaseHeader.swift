import Glibc

/// The bytes in the header of an SQLite file that are the same in all files that pipit writes.
enum DatabaseHeader {
  private static let magic = Array("SQLite format 3\0".utf8)
  // Bytes at an offset: no reserved space and the fixed fractions of a page; the format of the schema; UTF-8.
  private static let constants: [(at: Int, bytes: [UInt8])] = [
    (20, [0, 64, 32, 32]), (44, [0, 0, 0, 4]), (56, [0, 0, 0, 1]),
  ]
  private static let length = 100
  /// So many bytes of the magic words may be wrong in a file that is a database nevertheless.
  private static let mostWrong = 2

  /// Mends damaged bytes, of which each would make the file unreadable or read-only. False if there was nothing to mend,
  /// or the file cannot be written. Another file is not touched.
  static func mend(_ path: String) -> Bool {
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var head = [UInt8](repeating: 0, count: length)
    guard pread(file, &head, length, 0) == length else { return false }
    if zip(head, magic).filter({ $0 != $1 }).count > mostWrong { return false }
    var mended = mended(head)
    // A journal, which a crash has left, has the true header.
    var journal = stat()
    let isWhole = stat(path + "-journal", &journal) != 0 || journal.st_size == 0
    if isWhole, mended[18] == 1 { countPages(&mended, fileBytes: Int(lseek(file, 0, SEEK_END))) }
    return mended != head && pwrite(file, mended, length, 0) == length && fsync(file) == 0
  }

  /// Corrects a number of pages that leaves out the end of the file. A file that is too short lacks pages in truth.
  private static func countPages(_ head: inout [UInt8], fileBytes: Int) {
    let page = head[16...17].reduce(0) { $0 << 8 | Int($1) }
    let count = head[28...31].reduce(0) { $0 << 8 | Int($1) }
    if page < 512 || fileBytes % page != 0 || count >= fileBytes / page { return }
    for place in 0..<4 { head[28 + place] = UInt8(truncatingIfNeeded: fileBytes / page >> (24 - 8 * place)) }
  }

  private static func mended(_ head: [UInt8]) -> [UInt8] {
    var head = head
    head.replaceSubrange(0..<magic.count, with: magic)
    let page = Int(head[16]) << 8 | Int(head[17])
    // A power of two from 512, or 1 for 65,536.
    if page != 1 && (page < 512 || page & (page - 1) != 0) { (head[16], head[17]) = (16, 0) }
    // 1, or 2 for a write-ahead log: to write and to read.
    for index in 18...19 where !(1...2).contains(head[index]) { head[index] = 1 }
    for (at, bytes) in constants { head.replaceSubrange(at..<at + bytes.count, with: bytes) }
    return head
  }
}
