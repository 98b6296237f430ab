import CALSA

/// How the process treats its memory.
public enum ProcessMemory {
  /// Gives large blocks back to the system as soon as they are freed: each recall comes with memory for delays and a room,
  /// and nothing of it must stay. Once, before other threads are started.
  public static func trimHeap() { give_back_freed_memory() }
}
