import Glibc
import Testing

@testable import ALSA

/// The threads that must not wait.
@Suite("Real-time threads") struct ThreadTests {
  /// Page faults of the thread under way.
  private static var faults: Int {
    var usage = rusage()
    // RUSAGE_THREAD, which glibc has for GNU sources only.
    getrusage(__rusage_who_t(1), &usage)
    return usage.ru_minflt + usage.ru_majflt
  }

  /// Calls itself until so many bytes of the stack are used, at least. More than these at once would be of the heap.
  @inline(never)
  private static func descend(_ bytes: Int) -> UInt8 {
    withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 16) { room in
      room[0] = UInt8(truncatingIfNeeded: bytes)
      return bytes <= 1_024 ? room[0] : room[0] &+ descend(bytes - 1_024)
    }
  }

  @Test("A real-time thread meets no page fault in the first 32 KB of its stack")
  func aRealTimeThreadMeetsNoPageFaultOnItsStack() throws {
    // As the instrument does, which must not undo it.
    _ = Thread.lockMemory()
    let faults = UnsafeMutablePointer<(fresh: Int, deep: Int)>.allocate(capacity: 1)
    defer { faults.deallocate() }
    faults.initialize(to: (0, 0))
    let thread = try Thread("test", priority: 1, context: faults) { context in
      let faults = context?.assumingMemoryBound(to: (fresh: Int, deep: Int).self)
      // The code itself is paged in by the first calls.
      _ = ThreadTests.descend(1_024)
      _ = ThreadTests.faults
      let before = ThreadTests.faults
      _ = ThreadTests.descend(Thread.touchedBytes / 2)
      let deep = ThreadTests.faults - before
      // That they are counted: pages that nobody has touched yet.
      let fresh = mmap(nil, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      madvise(fresh, 1 << 16, MADV_DONTNEED)
      fresh?.storeBytes(of: 1, as: UInt8.self)
      faults?.pointee = (ThreadTests.faults - before - deep, deep)
      munmap(fresh, 1 << 16)
      return nil
    }
    thread.join()
    #expect(faults.pointee.fresh > 0)
    #expect(faults.pointee.deep == 0)
  }
}
