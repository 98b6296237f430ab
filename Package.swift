// swift-tools-version: 6.0
import PackageDescription

// Dependencies point in one direction only, from the executable down to Scenes. Synth knows no device, file or
// network, so tests can render with it; what names no part of the engine depends on Scenes alone. OSC, ALSA and Presets
// are independent of each other; the executable connects them. Code for which no sound waits is optimised for size, which
// keeps a fifth less of it in memory. Checks that compile it once more, with another compiler, may leave that out
// (.ci/debian13).
let small: [SwiftSetting] = [
  .unsafeFlags([Context.environment["PIPIT_SMALL"] ?? "-Osize"], .when(configuration: .release))
]
// Code that runs once for a command. The compiler needs an eighth of the time when it does not optimise it, as for
// packaging/play and the tests (packaging/swift). Packages are of optimised code throughout.
let rare: [SwiftSetting] = [
  .unsafeFlags([Context.environment["PIPIT_RARE"] ?? "-Osize"], .when(configuration: .release))
]
// Code that renders, and code that measures it, is optimised in debug builds too: the tests would take ten times as
// long otherwise.
let fast: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

let package = Package(
  name: "pipit",
  products: [
    .executable(name: "pipit", targets: ["pipit"]),
    // The sound card of the tests, which ALSA loads as a plug-in file.
    .library(name: "testcard", type: .dynamic, targets: ["CTestCard"]),
  ],
  targets: [
    // The composition root and the command line.
    .executableTarget(
      name: "pipit",
      dependencies: [
        "ALSA", "Backup", "Control", "Layout", "MIDI", "OSC", "Parameters", "Playback", "Presets", "QR",
        "Recording", "Scenes", "Song", "Storage", "Surface", "Synth", "System", "Tuning", "Wavetables", "Web",
      ],
      exclude: ["README.md"],
      swiftSettings: rare),
    // libmicrohttpd, loaded on first use.
    .target(name: "CMicrohttpd"),

    // Interfaces to the outside, one target each.
    .target(
      name: "OSC", dependencies: ["OSCPackets", "Scenes", "Surface", "System", "CLiblo"],
      exclude: ["README.md"],
      swiftSettings: small),
    // The page, OSCQuery and WebSockets.
    .target(
      name: "Web",
      dependencies: [
        "Control", "Layout", "OSCPackets", "Parameters", "QR", "Scenes", "Surface", "Synth", "System",
        "CMicrohttpd", "CNettle", "CWslay",
      ],
      exclude: ["Page", "README.md"],
      swiftSettings: small),
    .target(name: "ALSA", dependencies: ["MIDI", "Scenes", "Synth", "System", "CALSA", "CRealtime"]),
    .target(name: "Song", dependencies: ["MIDI", "Scenes", "System"], swiftSettings: small),
    // Writes the output of the instrument into sound files.
    .target(name: "Recording", dependencies: ["Scenes", "System", "CSndfile"]),
    // The meaning of MIDI messages, independent of transport: bytes, sequencer events and UMP words in, performance
    // events out.
    .target(name: "MIDI", dependencies: ["Scenes", "System"], exclude: ["README.md"]),

    // One file that holds the whole box: made, checked and restored.
    .target(
      name: "Backup", dependencies: ["Control", "Presets", "Scenes", "Storage", "System", "CZlib"],
      swiftSettings: small),

    // Songs, played by the instrument or rendered.
    .target(
      name: "Playback",
      dependencies: ["Control", "MIDI", "Parameters", "Presets", "Scenes", "Song", "Synth", "System"],
      swiftSettings: small),

    // Scala files, converted to the pitches of keys.
    .target(
      name: "Tuning", dependencies: ["Scenes", "System"], exclude: ["README.md"], swiftSettings: small),

    // WAV files, converted to wavetables.
    .target(
      name: "Wavetables", dependencies: ["Scenes", "Synth", "System"], exclude: ["README.md"],
      swiftSettings: small),

    // OSC packets to messages and back, for every transport of the surface that uses OSC.
    .target(name: "OSCPackets", dependencies: ["Surface", "CLiblo"], swiftSettings: small),

    // The control surface, independent of transport: the tree of addresses, clients, and feedback.
    .target(
      name: "Surface", dependencies: ["Control", "MIDI", "Parameters", "Scenes", "Storage", "System"],
      exclude: ["README.md"],
      swiftSettings: small),

    // The only writer of the staged scene, and the features that use it.
    .target(
      name: "Control",
      dependencies: [
        "MIDI", "Parameters", "Presets", "Scenes", "Storage", "Synth", "System", "Tuning", "Wavetables",
      ],
      exclude: ["Setups/README.md"],
      swiftSettings: small),
    .target(
      name: "Presets", dependencies: ["Parameters", "Scenes", "Storage", "System", "Tuning"],
      swiftSettings: small),
    // Documents of any kind, in memory and in a database.
    .target(name: "Storage", dependencies: ["System", "CSQLite", "CZlib"], swiftSettings: small),
    // The tablet's front panel, generated from the table of parameters.
    .target(
      name: "Layout", dependencies: ["Parameters", "Presets", "Scenes", "System"],
      exclude: ["Pictures", "README.md"],
      swiftSettings: rare),
    // QR codes, as pictures and as text.
    .target(name: "QR", dependencies: ["CQREncode"], swiftSettings: small),
    .target(name: "Parameters", dependencies: ["Scenes", "System"]),

    // Kernel services for all threads: poll loop, wake pipe, clocks, files; and compression. Imports Glibc and CZlib only.
    .target(name: "System", dependencies: ["CZlib"]),

    // Constrained: every function that render reaches carries @_noLocks, and CRealtime and Scenes are the only imports.
    .target(
      name: "Synth", dependencies: ["CRealtime", "Scenes"], exclude: ["README.md"], swiftSettings: fast),
    // What can be set and played: scenes, patches, events, limits, and the cells that threads share. Constrained as Synth.
    .target(name: "Scenes", dependencies: ["CRealtime"], swiftSettings: fast),
    .target(name: "CRealtime", linkerSettings: [.linkedLibrary("m")]),

    // Debian's libraries.
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(name: "CLiblo", pkgConfig: "liblo", providers: [.apt(["liblo-dev"])]),
    .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
    .systemLibrary(name: "CWslay", providers: [.apt(["libwslay-dev"])]),
    .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(name: "CSndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // Measurements, not tests: packaging/swift run benchmarks
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "ALSA", "CLiblo", "Control", "EngineHarness", "OSC", "Parameters", "Playback", "Presets", "Scenes",
        "Song", "Surface", "Synth", "System", "Web",
      ],
      path: "Tests/Benchmarks",
      exclude: [
        "beside", "bits", "build", "build.txt", "control.py", "figures.py", "instructions", "lv2.py",
        "presets",
        "quality", "recalls",
        "reverbs", "soak", "trees.py",
      ]),
    // One workload of the engine, for external clocks and counters (Tests/Benchmarks/instructions).
    .executableTarget(
      name: "workload", dependencies: ["EngineHarness", "Parameters", "Scenes", "Synth"],
      path: "Tests/Workload"),
    // A program for the sanitizers (.ci/sanitizers), not a unit test.
    .executableTarget(
      name: "realtime",
      dependencies: ["ALSA", "CSanitizer", "Control", "Parameters", "Scenes", "Synth", "System"],
      path: "Tests/Realtime/Program"),
    .target(name: "CSanitizer", path: "Tests/Realtime/CSanitizer"),

    .testTarget(
      name: "RecordingTests",
      dependencies: ["Recording", "Scenes", "System", "CSndfile", "Scratch", "recordist"]),
    .testTarget(
      name: "SynthTests", dependencies: ["Parameters", "EngineHarness", "Scenes", "Scratch", "Synth"]),
    // The data that threads share, separate from rendering, for ThreadSanitizer.
    .testTarget(
      name: "SynthLinkTests",
      dependencies: ["CRealtime", "EngineHarness", "Parameters", "Scenes", "Scratch", "Synth"]),
    .testTarget(
      name: "ALSATests",
      dependencies: [
        "ALSA", "CALSA", "CRealtime", "CTestCard", "EngineHarness", "MIDI", "Parameters", "Scenes", "Scratch",
        "Synth", "System", "TestCard", "faults",
      ]),
    .testTarget(name: "ParametersTests", dependencies: ["Parameters", "Scenes"]),
    .testTarget(
      name: "LayoutTests", dependencies: ["Layout", "Parameters", "CZlib", "Scenes", "Scratch"],
      exclude: ["phone.txt", "tablet.txt"]),
    .testTarget(
      name: "ControlTests",
      dependencies: [
        "Control", "ControlHarness", "EngineHarness", "MIDI", "Parameters", "Presets", "Scenes", "Scratch",
        "Storage", "Synth", "System", "Tuning",
      ]),
    .testTarget(
      name: "TuningTests",
      dependencies: ["EngineHarness", "Parameters", "Scenes", "Scratch", "Tuning"]),
    .testTarget(
      name: "WavetablesTests",
      dependencies: [
        "Control", "EngineHarness", "Parameters", "Presets", "Scenes", "Scratch", "Synth", "System",
        "Wavetables",
      ]),
    .testTarget(
      name: "SurfaceTests",
      dependencies: [
        "Control", "ControlHarness", "MIDI", "Parameters", "Presets", "Scenes", "Scratch", "Storage",
        "Surface", "Synth", "System", "Tuning", "Wavetables",
      ]),
    .testTarget(
      name: "OSCTests",
      dependencies: [
        "Layout", "OSC", "OSCPackets", "Control", "MIDI", "Parameters", "Presets", "Scenes", "Storage",
        "Surface", "Synth", "System", "CLiblo", "Scratch",
      ]),
    .testTarget(
      name: "PresetsTests",
      dependencies: [
        "EngineHarness", "Parameters", "Presets", "Scenes", "Scratch", "Storage", "Synth", "System", "Tuning",
        "saver",
      ]),
    .testTarget(name: "QRTests", dependencies: ["QR"]),
    .testTarget(
      name: "WebTests",
      dependencies: [
        "Control", "OSCPackets", "Parameters", "Presets", "QR", "Scenes", "Scratch", "Surface", "Synth",
        "System", "Web",
      ]),
    .testTarget(name: "StorageTests", dependencies: ["Storage"]),
    .testTarget(
      name: "BackupTests",
      dependencies: [
        "Backup", "Control", "Parameters", "Presets", "Scenes", "Scratch", "Storage", "Synth", "System",
        "Tuning",
      ]),
    .testTarget(
      name: "SongTests",
      dependencies: ["EngineHarness", "MIDI", "Scenes", "Song", "Synth", "System", "Scratch"]),
    .testTarget(name: "MIDITests", dependencies: ["EngineHarness", "MIDI", "Scenes", "Scratch", "Synth"]),
    .testTarget(name: "SystemTests", dependencies: ["System", "Scratch"]),
    .testTarget(
      name: "pipitTests",
      dependencies: [
        "ALSA", "Control", "EngineHarness", "MIDI", "OSC", "OSCPackets", "Parameters", "Playback", "Presets",
        "QR", "Scenes", "Song", "Storage", "Surface", "Synth", "System", "Tuning", "pipit", "Scratch",
      ]),
    // An engine without a device, played by a test or a benchmark.
    .target(
      name: "EngineHarness", dependencies: ["Parameters", "Scenes", "Synth"], path: "Tests/EngineHarness",
      swiftSettings: fast),
    // A request handler that stores the requests.
    .target(name: "ControlHarness", dependencies: ["Control"], path: "Tests/ControlHarness"),
    // Common parts of tests: folders for files, threads, and a library that runs by a test's clock.
    .target(
      name: "Scratch", dependencies: ["CSyncs", "Presets", "Storage", "System"], path: "Tests/Scratch"),
    // Reports each fsync in a test's process to the test.
    .target(name: "CSyncs", path: "Tests/CSyncs"),
    // An ALSA sound card whose time is set by the test, and which fails on demand.
    .target(name: "CTestCard", path: "Tests/CTestCard", linkerSettings: [.linkedLibrary("asound")]),
    .target(
      name: "TestCard",
      dependencies: [
        "ALSA", "CALSA", "CTestCard", "EngineHarness", "Parameters", "Scenes", "Synth", "System",
      ],
      path: "Tests/TestCard"),
    // Makes every call of a card fail, at every point, with every error.
    .executableTarget(
      name: "faults", dependencies: ["CTestCard", "Scenes", "TestCard"], path: "Tests/Faults"),
    // Plays on such a card for hours, in minutes of real time.
    .executableTarget(
      name: "day",
      dependencies: ["CTestCard", "EngineHarness", "Parameters", "Scenes", "Scratch", "TestCard"],
      path: "Tests/Day"),
    // Tests sample formats through a loopback card of the kernel (Tests/VM/formats).
    .executableTarget(
      name: "formats", dependencies: ["ALSA", "CALSA", "Scenes", "Synth", "System", "TestCard"],
      path: "Tests/Formats"),
    // Saves continuously, for the test that kills it.
    .executableTarget(
      name: "saver", dependencies: ["Parameters", "Presets", "Scenes", "Storage"], path: "Tests/Saver"),
    // Records continuously, for the test that kills it.
    .executableTarget(
      name: "recordist", dependencies: ["Recording", "Scenes", "System"], path: "Tests/Recordist"),
  ]
)

// Without Swift's regular expressions. One call such as "text".replacing("a", with: "b") would link their parser, which
// takes a megabyte of the memory that pipit locks.
for target in package.targets where target.path == nil && [.regular, .executable].contains(target.type) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])
    ]
}

// In a release build, where the code under test is optimised, the tests themselves are not: compiling them takes longer
// than running them. They need no debug information, since an expectation that fails names its line.
for target in package.targets where target.type == .test {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone", "-gnone"], .when(configuration: .release))]
}

// AddressSanitizer watches the code under test, and not the tests, whose measurements it would make many times slower.
if Context.environment["PIPIT_SANITIZER"] == "address" {
  for target in package.targets where [.regular, .executable].contains(target.type) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=address"])]
    target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-fsanitize=address"])]
    target.linkerSettings = (target.linkerSettings ?? []) + [.unsafeFlags(["-sanitize=address"])]
  }
}

// Reduces the tests and their programs to those named here and their dependencies, so that a sanitizer or a change
// need not build all of them.
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
