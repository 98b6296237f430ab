import ALSA
import Control
import Glibc
import OSC
import Presets
import Scenes
import Surface
import Synchronization
import Synth
import System

/// Notes first: keys that are struck while a flood of OSC comes in as fast as the socket takes it, with a recall of a
/// preset at each thousandth message, and without. From the repository's folder, where the presets are.
///
/// Audio output, control thread and OSC server are those of the instrument, at 64 frames against the clock; another thread
/// strikes keys at moments of its own, as the MIDI thread does. What counts is when the engine played each: how far
/// behind the frame it was stamped with, which lies one period after the stroke.
func benchmarkFlood() {
  for isFlooded in [false, true] {
    guard let loop = PollLoop() else { return }
    let link = Link(.initial)
    let control = Instrument(
      link: link, library: Library(database: nil, factory: "presets", log: { _ in }), log: { _ in })
    control.join(loop)
    let surface = ControlSurface(control, log: { _ in })
    surface.join(loop)
    let output = AudioOutput(device: .clock, rate: 48_000, period: 64, link: link) { _ in }
    guard
      let server = try? Server(
        port: 0, replyPort: 9, surface: surface, loop: loop, log: { _ in })
    else {
      return
    }
    do { try output.start() } catch { return }
    let (port, waker) = (server.port, loop.waker)
    let sent = Mutex(0)
    let others = [
      thread { isOver in
        while isFlooded && !isOver() {
          let count = flood(port)
          sent.withLock { $0 += count }
        }
      },
      thread { _ in
        for stroke in 0..<5_000 {
          usleep(UInt32(3_000 + stroke * 7_919 % 4_000))
          let note = UInt8(36 + stroke * 7 % 48)
          let frame = link.clock.frame(at: monotonic())
          link.midi.push(
            Event(frame: frame, kind: stroke % 2 == 0 ? .noteOn : .noteOff, note: note, value: 0.7))
        }
        waker.stop()
      },
    ]
    let began = monotonic()
    loop.run()
    let seconds = Double(monotonic() - began) * 1e-9
    for other in others { other.join() }
    output.stop()
    print(
      "flood, \(isFlooded ? "\(Int(Double(sent.withLock { $0 }) / seconds)) messages a second" : "none"): "
        + "\(link.midi.taken) keys, the latest \(link.meters[.lateKey]) frames behind its moment (a period is 64), "
        + "\(control.stage.scene[0].generation - 1) recalls, \(link.meters[.xruns]) of \(link.meters[.blocks]) blocks too late, woken "
        + "\(link.lateness.counts.value(share: 0.9999) / 1000) us late in 99.99 %")
    withExtendedLifetime(server) {}
  }
}

/// Sends a thousand messages: to a knob, and the last one to the next preset.
private func flood(_ port: Int) -> Int {
  let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
  defer { close(descriptor) }
  var to = sockaddr_in()
  to.sin_family = sa_family_t(AF_INET)
  to.sin_port = in_port_t(UInt16(port)).bigEndian
  to.sin_addr.s_addr = inet_addr("127.0.0.1")
  let knob = Array("/filter/cutoff\0\0,f\0\0".utf8)
  let recall = Array("/preset/next\0\0\0\0,f\0\0".utf8)
  for index in 0..<1_000 {
    let value = (Float(index + 1) / 1_000).bitPattern.bigEndian
    let message = (index < 999 ? knob : recall) + withUnsafeBytes(of: value) { Array($0) }
    withUnsafePointer(to: &to) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(descriptor, message, message.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
  return 1_000
}

/// A thread that can be told that it is over, which joining it does.
private final class Other: Sendable {
  private let isOver = Atomic(false)
  private let id = Mutex(pthread_t())
  private let body: @Sendable (() -> Bool) -> Void

  init(_ body: @escaping @Sendable (() -> Bool) -> Void) {
    self.body = body
    var id = pthread_t()
    pthread_create(
      &id, nil,
      { me in
        guard let me else { return nil }
        let other = Unmanaged<Other>.fromOpaque(me).takeUnretainedValue()
        other.body { other.isOver.load(ordering: .relaxed) }
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    self.id.withLock { $0 = id }
  }

  func join() {
    isOver.store(true, ordering: .relaxed)
    pthread_join(id.withLock { $0 }, nil)
  }
}

private func thread(_ body: @escaping @Sendable (() -> Bool) -> Void) -> Other { Other(body) }
