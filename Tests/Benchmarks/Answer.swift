import EngineHarness
import Glibc
import Parameters
import Scenes
import Synth

/// `benchmarks answer FILE SECONDS [ADDRESS=VALUE]...`: what a sound's effects make of an impulse in both sides, as
/// floats of both sides in turn. The knobs are those of the initial sound, but for those that are given, in the unit of
/// the scene.
func writeAnswer(_ arguments: [String]) {
  guard arguments.count >= 2, let seconds = Double(arguments[1]) else {
    print("usage: benchmarks answer FILE SECONDS [ADDRESS=VALUE]...")
    exit(2)
  }
  let knobs = arguments.dropFirst(2).map { argument -> (String, Float) in
    let parts = argument.split(separator: "=")
    guard parts.count == 2, let value = Float(parts[1]) else {
      print("not a knob and its value: \(argument)")
      exit(2)
    }
    return (String(parts[0]), value)
  }
  let frames = Int(seconds * 48_000)
  var (left, right) = ([Float](repeating: 0, count: frames), [Float](repeating: 0, count: frames))
  (left[0], right[0]) = (1, 1)
  EffectBench(Scene.with(knobs)[0].patch.effects, rate: 48_000).process(&left, &right)
  write(left, right, to: arguments[0])
}

/// Writes floats of both sides in turn, as the machine has them.
func write(_ left: [Float], _ right: [Float], to path: String) {
  guard let file = fopen(path, "w") else {
    print("\(path): \(String(cString: strerror(errno)))")
    exit(1)
  }
  let frames = zip(left, right).flatMap { [$0, $1] }
  let count = fwrite(frames, MemoryLayout<Float>.size, frames.count, file)
  if fclose(file) != 0 || count != frames.count {
    print("\(path): \(String(cString: strerror(errno)))")
    exit(1)
  }
}
