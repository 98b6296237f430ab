import Presets
import Scenes
import Synth
@testable import Control
@testable import Surface

/// A tablet and an engine that render and listen in turn, a hundredth of a second at a time.
final class Stand {
  let player: Player
  let engine: UnsafeMutablePointer<Engine>
  private let block = UnsafeMutablePointer<Float>.allocate(capacity: 960)

  init(_ player: Player = .connected()) {
    self.player = player
    player.control.link.scene.audioSide.setRunning(true)
    engine = .allocate(capacity: 1)
    engine.initialize(to: Engine(rate: 48_000, link: player.control.link))
  }

  deinit {
    engine.deinitialize(count: 1)
    engine.deallocate()
    block.deallocate()
  }

  var link: Link { player.control.link }

  /// Plays, and notes each value of an address with the time that it came at, in hundredths of a second.
  func play(_ hundredths: Int, _ address: String = "/beat") -> [(at: Int, value: OSCValue)] {
    var values: [(at: Int, value: OSCValue)] = []
    for at in 0..<hundredths {
      link.clock.publish(
        frame: engine.pointee.frame, nanoseconds: player.now + 10_000_000, latency: 480, rate: 48_000)
      engine.pointee.render(left: block, right: block + 480, frames: 480)
      player.pass(milliseconds: 10)
      if let value = player.shown[address], value != values.last?.value { values.append((at, value)) }
    }
    return values
  }
}
