import Glibc
import Scenes
import Synth
import System

/// The audio thread's work for each block, without its thread and without a card. The proofs call it between the
/// enter and exit calls of a sanitizer, with blocks of many sizes, in every sample format, and with two or eight
/// channels.
package struct Callback {
  private var loop: AudioLoop
  private let pcms: [UnsafeMutablePointer<PCM>]
  private var step = 0

  /// A callback that makes the only engine of `link`, at 48 kHz.
  package init(_ link: Link) throws {
    // This comes first because Swift 6.0.3 does not compile an init that throws after it has set a property.
    guard let wake = WakePipe() else { throw ALSAError("Making a pipe", code: errno) }
    let outputs = PartOutputs("1-2,3-4,5-6,7-8") ?? PartOutputs()
    pcms = [1, 16, 63, 64, 100, 256, 1024, 24, 32, 128].enumerated().map { index, frames in
      let pcm = UnsafeMutablePointer<PCM>.allocate(capacity: 1)
      let format = SampleFormat.allCases[index % SampleFormat.allCases.count]
      pcm.initialize(
        to: .clock(
          rate: 48_000, frames: frames, format: format, outputs: index < 6 ? outputs : PartOutputs()))
      return pcm
    }
    let engine = UnsafeMutablePointer<Engine>.allocate(capacity: 1)
    engine.initialize(to: Engine(rate: 48_000, link: link, outputs: outputs))
    loop = AudioLoop(
      engine: engine, pcm: pcms[0], clockPCM: pcms[0], cells: AudioLoop.Cells(), wake: wake,
      link: link)
    loop.timer.begin()
  }

  /// Frees all memory. The callback must not be used afterwards.
  package func close() {
    loop.engine.deinitialize(count: 1)
    loop.engine.deallocate()
    loop.cells.deallocate()
    for pcm in pcms {
      pcm.pointee.close()
      pcm.deallocate()
    }
  }

  /// Chooses the next block size and format. Not between enter and exit.
  package mutating func next() {
    step += 1
    loop.pcm = pcms[step % pcms.count]
    // Every 100th block fades in, as after an interruption.
    if step % 100 == 0 { loop.fade.begin() }
  }

  /// Renders one block as the audio thread does.
  package mutating func render() {
    loop.render(begin: monotonic())
    loop.convert()
  }

  /// The loudest sample of the block.
  package var peak: Float {
    let pcm = loop.pcm.pointee
    return (0..<pcm.frames).reduce(0) { max($0, abs(pcm.left[$1]), abs(pcm.right[$1])) }
  }
}
