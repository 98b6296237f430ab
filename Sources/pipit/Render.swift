import Glibc
import MIDI
import Parameters
import Playback
import Presets
import Scenes
import Song
import Synth
import System
import Tuning
import Wavetables

/// `pipit render`: renders a MIDI file, or the phrase of a preset, into a WAV file.
enum Render {
  static func run(_ arguments: CommandArguments) throws {
    if arguments.operands.isEmpty, arguments[.preset] == nil {
      throw CommandError.usage("render: SONG.mid is missing", "pipit render --help")
    }
    guard let output = arguments[.output] else {
      throw CommandError.usage("render: no file to write is named, use -o OUT.wav", "pipit render --help")
    }
    guard let path = arguments.operands.first else {
      try renderPhrase(to: output, arguments)
      return
    }
    if isSame(path, output) {
      throw CommandError("render: \(output) is the song itself; name another file to write", .usage)
    }
    // The song is read before signals are blocked, so that waiting for a pipe can be interrupted.
    let song = try Song(path: path == "-" ? "/dev/stdin" : path, strict: arguments[.strict] != nil)
    for warning in song.warnings { Console.log(.warning("render: \(path): \(warning)")) }
    try render(song, path, to: output, arguments)
  }

  /// Renders a phrase that suits a preset if there is no song.
  private static func renderPhrase(to output: String, _ arguments: CommandArguments) throws {
    guard let name = arguments[.preset] else { return }
    let library = try Folders.library(arguments)
    let preset = try find(name, in: library)
    let phrase = (try? PresetText.read(preset.text, names: library.wavetables))?.phrase ?? .keys
    try render(Song(phrase), preset.name, to: output, arguments)
  }

