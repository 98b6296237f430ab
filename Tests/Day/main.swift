// A day of playing in virtual time, on a card whose crystal is not the machine's: what becomes of the sound, of the time
// at which a key is heard, and of memory. Ends with 1 when something is wrong.
// usage: day [HOURS]

import Glibc

let hours = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 0 : 24
guard hours > 0 else { fatalError("usage: day [HOURS]") }
let day = try Day()
day.play(hours: hours)
exit(day.isRight ? 0 : 1)
