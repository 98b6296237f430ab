import CTestCard
import Glibc
import Scenes
import TestCard

/// One fault of an occasion after the other. Prints a line; what is wrong, too.
final class FaultRun {
  private let card = TestCard()
  private let played: PlayedCard
  private let occasion: Occasion
  private let faults: [Fault]
  private(set) var isRight = true

  /// Each fault of an occasion, or one of so many.
  init(_ occasion: Occasion, every count: Int) throws {
    self.occasion = occasion
    faults = Fault.all(on: occasion).enumerated().filter { $0.offset % count == 0 }.map(\.element)
    played = try PlayedCard(card, rate: 22_050, period: 512)
  }

  func run() {
    var rest = Array(faults.reversed())
    let count = rest.count
    var fault: Fault?
    var (came, longest, busiest, standstill) = (0, 0.0, 0.0, 0.0)
    // Since the fault was put on: when, calls of the card, blocks, lines; and for how many waits all is well again.
    var (since, calls, lines, frames, healthy) = (played.now, 0, 0, 0, 0)
    var (descriptors, heap) = (0, 0)
    var wrong: [String] = []
    let (card, played, occasion) = (card, played, occasion)

    played.run(seconds: 1e6) {
      let now = played.now
      healthy = played.isAudible ? healthy + 1 : 0
      let seconds = Double(now - since) * 1e-9
      if let current = fault {
        // What fails for ever is mended after four seconds.
        if current.times == .max, seconds > 4 { card.heal() }
        let isOver = current.times == .max ? seconds > 4 : card.card.pointee.faults > 0 || seconds > 0.6
        if healthy >= 4, isOver {
          if card.card.pointee.faults > 0 { came += 1 }
          longest = max(longest, seconds)
          busiest = max(busiest, Double(card.calls - calls) / max(seconds, 0.5))
          // What a recovery takes, and what a card that is asked again and again holds up.
          let gap = seconds * 22_050 - Double(Int(played.link.meters[.frames]) - frames)
          standstill = max(standstill, gap / 22_050)
          if played.lines.count - lines > 8 {
            wrong.append("\(current.description): \(played.lines.count - lines) lines")
          }
          card.heal()
          fault = nil
        } else if seconds > 40 {
          wrong.append("\(current.description): no sound again")
          return played.stop()
        }
      }
      guard fault == nil, healthy >= 4 else { return }
      guard let next = rest.popLast() else { return played.stop() }
      if rest.count == count / 2 { (descriptors, heap) = (openDescriptors(), Int(test_card_heap())) }
      (since, calls, lines, healthy) = (now, card.calls, played.lines.count, 0)
      frames = Int(played.link.meters[.frames])
      card.card.pointee.faults = 0
      card.fail(next.call, after: next.after, times: UInt64(next.times), with: next.error)
      switch occasion {
      case .playing: break
      case .xrun: card.card.pointee.late = 200_000_000
      case .unplugged: card.card.pointee.unplugged = 1
      case .suspended: card.card.pointee.suspended = 1
      }
      fault = next
    }
    let (moreDescriptors, moreHeap) = (openDescriptors() - descriptors, Int(test_card_heap()) - heap)
    if moreDescriptors > 0 { wrong.append("\(moreDescriptors) descriptors more than in the middle") }
    // The lines of the log are kept here.
    if moreHeap > 300 * played.lines.count + 10_000 {
      wrong.append("\(moreHeap) bytes more than in the middle")
    }
    // 43 periods a second are some 400 calls of the driver.
    if busiest > 3_000 { wrong.append("\(Int(busiest)) calls a second") }
    if came < count / 2 { wrong.append("only \(came) came to pass") }
    isRight = wrong.isEmpty && rest.isEmpty
    print(
      "\(occasion): \(came) faults of \(count) came to pass in \(played.now / 1_000_000_000) s; sound again after "
        + "\(Int(longest * 1000)) ms at most, behind time by \(Int(standstill * 1000)) ms at most, \(Int(busiest)) calls of the driver a second at most, "
        + "\(played.lines.count) lines, \(moreDescriptors) descriptors and \(moreHeap) bytes more")
    for line in wrong.prefix(20) { print("WRONG: " + line) }
  }
}

/// Descriptors that the process has open.
private func openDescriptors() -> Int {
  guard let folder = opendir("/proc/self/fd") else { return 0 }
  defer { closedir(folder) }
  var count = 0
  while readdir(folder) != nil { count += 1 }
  return count
}
