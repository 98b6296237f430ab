import Synth

/// An engine without a device and the buffers that it renders blocks into.
struct Take {
  let link: Link
  let engine: UnsafeMutablePointer<Engine>
  let left: UnsafeMutablePointer<Float>
  let right: UnsafeMutablePointer<Float>
  let frames: Int

  /// An engine at 48 kHz that plays `scene` in blocks of `frames`.
  init(_ scene: Scene, frames: Int) {
    link = Link(scene)
    engine = .allocate(capacity: 1)
    engine.initialize(to: Engine(rate: 48_000, link: link))
    left = .allocate(capacity: frames)
    right = .allocate(capacity: frames)
    self.frames = frames
    link.scene.audioSide.setRunning(true)
  }

  /// Frees everything; the take may not be used any more.
  func close() {
    engine.deinitialize(count: 1)
    engine.deallocate()
    left.deallocate()
    right.deallocate()
  }

  /// The next block, or so many.
  func render(blocks: Int = 1) {
    for _ in 0..<blocks { engine.pointee.render(left: left, right: right, frames: frames) }
  }

  /// A key of the device `source` goes down.
  func press(_ note: Int, _ velocity: Float, source: Int = 0, target: UInt8 = 0) {
    link.midi.push(
      Event(
        frame: 0, kind: .noteOn, source: UInt8(source), target: target, note: UInt8(note), value: velocity)
    )
  }

  /// A key goes up.
  func release(_ note: Int, source: Int = 0, target: UInt8 = 0) {
    link.midi.push(
      Event(frame: 0, kind: .noteOff, source: UInt8(source), target: target, note: UInt8(note)))
  }
}
