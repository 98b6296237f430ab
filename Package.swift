// swift-tools-version: 6.0
import PackageDescription

// Arrows point down only. Synth knows no device, no file, no network: it renders in a test.
// OSC, ALSA and Presets never see one another; the executable joins them.
// What no sound waits for is compiled small: a fifth less of it is in memory.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]
// What renders, and what measures it, is optimised for the tests too: they would take ten times as long.
let fast: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

let package = Package(
  name: "pipit",
  products: [
    .executable(name: "pipit", targets: ["pipit"]),
    // The sound card of the tests, which ALSA loads by its file.
    .library(name: "testcard", type: .dynamic, targets: ["CTestCard"]),
  ],
  targets: [
    // The composition root and the command line.
    .executableTarget(
      name: "pipit",
      dependencies: [
        "ALSA", "CArguments", "Control", "Layout", "MIDI", "OSC", "Parameters", "Playback", "Presets",
        "Recording", "Song", "Storage", "Surface", "Synth", "System", "Tuning",
      ],
      swiftSettings: small),
    .target(name: "CArguments"),

    // The world outside, one target each.
    .target(
      name: "OSC", dependencies: ["OSCPackets", "Surface", "Synth", "System", "CLiblo"],
      exclude: ["README.md"],
      swiftSettings: small),
    .target(name: "ALSA", dependencies: ["MIDI", "Synth", "System", "CALSA", "CRealtime"]),
    .target(name: "Song", dependencies: ["MIDI", "Synth", "System"], swiftSettings: small),
    // What is heard, into sound files.
    .target(name: "Recording", dependencies: ["Synth", "System", "CSndfile"]),
    // What MIDI means, whatever carries it: bytes, sequencer events and UMP words in, performance events out.
    .target(name: "MIDI", dependencies: ["Synth"], exclude: ["README.md"]),

    // Songs on the instrument, live and rendered.
    .target(
      name: "Playback",
      dependencies: ["Control", "MIDI", "Parameters", "Presets", "Song", "Synth", "System"],
      swiftSettings: small),

    // Scala files into pitches of keys.
    .target(name: "Tuning", dependencies: ["Synth", "System"], exclude: ["README.md"], swiftSettings: small),

    // Packets of OSC into messages and back, for every transport of the surface that speaks it.
    .target(name: "OSCPackets", dependencies: ["Surface", "CLiblo"], swiftSettings: small),

    // The control surface, whatever carries it: the tree of addresses, clients, feedback.
    .target(
      name: "Surface", dependencies: ["Control", "Parameters", "Storage", "Synth", "System"],
      exclude: ["README.md"],
      swiftSettings: small),

    // The one writer of the staged scene, and what it stands on.
    .target(
      name: "Control",
      dependencies: ["MIDI", "Parameters", "Presets", "Storage", "Synth", "System", "Tuning"],
      swiftSettings: small),
    .target(
      name: "Presets", dependencies: ["Parameters", "Storage", "Synth", "System", "Tuning"],
      swiftSettings: small),
    // Documents of any kind, in memory and in a database.
    .target(name: "Storage", dependencies: ["System", "CSQLite"], swiftSettings: small),
    // The tablet's front panel, made from the table.
    .target(
      name: "Layout", dependencies: ["Parameters", "Synth", "CZlib"], exclude: ["Pictures", "README.md"],
      swiftSettings: small),
    .target(name: "Parameters", dependencies: ["Synth"]),

    // What every thread needs from the kernel, once: poll loop, wake pipe, clocks, files. Imports Glibc only.
    .target(name: "System"),

    // Constrained: every function that render reaches carries @_noLocks; no import but CRealtime.
    .target(name: "Synth", dependencies: ["CRealtime"], exclude: ["README.md"], swiftSettings: fast),
    .target(name: "CRealtime", linkerSettings: [.linkedLibrary("m")]),

    // Debian's libraries.
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(name: "CLiblo", pkgConfig: "liblo", providers: [.apt(["liblo-dev"])]),
    .systemLibrary(name: "CSndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // Figures, not tests: swift run -c release benchmarks
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "ALSA", "CLiblo", "Control", "EngineHarness", "OSC", "Parameters", "Presets", "Surface", "Synth",
        "System",
      ],
      path: "Tests/Benchmarks",
      exclude: [
        "beside", "control.py", "figures.py", "instructions", "lv2.py", "presets", "quality", "recalls",
        "reverbs", "soak", "trees.py",
      ]),
    // One workload of the engine, for clocks and counters outside (Tests/Benchmarks/instructions).
    .executableTarget(
      name: "workload", dependencies: ["EngineHarness", "Parameters", "Synth"], path: "Tests/Workload"),
    // Not a unit test: a program for the sanitizers (.ci/sanitizers).
    .executableTarget(
      name: "realtime", dependencies: ["ALSA", "CSanitizer", "Control", "Parameters", "Synth", "System"],
      path: "Tests/Realtime/Program"),
    .target(name: "CSanitizer", path: "Tests/Realtime/CSanitizer"),

    .testTarget(
      name: "RecordingTests",
      dependencies: ["Recording", "Synth", "System", "CSndfile", "Scratch", "recordist"]),
    .testTarget(
      name: "SynthTests", dependencies: ["Synth", "Parameters", "EngineHarness", "Scratch"]),
    // What threads share, apart from what renders: ThreadSanitizer runs these.
    .testTarget(name: "SynthLinkTests", dependencies: ["CRealtime", "EngineHarness", "Scratch", "Synth"]),
    .testTarget(
      name: "ALSATests",
      dependencies: [
        "ALSA", "CALSA", "CRealtime", "CTestCard", "EngineHarness", "MIDI", "Parameters", "Scratch", "Synth",
        "System", "TestCard", "faults",
      ]),
    .testTarget(name: "ParametersTests", dependencies: ["Parameters", "Synth"]),
    .testTarget(
      name: "LayoutTests", dependencies: ["Layout", "Parameters", "Synth", "CZlib", "Scratch"],
      exclude: ["phone.txt", "tablet.txt"]),
    .testTarget(
      name: "ControlTests",
      dependencies: [
        "Control", "ControlHarness", "MIDI", "Parameters", "Presets", "Scratch", "Storage", "Synth", "System",
        "Tuning",
      ]),
    .testTarget(
      name: "TuningTests",
      dependencies: ["EngineHarness", "Parameters", "Scratch", "Synth", "Tuning"]),
    .testTarget(
      name: "SurfaceTests",
      dependencies: [
        "Control", "ControlHarness", "MIDI", "Parameters", "Presets", "Scratch", "Storage", "Surface",
        "Synth", "System", "Tuning",
      ]),
    .testTarget(
      name: "OSCTests",
      dependencies: [
        "Layout", "OSC", "OSCPackets", "Control", "MIDI", "Parameters", "Presets", "Storage", "Surface",
        "Synth", "System", "CLiblo", "Scratch",
      ]),
    .testTarget(
      name: "PresetsTests",
      dependencies: [
        "EngineHarness", "Parameters", "Presets", "Scratch", "Storage", "Synth", "System", "Tuning", "saver",
      ]),
    .testTarget(name: "StorageTests", dependencies: ["Storage"]),
    .testTarget(
      name: "SongTests", dependencies: ["EngineHarness", "MIDI", "Song", "Synth", "System", "Scratch"]),
    .testTarget(name: "MIDITests", dependencies: ["EngineHarness", "MIDI", "Scratch", "Synth"]),
    .testTarget(name: "SystemTests", dependencies: ["System", "Scratch"]),
    .testTarget(
      name: "pipitTests",
      dependencies: [
        "ALSA", "Control", "EngineHarness", "MIDI", "OSC", "Parameters", "Playback", "Presets", "Song",
        "Storage", "Surface", "Synth", "System", "pipit", "Scratch",
      ]),
    // An engine without a device, played by a test or a benchmark.
    .target(
      name: "EngineHarness", dependencies: ["Parameters", "Synth"], path: "Tests/EngineHarness",
      swiftSettings: fast),
    // A handler of requests that keeps them.
    .target(name: "ControlHarness", dependencies: ["Control"], path: "Tests/ControlHarness"),
    // What tests share: folders for their files, threads beside them, and a library that runs by a test's clock.
    .target(
      name: "Scratch", dependencies: ["CSyncs", "Presets", "Storage", "System"], path: "Tests/Scratch"),
    // Tells a test of each fsync in its process.
    .target(name: "CSyncs", path: "Tests/CSyncs"),
    // A sound card of ALSA's whose time is the test's and which fails when it is told to.
    .target(name: "CTestCard", path: "Tests/CTestCard", linkerSettings: [.linkedLibrary("asound")]),
    .target(
      name: "TestCard",
      dependencies: ["ALSA", "CALSA", "CTestCard", "EngineHarness", "Parameters", "Synth", "System"],
      path: "Tests/TestCard"),
    // Every call of a card fails, at every point, with every error.
    .executableTarget(
      name: "faults", dependencies: ["CTestCard", "Synth", "TestCard"], path: "Tests/Faults"),
    // Hours of playing on such a card, in minutes.
    .executableTarget(
      name: "day",
      dependencies: ["CTestCard", "EngineHarness", "Parameters", "Scratch", "Synth", "TestCard"],
      path: "Tests/Day"),
    // Formats through a loopback card of the kernel's (Tests/VM/formats).
    .executableTarget(
      name: "formats", dependencies: ["ALSA", "CALSA", "Synth", "System", "TestCard"], path: "Tests/Formats"),
    // Saves without end, for the test that kills it.
    .executableTarget(
      name: "saver", dependencies: ["Parameters", "Presets", "Storage", "Synth"], path: "Tests/Saver"),
    // Records without end, for the test that kills it.
    .executableTarget(
      name: "recordist", dependencies: ["Recording", "Synth", "System"], path: "Tests/Recordist"),
  ]
)

// Of tests and their programs those that are named here, and what they depend on: a sanitizer, or a change, need not
// build all.
if let names = Context.environment["PIPIT_TESTS"]?.split(separator: " ").map(String.init) {
  var needed: Set<String> = []
  func need(_ name: String) {
    guard needed.insert(name).inserted else { return }
    let target = package.targets.first { $0.name == name }
    for case .byNameItem(let other, _) in target?.dependencies ?? [] { need(other) }
  }
  for name in names { need(name) }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { product in
    let targets = (product as? Product.Executable)?.targets ?? (product as? Product.Library)?.targets ?? []
    return !needed.isSuperset(of: targets)
  }
}
