// The formats of samples, rates, periods and numbers of periods and of channels, through a loopback card of the kernel's: what
// comes out at its other end is, bit for bit, what is rendered without a device and converted. As many ways as it
// takes to have each value of each beside each of the others. Ends with 1 when something is wrong.
//
// Takes two loopback cards: "Tick", whose timer drives "Loop" (Tests/VM/formats).
// usage: formats [all]

import Glibc
import TestCard

let all = PCMSetup.all
let setups = CommandLine.arguments.contains("all") ? all : PCMSetup.pairs(of: all)
var wrong = 0
for (index, setup) in setups.enumerated() {
  do {
    let verdict = try Loopback(setup).play()
    if verdict.isEmpty { continue }
    print("WRONG: \(setup): \(verdict)")
  } catch {
    print("WRONG: \(setup): \(error)")
  }
  wrong += 1
  if wrong > 20 {
    print("after \(index + 1) of \(setups.count)")
    exit(1)
  }
}
print("\(setups.count) ways, \(setups.count - wrong) bit for bit")
exit(wrong == 0 ? 0 : 1)
