import Glibc

// One workload of the engine and nothing beside it, the same steps in each run, for clocks and counters that stand
// outside: Tests/Benchmarks/instructions and Tests/Benchmarks/beside. They build it in the tree of an older commit
// too, with Tests/EngineHarness, so both use only what every version of the engine has.
//
// usage: workload SHAPE NOTES BLOCKS [KNOB=VALUE …]
//   chord    NOTES keys held in part 1
//   parts    NOTES keys held, an equal share in each of the eight parts
//   edits    the same, and in each block a knob of another part is turned
//   arps     NOTES keys of a song held in the eight parts, and in each part an arpeggio of three keys in steps of 1/32
//   storm    NOTES keys held in part 1, 50 recalls a second, and a note with every fourth of them
//   scatter  chords of eight, NOTES keys together, each struck after a recall of its own; 50 recalls a second, and
//            with every fourth of them the next chord is struck anew while its old sound fades
//   drive, eq, compressor, phaser, flanger, chorus, rotary, delay, reverb, rack
//            chord with this effect, or with all but compressor, phaser, flanger and rotary
//   racks    parts with all effects in each
// KNOB is an address of the table, as /osc/1/unison, and VALUE in the unit of the scene: knobs of part 1, beside `bench`.
// It renders 300 blocks of 64 frames until all is steady, then BLOCKS more, and prints what these were:
//   note-samples (sounding notes times frames, summed), nanoseconds of processor time, peak

let arguments = Array(CommandLine.arguments.dropFirst())
let knobs = arguments.dropFirst(3).map { $0.split(separator: "=") }
guard arguments.count >= 3, let shape = Shape(rawValue: arguments[0]), let notes = Int(arguments[1]),
  let blocks = Int(arguments[2]), 1...128 ~= notes, blocks >= 0,
  knobs.allSatisfy({ $0.count == 2 && Float($0[1]) != nil })
else {
  print("usage: workload SHAPE NOTES BLOCKS [KNOB=VALUE …]")
  exit(2)
}
let workload = Workload(shape, notes: notes, knobs.map { (String($0[0]), Float($0[1]) ?? 0) })
workload.render(blocks: 300)
measured(workload, blocks)
measurementIsOver()
