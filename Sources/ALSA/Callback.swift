import Glibc
import Synth
import System

/// What the audio thread does for each block, without its thread and without a card: for the proofs, which put it
/// between a sanitizer's enter and exit. Blocks of many sizes and of every format of samples, in turn.
package struct Callback {
  private var loop: AudioLoop
  private let outlets: [UnsafeMutablePointer<Outlet>]
  private var turn = 0

  /// A callback for `link`, whose only engine it makes, at 48 kHz.
  package init(_ link: Link) throws {
    // First: Swift 6.0.3 does not compile what may fail when a part is made already.
    guard let wake = WakePipe() else { throw ALSAError("Making a pipe", code: errno) }
    outlets = [1, 16, 63, 64, 100, 256, 1024].enumerated().map { index, frames in
      let outlet = UnsafeMutablePointer<Outlet>.allocate(capacity: 1)
      let format = SampleFormat.allCases[index % SampleFormat.allCases.count]
      outlet.initialize(to: .clock(rate: 48_000, frames: frames, format: format))
      return outlet
    }
    let engine = UnsafeMutablePointer<Engine>.allocate(capacity: 1)
    engine.initialize(to: Engine(rate: 48_000, link: link))
    loop = AudioLoop(
      engine: engine, outlet: outlets[0], clockOutlet: outlets[0], cells: AudioLoop.Cells(), wake: wake,
      link: link)
    loop.watch.start()
  }

  /// Frees everything; the callback may not be used any more.
  package func close() {
    loop.engine.deinitialize(count: 1)
    loop.engine.deallocate()
    loop.cells.deallocate()
    for outlet in outlets {
      outlet.pointee.close()
      outlet.deallocate()
    }
  }

  /// Chooses the next size and format. Not between enter and exit.
  package mutating func next() {
    turn += 1
    loop.outlet = outlets[turn % outlets.count]
    // The odd ones as after an interruption.
    loop.fadeIn = turn % 100 == 0
  }

  /// One block, as the audio thread does it.
  package mutating func render() {
    loop.render(begin: monotonic())
    loop.convert()
  }

  /// The loudest sample of the block.
  package var peak: Float {
    let outlet = loop.outlet.pointee
    return (0..<outlet.frames).reduce(0) { max($0, abs(outlet.left[$1]), abs(outlet.right[$1])) }
  }
}