  /// Whether two names refer to one file, possibly by a link.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(one, &first) == 0, stat(other, &second) == 0 else { return false }
    return first.st_mode & S_IFMT == S_IFREG && (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino)
  }

  private static func render(
    _ song: Song, _ path: String, to output: String, _ arguments: CommandArguments
  ) throws {
    // Signals are blocked so that an incomplete file is removed before a signal ends the process.
    Signals.block()
    defer { Signals.unblock() }
    let rate = arguments.number(.rate)
    let (renderer, meaning) = try renderer(of: song, rate: rate, arguments)
    let format = arguments[.format].flatMap { WAVFormat(rawValue: $0) } ?? .s16
    try check(song, path, frames: renderer.end, rate, format)
    let file = try WAVFile(path: output, format: format, rate: rate) { Signals.pending != nil }
    var progress = Progress(path, total: renderer.end)
    defer { progress.clear() }
    let start = monotonic()
    try renderer.render(block: arguments.number(.block)) { left, right, frames, position in
      try file.write(left: left, right: right, frames: frames)
      if progress.isDue(position) {
        if Signals.pending != nil { throw CommandError("render: interrupted") }
        progress.show(position)
      }
    }
    try file.finish()
    progress.clear()
    let took = Double(max(monotonic() - start, 1)) * 1e-9
    if let missing = renderer.programs?.missing, !missing.isEmpty {
      Console.log("render: no preset at \(missing.joined(separator: ", ")); the sound did not change")
    }
    if renderer.lost > 0 {
      Console.log("render: \(renderer.lost) events dropped, because too many came at one moment")
    }
    let (refused, stolen) = renderer.voicesLacked
    if refused > 0 { Console.log("render: \(refused) notes were not played, because no voice was free") }
    if renderer.isFadedOut {
      Console.log(
        "render: \(path) still sounds \(SongRenderer.longestTail) s after its end, and was faded out")
    }
    let seconds = Double(file.frames) / Double(rate)
    let peak = renderer.peak > 0 ? decimals(20 * log10(renderer.peak), 1) + " dBFS" : "silence"
    let line =
      "\(output): \(clock(seconds)), peak \(peak), \(renderer.mostVoices) voices at most, "
      + (stolen > 0 ? "\(stolen) stolen, " : "")
      + "\(decimals(Float(seconds / took), 1)) times faster than real time"
      + (meaning.isEmpty ? "" : "; programs: \(meaning)")
    if output == "-" { Console.log(line) } else { Console.print(line + "\n") }
  }

  /// Warns if a part of the song is left out. Throws if the rest is too long for a file.
  private static func check(
    _ song: Song, _ path: String, frames: Int64, _ rate: Int, _ format: WAVFormat
  ) throws {
    let seconds = Double(frames) / Double(rate)
    if song.length > seconds {
      let whole = Int(clamping: song.length.rounded(.up))
      Console.log(
        .warning(
          "render: \(path) lasts \(clock(song.length)), of which \(clock(seconds)) are rendered; "
            + "--length \(whole) renders all of it"))
    }
    if Int(frames) * 2 * format.bytes > WAVFile.maxBytes {
      throw CommandError(
        "render: \(clock(seconds)) of sound are more than the 4 GB that a WAV holds; "
          + "take a lower rate, fewer bits or a smaller --length", .usage)
    }
  }

  private static func find(_ name: String, in library: Library) throws -> Preset {
    do throws(NoSuchPreset) {
      return try library.find(name)
    } catch {
      let near = error.candidates.isEmpty ? nearest(to: name, among: library.presets.map { $0.name }) : nil
      let hint = near.map { " (did you mean \"\($0)\"?)" } ?? ""
      throw CommandError("render: \(error)\(hint); 'pipit presets' lists them")
    }
  }

  private static func read(tuning path: String) throws -> KeyTuning {
    do throws(TuningError) {
      return try TuningFolder.tuning(file: path)
    } catch {
      throw CommandError("render: \(error)")
    }
  }

  /// The renderer of a song. Each channel has a part, which keeps its level and pan, according to
  /// `ChannelAssignment`. With `--preset`, all parts have that preset; otherwise program changes choose the presets.
  private static func renderer(
    of song: Song, rate: Int, _ arguments: CommandArguments
  ) throws -> (renderer: SongRenderer, meaning: String) {
    let library = try Folders.library(arguments)
    let tuning = try arguments[.tuning].map { try read(tuning: $0) }
    let mpe = MPESetting(arguments[.mpe] ?? "") ?? .auto
    let wavetables = wavetables(library.wavetables, arguments)
    if let name = arguments[.preset] {
      let preset = try find(name, in: library)
      guard let patch = library.patch(of: preset) else {
        throw CommandError("render: the preset '\(preset.name)' cannot be read")
      }
      let assignment = ChannelAssignment(song.uses(mpe: mpe), order: .pipit)
      let renderer = SongRenderer(
        song, mpe: mpe, scene: assignment.scene { _ in patch },
        songPartsScene: further(assignment) { _ in patch }, programs: nil, tuning: tuning, rate: rate,
        longest: arguments.number(.length), hasKeys: hasKeys(arguments), wavetables: wavetables)
      return (renderer, "")
    }
    let wish = arguments[.programs].flatMap { SongPrograms(rawValue: $0) } ?? .auto
    if wish == .gm, !library.hasGeneralMIDI {
      throw CommandError("render: the folder of the factory presets has no gm.txt, or none that can be read")
    }
    let (order, meaning) = wish.order(of: song, library, mpe: mpe)
    let assignment = ChannelAssignment(song.uses(mpe: mpe), order: order)
    var programs = ProgramMap(library, order: order)
    let patch: (UInt8) -> Patch = { programs.patch(bank: 0, program: 0, channel: Int($0)) ?? .initial }
    let (scene, songPartsScene) = (assignment.scene(patch: patch), further(assignment, patch: patch))
    programs = ProgramMap(library, order: order)
    let renderer = SongRenderer(
      song, mpe: mpe, scene: scene, songPartsScene: songPartsScene, programs: programs, tuning: tuning,
      rate: rate,
      longest: arguments.number(.length), hasKeys: hasKeys(arguments), wavetables: wavetables)
    return (renderer, meaning)
  }

  /// The wavetables of the player, by their numbers. One that cannot be read is reported. The state folder is
  /// determined when a sound needs the first one.
  private static func wavetables(
    _ names: NameRegister, _ arguments: CommandArguments
  ) -> WavetableSource {
    let folder = Mutex<WavetableFolder?>(nil)
    return { number in
      guard let name = names.name(number) else { return nil }
      let found =
        folder.withLock { $0 }
        ?? WavetableFolder((try? Folders.stateOfLibrary(arguments)).map(Folders.wavetables))
      folder.withLock { $0 = found }
      do throws(WavetableError) { return try found.table(named: name) } catch {
        Console.log(.warning("\(error); basic is played in its place"))
        return nil
      }
    }
  }

  /// Whether the notes are keys: those of a phrase always, those of a song with `--keys`.
  private static func hasKeys(_ arguments: CommandArguments) -> Bool {
    arguments.operands.isEmpty || arguments[.keys] != nil
  }

  /// The scene of the parts 9 to 16; nil if the assignment has none of them.
  private static func further(_ assignment: ChannelAssignment, patch: (UInt8) -> Patch) -> Scene? {
    assignment.needsSongParts ? assignment.scene(from: Limits.parts, patch: patch) : nil
  }

  /// Formats a time, such as `1:02.5`.
  private static func clock(_ seconds: Double) -> String {
    let tenths = Int(clamping: (seconds * 10).rounded())
    let rest = tenths % 600
    return "\(tenths / 600):\(rest < 100 ? "0" : "")\(rest / 10).\(rest % 10)"
  }
}

