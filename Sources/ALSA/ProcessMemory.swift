import CALSA

/// Memory settings of the process.
public enum ProcessMemory {
  /// Makes the allocator return large blocks to the system as soon as they are freed: each recall allocates memory
  /// for delay and reverb, and none of it may remain. Also declines huge pages. Call once, before other threads are
  /// started.
  public static func trimHeap() { give_back_freed_memory() }
}
