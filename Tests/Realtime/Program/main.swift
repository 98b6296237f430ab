// The audio callback under everything at once, for the sanitizers; see .ci/sanitizers.
// usage: realtime SECONDS [PLANT]

import CSanitizer
import Glibc

let words = CommandLine.arguments.dropFirst()
let plant = words.dropFirst().first.flatMap { Plant(rawValue: $0) }
guard let seconds = words.first.flatMap({ Double($0) }), plant != nil || words.count == 1 else {
  print("usage: realtime SECONDS [\(Plant.allCases.map(\.rawValue).joined(separator: "|"))]")
  exit(2)
}
print(sanitizer_start() ? "RealtimeSanitizer is awake." : "Without RealtimeSanitizer.")
exit(try prove(seconds: seconds, plant) ? 0 : 1)
