import EngineHarness
import Glibc
import Scratch
import Testing
@testable import Scenes
@testable import Synth

@Suite("Event rings") struct EventRingTests {
  @Test("Events come out of a ring in the order in which they are pushed") func eventOrder() {
    let ring = EventRing()
    defer { ring.deallocate() }
    for round in 0..<3 * Limits.ringEvents {
      #expect(ring.push(Event(frame: Int64(round), kind: .noteOn)))
      #expect(ring.peek()?.pointee.frame == Int64(round))
      ring.drop()
    }
    #expect(ring.peek() == nil)
    ring.drop()
    #expect(ring.dropped == 0)
  }

  @Test("A full ring drops new events and counts each one") func fullRing() {
    let ring = EventRing()
    defer { ring.deallocate() }
    for index in 0..<Limits.ringEvents { #expect(ring.push(Event(frame: Int64(index), kind: .bend))) }
    #expect(!ring.push(Event(frame: -1, kind: .bend)))
    #expect(ring.dropped == 1)
    #expect(ring.peek()?.pointee.frame == 0)
  }

  @Test("20,000 events pass from one thread to another without loss and in order") func twoThreads() {
    let ring = EventRing()
    let count = 20_000
    let taker = TestThread {
      var (next, wrong) = (0, 0)
      while next < count {
        guard let event = ring.peek() else {
          sched_yield()
          continue
        }
        if event.pointee.frame != Int64(next) { wrong += 1 }
        ring.drop()
        next += 1
      }
      return wrong
    }
    var sent = 0
    while sent < count {
      if ring.push(Event(frame: Int64(sent), kind: .noteOn)) { sent += 1 } else { sched_yield() }
    }
    #expect(taker.result() == 0)
    ring.deallocate()
  }
}

@Suite("Managed scenes") struct ManagedSceneTests {
  private func scene(_ level: Float) -> Scene { .with([("/master/eq/frequency", level)]) }

  @Test("A replaced scene image is freed only after the audio thread has taken the new one")
  func imageLifetime() {
    let managed = ManagedScene(scene(100))
    let audio = managed.audioSide
    audio.setRunning(true)
    let held = audio.take()
    managed.publish(scene(200))
    managed.service()
    #expect(managed.retiredCount == 1)
    #expect(held.pointee.master.equalizer.frequency == 100)
    #expect(audio.take().pointee.master.equalizer.frequency == 200)
    managed.service()
    #expect(managed.retiredCount == 0)
  }

  @Test("The audio thread takes the latest of 10 scene images, and the skipped ones are freed too")
  func latestImage() {
    let managed = ManagedScene(scene(100))
    let audio = managed.audioSide
    audio.setRunning(true)
    _ = audio.take()
    for level in 1...10 { managed.publish(scene(Float(level) * 100)) }
    #expect(managed.retiredCount == 10)
    #expect(audio.take().pointee.master.equalizer.frequency == 1000)
    managed.service()
    #expect(managed.retiredCount == 0)
  }

  @Test("Replaced scene images are freed at once if no audio thread runs") func withoutAudio() {
    let managed = ManagedScene(scene(100))
    let audio = managed.audioSide
    for level in 1...10 { managed.publish(scene(Float(level) * 100)) }
    #expect(managed.retiredCount == 0)
    audio.setRunning(true)
    _ = audio.take()
    managed.publish(scene(300))
    #expect(managed.retiredCount == 1)
    audio.setRunning(false)
    managed.service()
    #expect(managed.retiredCount == 0)
  }

  /// ThreadSanitizer runs this too.
  @Test("The audio thread never sees a half-written scene image while another thread publishes")
  func wholeImages() {
    var image = scene(20)
    image[7].generation = 20
    let managed = ManagedScene(image)
    let audio = managed.audioSide
    audio.setRunning(true)
    let stop = EventRing()
    let taker = TestThread {
      var torn = 0
      while stop.peek() == nil {
        let seen = audio.take()
        let (frequency, mark) = (seen.pointee.master.equalizer.frequency, seen.part(7).pointee.generation)
        if UInt32(frequency) != mark { torn += 1 }
      }
      return torn
    }
    for round in 20..<4_000 {
      image.master.equalizer.frequency = Float(round)
      image[7].generation = UInt32(round)
      managed.publish(image)
      if managed.retiredCount > 1_000 { sched_yield() }
    }
    stop.push(Event(frame: 0, kind: .panic))
    #expect(taker.result() == 0)
    audio.setRunning(false)
    managed.service()
    #expect(managed.retiredCount == 0)
    stop.deallocate()
  }
}

@Suite("Audio rings across threads") struct AudioRingThreadTests {
  @Test("Frames are read without gaps from a ring that opens and closes while another thread writes")
  func consecutiveFrames() {
    let ring = AudioRing()
    // Fewer than the ring holds, so that nothing is overwritten while it is read.
    let writer = TestThread {
      var number: Float = 0
      for _ in 0..<700 {
        let block = (0..<64).map { number + Float($0) }
        ring.write(block, block, frames: 64)
        number += 64
        usleep(20)
      }
      return 0
    }
    var wrong = 0
    for _ in 0..<300 {
      ring.open(frames: 45_000)
      let start = ring.written
      usleep(100)
      ring.close()
      var frames = [AudioRing.Frame](repeating: .zero, count: 4_096)
      let count = frames.withUnsafeMutableBufferPointer { ring.read(from: start, into: $0) } ?? 0
      // A block may have been on its way when the ring was closed before; from the next one on they are consecutive.
      let numbers = frames[..<count].map { $0.x }.dropFirst(64)
      for (one, next) in zip(numbers, numbers.dropFirst()) where next != one + 1 { wrong += 1 }
    }
    _ = writer.result()
    #expect(wrong == 0 && ring.written > 0)
    ring.deallocate()
  }
}

@Suite("The frame clock") struct ClockTests {
  @Test("Frame numbers follow the time, and stop soon after the audio stands still") func framesFollowTime() {
    let clock = Clock()
    defer { clock.deallocate() }
    clock.publish(frame: 4_800, nanoseconds: 1_000_000_000, latency: 64, rate: 48_000)
    #expect(clock.frame(at: 1_000_000_000) == 4_864)
    #expect(clock.frame(at: 1_001_000_000) == 4_912)
    #expect(clock.frame(at: 999_000_000) == 4_816)
    // The sound stands still, but not the time: a block and a hundredth of a second, no more.
    #expect(clock.frame(at: 3_000_000_000) == 4_864 + 64 + 480)
    // A clock from before an hour's sleep, or a senseless time, gives some frame and no trap.
    _ = clock.frame(at: .max)
    _ = clock.frame(at: .min)
  }
}

@Suite("Scenes") struct SceneTests {
  @Test("The offsets that the render path uses match the memory layout of a scene") func sceneLayout() {
    #expect(Scene.partsOffset == MemoryLayout<Scene>.offset(of: \Scene.slots))
    #expect(Part.patchOffset == MemoryLayout<Part>.offset(of: \Part.patch))
    #expect(MemoryLayout<Scene>.size == Scene.partsOffset + Limits.parts * MemoryLayout<Part>.stride)
  }

  @Test("A part index out of range means the first or the last part") func partIndices() {
    var scene = Scene()
    scene[99].generation = 7
    #expect(scene[7].generation == 7)
    #expect(scene[-1].generation == 0)
  }
}
