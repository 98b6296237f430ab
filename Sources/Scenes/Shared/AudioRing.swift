import CRealtime

/// The last seconds of the audio output. The audio thread overwrites the oldest frames; readers follow independently.
///
/// A handle: copies refer to the same ring. It has no memory for frames before the first `open`. While it is closed,
/// the audio thread only tests one pointer in each block.
public struct AudioRing: @unchecked Sendable {
  /// A stereo frame: left and right.
  public typealias Frame = SIMD2<Float>

  // Address of the frames while the ring is open, otherwise 0; capacity in frames; address of the frames, 0 before the
  // first `open`; number of frames ever written.
  private let cells: UnsafeMutablePointer<UInt64>
  private static var capacityCell: Int { @_noLocks get { 1 } }
  private static var memoryCell: Int { @_noLocks get { 2 } }
  private static var writtenCell: Int { @_noLocks get { 8 } }

  /// Frames between the oldest frame that may be read and the one that is overwritten: more than any block.
  public static let margin = 2 * Limits.period

  /// A ring without memory for frames.
  public init() {
    cells = .allocate(capacity: 16)
    cells.initialize(repeating: 0, count: 16)
  }

  /// Frees the memory; no thread may use the ring any more.
  public func deallocate() {
    UnsafeMutablePointer<Frame>(bitPattern: UInt(rt_load(cells + Self.memoryCell)))?.deallocate()
    cells.deallocate()
  }

  // MARK: - Audio thread

  /// Appends a block of the output while the ring is open.
  @_noLocks
  public func write(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int) {
    guard let memory = UnsafeMutablePointer<Frame>(bitPattern: UInt(rt_load(cells))) else { return }
    let mask = rt_load(cells + Self.capacityCell) &- 1
    let written = rt_load(cells + Self.writtenCell)
    var i = 0
    while i < frames {
      memory[Int((written &+ UInt64(i)) & mask)] = Frame(left[i], right[i])
      i &+= 1
    }
    rt_store(cells + Self.writtenCell, written &+ UInt64(frames))
  }

  // MARK: - One other thread

  /// From now on, the audio thread appends its blocks. The first call allocates memory for at least `frames` frames
  /// and at least 65,536; later calls keep that memory.
  public func open(frames: Int) {
    let address = rt_load(cells + Self.memoryCell)
    if address != 0 {
      rt_store(cells, address)
      return
    }
    var capacity = 1 << 16
    while capacity < frames + Self.margin { capacity *= 2 }
    let memory = UnsafeMutablePointer<Frame>.allocate(capacity: capacity)
    // Touched here, so that the audio thread causes no page fault.
    memory.initialize(repeating: .zero, count: capacity)
    rt_store(cells + Self.capacityCell, UInt64(capacity))
    rt_store(cells + Self.memoryCell, UInt64(UInt(bitPattern: memory)))
    rt_store(cells, UInt64(UInt(bitPattern: memory)))
  }

  /// From now on, the audio thread appends nothing. The memory stays, because the audio thread may still be writing a
  /// block; its frames can still be read.
  public func close() { rt_store(cells, 0) }

  // MARK: - Any thread

  /// The number of frames written so far.
  public var written: UInt64 { rt_load(cells + Self.writtenCell) }

  /// The oldest frame that can still be read.
  public var oldest: UInt64 {
    let kept = UInt64(max(Int(rt_load(cells + Self.capacityCell)) - Self.margin, 0))
    let written = written
    return written > kept ? written - kept : 0
  }

  /// Copies the frames from `position` on, as many as exist and fit into `buffer`, and returns their number. Nil when the
  /// oldest of them have been overwritten: continue at `oldest`.
  public func read(from position: UInt64, into buffer: UnsafeMutableBufferPointer<Frame>) -> Int? {
    guard let memory = UnsafePointer<Frame>(bitPattern: UInt(rt_load(cells + Self.memoryCell))) else {
      return 0
    }
    if position < oldest { return nil }
    let mask = rt_load(cells + Self.capacityCell) - 1
    let count = Int(min(written - min(position, written), UInt64(buffer.count)))
    for i in 0..<count { buffer[i] = memory[Int((position + UInt64(i)) & mask)] }
    return position < oldest ? nil : count
  }
}