/// A progress bar on standard error; only on a terminal.
struct Progress {
  private let name: String
  private let total: Int64
  private let terminal = isatty(STDERR_FILENO) == 1
  private var due: Int64 = 0
  // The percentage on the screen; nil if there is no bar.
  private var shown: Int64?
  private static let width = 40

  /// Progress towards frame `total`.
  init(_ path: String, total: Int64) {
    name = path.split(separator: "/").last.map { String($0) } ?? path
    self.total = max(1, total)
  }

  /// True every 16,384 frames: time to update the bar and to check for signals.
  mutating func isDue(_ position: Int64) -> Bool {
    if position < due { return false }
    due = position + 16_384
    return true
  }

  /// Draws the bar.
  mutating func show(_ position: Int64) {
    let percent = min(position, total) * 100 / total
    guard terminal, percent != shown else { return }
    shown = percent
    let done = Int(percent) * Self.width / 100
    let bar = String(repeating: "#", count: done) + String(repeating: ".", count: Self.width - done)
    Console.progress("\r\(name) [\(bar)] \(percent) %")
  }

  /// Removes the bar.
  mutating func clear() {
    if shown != nil { Console.progress("\r\u{1B}[K") }
    shown = nil
  }
}

extension PresetText.Reading {
  /// A phrase that suits the sound: held keys for a sequence or an arpeggiator, single keys for a chord memory, or
  /// else the phrase of its description.
  var phrase: Phrase {
    let isLow = about.category == .basses
    if patch.sequence.mode >= 0.5 { return isLow ? .lowSteps : .steps }
    if patch.arp.on >= 0.5 { return isLow ? .lowSteps : .arpeggios }
    if patch.chord.on >= 0.5 { return .stabs }
    return about.phrase
  }
}

extension PresetAbout {
  /// A phrase that suits the sound: that of its category, or of drums if a tag says so.
  var phrase: Phrase {
    if tags.contains("drum") { return .drums }
    switch category {
    case .basses: return .basses
    case .leads: return .leads
    case .pads: return .pads
    case .keys, nil: return .keys
    case .plucks: return .plucks
    case .organs: return .organs
    case .strings: return .strings
    case .motion: return .motion
    }
  }
}
