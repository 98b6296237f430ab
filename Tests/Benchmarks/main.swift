// Figures, not tests: what the sound costs and how clean it is. Run with `-c release`.
runBenchmarks(Array(CommandLine.arguments.dropFirst()))
