import CALSA
import Glibc

/// A thread, with real-time priority and a pre-faulted stack if the system permits it.
struct Thread {
  /// The error that refused the priority; 0 if it was granted or not requested.
  let refused: Int32
  private let id: pthread_t
  private let stack: UnsafeMutableRawPointer

  private static let stackBytes = 512 << 10
  private static let guardBytes = 4096
  /// The number of pre-faulted bytes: four times the stack depth of rendering. The rest uses no memory until it is
  /// touched.
  static let touchedBytes = 64 << 10

  /// Starts `body` with `context`. A `priority` of 0 is an ordinary thread, 1…99 is SCHED_FIFO.
  init(
    _ name: String, priority: Int32, context: UnsafeMutableRawPointer,
    body: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  ) throws(ALSAError) {
    guard
      let memory = mmap(nil, Self.stackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      memory != UnsafeMutableRawPointer(bitPattern: -1)
    else { throw ALSAError("Reserving the stack of thread \(name)", code: errno) }
    mprotect(memory, Self.guardBytes, PROT_NONE)
    if priority > 0 {
      // The first deep call must not cause a page fault. This writes to the memory because the kernel ignores
      // MAP_POPULATE if memory is locked on fault.
      memset(memory + Self.stackBytes - Self.touchedBytes, 0, Self.touchedBytes)
    }
    stack = memory

    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstack(&attributes, memory + Self.guardBytes, Self.stackBytes - Self.guardBytes)
    var id = pthread_t()
    let failure = pthread_create(&id, &attributes, body, context)
    pthread_attr_destroy(&attributes)
    if failure != 0 {
      munmap(memory, Self.stackBytes)
      throw ALSAError("Starting thread \(name)", code: failure)
    }
    self.id = id
    name_thread(id, name)
    if priority > 0 {
      var parameters = sched_param()
      parameters.sched_priority = priority
      refused = pthread_setschedparam(id, SCHED_FIFO, &parameters)
    } else {
      refused = 0
    }
  }

  /// Waits for the end of the thread and frees the stack. Call once.
  func join() {
    pthread_join(id, nil)
    munmap(stack, Self.stackBytes)
  }

  /// Keeps touched pages in memory. Returns false if the limit forbids it, or is so low that a later allocation could
  /// fail because of it.
  static func lockMemory() -> Bool {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit)
    guard geteuid() == 0 || limit.rlim_cur == .max else { return false }
    // On fault: untouched memory, such as most of each thread's stack, costs nothing.
    return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0
  }
}
