import Glibc
import Parameters
import Presets
import Scenes
import Storage

// `saver DATABASE START`: saves presets without end, each one different, and prints each slot and number that
// the library calls durable. `saver DATABASE` only opens the library, which brings an older database up to date.
// Made to be killed.

let arguments = CommandLine.arguments
let library = Library(database: arguments[1], factory: nil) { print($0) }
guard arguments.count > 2 else {
  print(library.presets.count)
  exit(0)
}
var number = Int(arguments[2]) ?? 0
while true {
  number += 1
  guard let slot = Slot(bank: 1, program: number % 16) else { continue }
  var patch = Patch.initial
  patch.filter.cutoff = 20 + Float(number % 15_000)
  _ = try? library.save(patch, name: "number \(number)", slot: slot)
  // One at a time: a report is about the number that was saved last.
  var isDurable = false
  while !isDurable {
    var entry = pollfd(fd: library.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
    poll(&entry, 1, 1000)
    for report in library.reports() {
      if case .durable(let saved) = report, saved.contains(DocumentID(.preset, slot.key)) { isDurable = true }
    }
  }
  print("\(slot.program) \(number)")
  fflush(nil)
}
