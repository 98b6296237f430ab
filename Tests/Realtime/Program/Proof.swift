import ALSA
import CSanitizer
import Control
import Glibc
import Scenes
import Synchronization
import Synth
import System

/// Renders a storm of two other threads, each block between the sanitizer's enter and exit. False when nothing was
/// heard, or something of the storm did not come to pass.
func prove(seconds: Double, _ plant: Plant?) throws -> Bool {
  // Drums that cut each other off, wherever a part is on their channel.
  let link = Link(.initial, kit: Kit(Drum.plain.map { Drum(key: $0.key, group: 1 + $0.key % 3) }))
  var callback = try Callback(link)
  defer { callback.close() }
  Plant.prepare()
  link.scene.audioSide.setRunning(true)
  let threads = [try Busy { keys(link, $0) }, try Busy { tablet(link, $0) }]
  var loudest: Float = 0
  // So much time and so much sound, both: a sanitizer may be slow.
  let end = monotonic() + Int64(seconds * 1e9)
  while monotonic() < end || link.meters[.frames] < 48_000 {
    callback.next()
    sanitizer_enter()
    callback.render()
    plant?.commit()
    sanitizer_exit()
    loudest = max(loudest, callback.peak)
  }
  threads.forEach { $0.join() }
  link.scene.audioSide.setRunning(false)
  link.scene.service()

  let meters = link.meters
  let dropped = link.midi.dropped
  print(
    "\(meters[.blocks]) blocks, \(link.midi.taken + link.control.taken) events, \(dropped) to a full ring, "
      + "at most \(meters[.limit]) voices now, most voices \(meters[.mostVoices]), \(meters[.stolen]) stolen, \(meters[.shed]) shed, loudest sample "
      + "\(loudest), sound that was no number \(meters[.faults]), old scenes \(link.scene.retiredCount)")
  let all = loudest > 0.01 && loudest <= 1 && dropped > 0 && meters[.stolen] > 0 && meters[.faults] == 0
  if !all || link.scene.retiredCount != 0 {
    print("Not everything came to pass, so not everything was proved.")
  }
  return all && link.scene.retiredCount == 0
}

/// The hands on the keyboards: chords with stealing, every kind of event, now and then more than the ring holds.
private func keys(_ link: Link, _ isOver: () -> Bool) {
  var storm = Storm(seed: 1)
  for source in 0..<UInt8(Limits.surfaceSources) { link.midi.push(.generalMIDI(source: source)) }
  while !isOver() {
    storm.play(link.midi, count: storm.isRare ? 3_000 : 40, at: Int64(link.meters[.frames]))
    usleep(500)
  }
}

/// The control thread: knobs, recalls and part changes, notes of tablets, an eye on the health, and pages that open and
/// close their meters.
private func tablet(_ link: Link, _ isOver: () -> Bool) {
  var stage = Stage()
  var storm = Storm(seed: 2)
  let health = Health(link)
  let monitor = Monitor(link)
  var viewer: MonitorViewer?
  while !isOver() {
    storm.edit(&stage)
    link.scene.publish(stage.scene)
    storm.play(link.control, count: 10, at: Int64(link.meters[.frames]))
    for figure in StatusValue.all { _ = figure.value(health) }
    _ = link.meters.takePeak()
    if storm.isRare { viewer = viewer == nil ? monitor.start() : nil }
    _ = (link.watched.written, link.peaks.take(.left), link.peaks.take(.part(0)))
    usleep(500)
  }
  viewer?.stop()
}

/// A thread that works until it is joined.
private final class Busy: Sendable {
  private let isOver = Atomic(false)
  private let body: @Sendable (() -> Bool) -> Void
  private let thread = Mutex(pthread_t())

  init(_ body: @escaping @Sendable (() -> Bool) -> Void) throws {
    self.body = body
    var id = pthread_t()
    let me = Unmanaged.passUnretained(self).toOpaque()
    let failure = pthread_create(
      &id, nil,
      { me in
        guard let me else { return nil }
        let busy = Unmanaged<Busy>.fromOpaque(me).takeUnretainedValue()
        busy.body { busy.isOver.load(ordering: .relaxed) }
        return nil
      }, me)
    if failure != 0 { throw Failed(number: failure) }
    thread.withLock { $0 = id }
  }

  struct Failed: Error { let number: Int32 }

  func join() {
    isOver.store(true, ordering: .relaxed)
    pthread_join(thread.withLock { $0 }, nil)
  }
}
