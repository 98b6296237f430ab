import Glibc

/// Starts a detached thread of ordinary priority that runs `body`. False, with the reason in `errno`, if the system has
/// no thread left.
public func startDetachedThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  var thread = pthread_t()
  let context = Unmanaged.passRetained(ThreadBody(run: body))
  let code = pthread_create(
    &thread, nil,
    { context in
      guard let context else { return nil }
      Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
      return nil
    }, context.toOpaque())
  guard code == 0 else {
    context.release()
    errno = code
    return false
  }
  pthread_detach(thread)
  return true
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(run: @escaping @Sendable () -> Void) { self.run = run }
}
