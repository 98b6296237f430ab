import Glibc

/// What the audio thread must never do, done there on purpose: the control that shows a sanitizer is awake.
enum Plant: String, CaseIterable {
  /// Memory from the heap.
  case allocation
  /// A mutex, free at the moment.
  case lock
  /// One byte to a file.
  case write
  /// An object that comes and goes, as a class that is passed around does. A retain alone is an atomic addition:
  /// the compiler refuses it, no sanitizer can.
  case object

  nonisolated(unsafe) private static var mutex = pthread_mutex_t()
  private static let null = open("/dev/null", O_WRONLY)
  nonisolated(unsafe) private static var memory: UnsafeMutableRawPointer?
  nonisolated(unsafe) private static var kept: AnyObject?

  /// What is to be there before.
  static func prepare() {
    pthread_mutex_init(&mutex, nil)
    _ = null
  }

  func commit() {
    switch self {
    case .allocation: Plant.memory = malloc(16)
    case .lock:
      pthread_mutex_lock(&Plant.mutex)
      pthread_mutex_unlock(&Plant.mutex)
    case .write: _ = Glibc.write(Plant.null, "x", 1)
    case .object:
      Plant.kept = Object()
      Plant.kept = nil
    }
  }

  private final class Object {}
}
