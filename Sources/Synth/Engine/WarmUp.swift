import Scenes

extension Engine {
  /// Plays a little of every waveform with the sounds of `scene` on a separate, inaudible engine, so that code and
  /// tables are in memory before the first block: the audio thread must not wait for a disk. Wavetables are left out,
  /// because making one takes longer than the rest of a start. Not on the audio thread.
  public static func warmUp(_ scene: Scene, rate: Double) {
    var scene = scene
    scene.master.equalizer.bypass = 0
    let link = Link(scene)
    // The link outlives the engine, which returns the effects that it holds.
    withExtendedLifetime(link) { warmUp(&scene, link, rate: rate) }
  }

  private static func warmUp(_ scene: inout Scene, _ link: Link, rate: Double) {
    var engine = Engine(rate: rate, link: link)
    let frames = 64
    let left = UnsafeMutablePointer<Float>.allocate(capacity: frames)
    let right = UnsafeMutablePointer<Float>.allocate(capacity: frames)
    defer {
      left.deallocate()
      right.deallocate()
    }
    for wave in Waveform.allCases where wave != .wavetable {
      scene[0].patch.oscillator1.wave = wave.choice
      scene[0].generation &+= 1
      link.scene.publish(scene)
      for note in [30, 60, 110] {
        link.midi.push(Event(frame: 0, kind: .noteOn, note: UInt8(note), value: 1))
      }
      for kind in [Event.Kind.bend, .sustain, .allNotesOff, .resetControllers] {
        link.control.push(Event(frame: 0, kind: kind))
      }
      engine.render(left: left, right: right, frames: frames)
    }
    // One reported overload, so that shedding is warmed up as well.
    engine.reportLoad(share: 2)
    link.midi.push(Event(frame: 0, kind: .panic))
    engine.render(left: left, right: right, frames: frames)
  }
}
