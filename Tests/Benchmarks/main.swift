// Figures, not tests: what the sound costs and how clean it is. Run with `-c release`.
let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "answer": writeAnswer(Array(arguments.dropFirst()))
case "tails": writeTails(Array(arguments.dropFirst()))
case "random": writeRandomDraws(Array(arguments.dropFirst()))
case "feature": writeFeature(Array(arguments.dropFirst()).joined(separator: " "))
case "preset": writePresetKnobs(Array(arguments.dropFirst()))
default: runBenchmarks(arguments)
}
