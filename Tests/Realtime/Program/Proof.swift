import CSanitizer
import Control
import Glibc
import Synth

/// Renders a storm, with each render between the sanitizer's enter and exit. False when nothing was heard.
func prove(seconds: Int, plant: Bool) -> Bool {
  let rate = 48_000
  let link = Link(.initial)
  var engine = Engine(rate: Double(rate), link: link)
  var stage = Stage()
  var storm = Storm()
  let left = UnsafeMutablePointer<Float>.allocate(capacity: 1024)
  let right = UnsafeMutablePointer<Float>.allocate(capacity: 1024)
  let sizes = [1, 16, 63, 64, 100, 256, 1024]
  var planted: UnsafeMutableRawPointer?
  var loudest: Float = 0
  var blocks = 0

  link.scene.audioSide.setRunning(true)
  while engine.frame < Int64(seconds * rate) {
    storm.edit(&stage)
    link.scene.publish(stage.scene)
    storm.play(link, at: engine.frame)
    let frames = sizes[blocks % sizes.count]

    sanitizer_enter()
    engine.render(left: left, right: right, frames: frames)
    if plant { planted = malloc(16) }
    sanitizer_exit()

    for frame in 0..<frames { loudest = max(loudest, abs(left[frame]), abs(right[frame])) }
    blocks += 1
  }
  link.scene.audioSide.setRunning(false)
  link.scene.service()
  free(planted)
  left.deallocate()
  right.deallocate()

  print("\(blocks) blocks, \(storm.notes) notes, \(storm.edits) edits, loudest sample \(loudest)")
  if loudest < 0.01 { print("Nothing was heard, so nothing was proved.") }
  return loudest >= 0.01
}
