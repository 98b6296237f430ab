/// The contents of a file: in memory, or in a part of an open file. The methods wait for the disk. Any thread.
public struct FileContents: Sendable, ExpressibleByArrayLiteral {
  private enum Place {
    case memory([UInt8])
    case disk(OpenFile, start: Int)
  }
  private let place: Place
  /// The number of bytes.
  public let count: Int

  /// Bytes in memory.
  public init(_ bytes: [UInt8]) { (place, count) = (.memory(bytes), bytes.count) }

  /// Bytes in memory.
  public init(arrayLiteral bytes: UInt8...) { self.init(bytes) }

  /// Bytes of a file from `start` on.
  public init(_ file: OpenFile, from start: Int = 0, count: Int) {
    (place, self.count) = (.disk(file, start: start), count)
  }

  /// Whether there are no bytes.
  public var isEmpty: Bool { count == 0 }

  /// Whether they are in memory.
  public var isInMemory: Bool { if case .memory = place { true } else { false } }

  /// All bytes, in memory.
  public func bytes() throws(FileError) -> [UInt8] { try read(at: 0, count: count) }

  /// Bytes from an offset on: `count` of them, or fewer at the end.
  public func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    let count = max(0, min(count, self.count - offset))
    switch place {
    case .memory(let bytes): return count == bytes.count ? bytes : Array(bytes[offset...].prefix(count))
    case .disk(let file, let start): return try file.read(at: start + offset, count: count)
    }
  }
}

/// Contents that are put one behind the other into a file without a name, so that they take no memory. Where no such
/// file can be made, they stay in memory. One thread.
public struct Spool {
  private let file: OpenFile?
  private var end = 0

  /// A spool on the disk of a folder.
  public init(in folder: String) { file = try? OpenFile(unnamedIn: folder) }

  /// Adds bytes. Throws if the disk is full.
  public mutating func add(_ bytes: [UInt8]) throws(FileError) -> FileContents {
    guard let file else { return FileContents(bytes) }
    try file.write(bytes, at: end)
    defer { end += bytes.count }
    return FileContents(file, from: end, count: bytes.count)
  }

  /// Adds the bytes that `next` returns piece by piece, until there are none.
  public mutating func add<E: Error>(
    _ next: () throws(E) -> [UInt8], failed: (FileError) -> E
  ) throws(E) -> FileContents {
    let start = end
    var (count, all) = (0, [UInt8]())
    while case let piece = try next(), !piece.isEmpty {
      if file == nil {
        all += piece
      } else {
        do throws(FileError) { _ = try add(piece) } catch { throw failed(error) }
      }
      count += piece.count
    }
    return file.map { FileContents($0, from: start, count: count) } ?? FileContents(all)
  }
}
