import Glibc
import Scratch
import Testing

@Suite("pipit render")
struct RenderTests {
  private let folder = Folder()

  /// Renders a song and gives the run and the file. The presets are none but the initial sound.
  private func render(_ song: [UInt8], _ options: [String] = []) -> (run: Run, wav: [UInt8]) {
    let (path, out) = (folder.file("song.mid", song), folder.path + "/out.wav")
    unlink(out)
    let run = Run(
      ["render", path, "-o", out, "--presets", folder.path, "--state", folder.path, "--rate", "22050"]
        + options)
    return (run, contents(out))
  }

  /// A short song of two channels with everything that can move: tempo, bend, wheel, pedal and a knob, on odd
  /// frames. 96 ticks are a quarter note, 0.2 s at first.
  private static let song: [UInt8] = {
    // One by one, each with its type: Debian 13's compiler takes too long over them together.
    let tempos: [UInt8] = [0, 0xFF, 0x51, 3, 0x03, 0x0D, 0x41, 0x60, 0xFF, 0x51, 3, 0x01, 0xD4, 0xC1]
    let hands: [UInt8] = [
      0, 0x90, 60, 100, 5, 0xB0, 74, 90, 7, 74, 80, 3, 74, 20, 9, 0xE0, 5, 80, 1, 0x90, 64, 90, 30, 0xB0, 1,
      99,
      11, 0xC0, 3, 2, 0x90, 67, 70, 40, 0x80, 60, 0, 0, 64, 0, 0, 67, 0,
    ]
    let other: [UInt8] = [0, 0xB1, 10, 0, 0, 64, 127, 3, 0x91, 40, 120, 50, 40, 0, 40, 0xB1, 64, 0]
    let tracks = [tempos, hands, other]
    func big(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var file: [UInt8] = Array("MThd".utf8) + big(6, 4) + big(1, 2)
    file += big(tracks.count, 2) + big(96, 2)
    for track in tracks {
      file += Array("MTrk".utf8) + big(track.count + 4, 4)
      file += track + [0, 0xFF, 0x2F, 0]
    }
    return file
  }()

  @Test(
    "renders as much of a song as --length asks for, says what it leaves out, and refuses what no file holds")
  func length() {
    // A note of a minute, again and again for two hours.
    var track: [UInt8] = [0, 0xFF, 0x51, 3, 0x0F, 0x42, 0x40]
    for _ in 0..<120 { track += [0, 0x90, 60, 100, 0xAD, 0x00, 60, 0] }
    let size = UInt16(track.count + 4)
    // One by one, each with its type: Debian 13's compiler takes too long over them together.
    let head: [UInt8] = [0, 0, 0, 6, 0, 0, 0, 1, 0, 96]
    let bytes: [UInt8] = [0, 0, UInt8(size >> 8), UInt8(size & 255)]
    let end: [UInt8] = [0, 0xFF, 0x2F, 0]
    var song: [UInt8] = Array("MThd".utf8)
    for piece in [head, Array("MTrk".utf8), bytes, track, end] { song += piece }
    let (run, wav) = render(song, ["--length", "2"])
    #expect(run.status == 0)
    #expect(
      run.errors.contains("lasts 120:00.0, of which 0:02.0 are rendered; --length 7200 renders all of it"),
      "\(run.errors)")
    // Two seconds and a release.
    let seconds = Double(wav.count - 44) / 4 / 22_050
    #expect(seconds > 2 && seconds < 4)
    let refused = render(song, ["--length", "7200", "--rate", "192000", "--format", "f32"])
    #expect(refused.run.status == 2 && refused.wav.isEmpty)
    #expect(refused.run.errors.contains("120:00.0 of sound are more than the 4 GB"), "\(refused.run.errors)")
    #expect(render(Self.song, ["--length", "86401"]).run.status == 2)
  }

  @Test("plays the notes of a song as they are, and with --keys as keys, as it does with those of a phrase")
  func keys() {
    folder.file("plain.txt", "pipit preset 1\nname Plain\n")
    folder.file("arp.txt", "pipit preset 1\nname Arp\n/arp/on on\n/arp/sync 1/16\n")
    let plain = render(Self.song, ["--preset", "Plain"]).wav
    #expect(plain.count > 44 && render(Self.song, ["--preset", "Arp"]).wav == plain)
    let keys = render(Self.song, ["--preset", "Arp", "--keys"]).wav
    #expect(keys.count > 44 && keys != plain)
    #expect(render(Self.song, ["--preset", "Plain", "--keys"]).wav == plain)
    // What is latched ends with the song.
    folder.file("latched.txt", "pipit preset 1\nname Latched\n/arp/on on\n/arp/sync 1/16\n/arp/latch hold\n")
    #expect(abs(render(Self.song, ["--preset", "Latched", "--keys"]).wav.count - keys.count) < 100_000)
    func phrase(_ name: String) -> [UInt8] {
      let out = folder.path + "/phrase.wav"
      unlink(out)
      let options = ["--presets", folder.path, "--state", folder.path, "--rate", "22050"]
      #expect(Run(["render", "--preset", name, "-o", out] + options).status == 0)
      return contents(out)
    }
    folder.file("still.txt", "pipit preset 1\nname Still\n/arp/on on\n/arp/chance/percent 0\n")
    // Steps that are left to chance and never come are silence.
    #expect(phrase("Arp").dropFirst(44).contains { $0 != 0 })
    #expect(phrase("Still").dropFirst(44).allSatisfy { $0 == 0 })
  }

  @Test("begins an arpeggio of --keys with the song's next step, or at once for a key that is a little late")
  func keysOnTheGrid() {
    folder.file("arp.txt", "pipit preset 1\nname Arp\n/arp/on on\n/arp/sync 1/16\n")
    // A sixteenth is 24 ticks of 4.3 ms. The tempo changes after a beat.
    func keys(at tick: UInt8) -> [UInt8] {
      var track: [UInt8] = [0, 0xFF, 0x51, 3, 0x06, 0x40, 0x00, tick, 0x90, 60, 100, 0, 64, 100]
      track += [96 - tick, 0xFF, 0x51, 3, 0x0A, 0x00, 0x00, 96, 0x80, 60, 0, 0, 64, 0, 96, 0xFF, 0x2F, 0]
      return render(songFile(track), ["--preset", "Arp", "--keys"]).wav
    }
    let early = keys(at: 40)
    #expect(early.contains { $0 != 0 } && keys(at: 47) == early && keys(at: 32) == early)
    #expect(keys(at: 58) != early && keys(at: 60) == keys(at: 70))
    func first(_ wav: [UInt8]) -> Double {
      Double(wav.dropFirst(44).prefix { $0 == 0 }.count / 4) / 22_050
    }
    // The third sixteenth, and a key that is three ticks late.
    let sixteenth = 0.4096 / 4
    #expect(abs(first(early) - 2 * sixteenth) < 0.004 && abs(first(keys(at: 51)) - 0.4096 * 51 / 96) < 0.004)
  }

  @Test("plays in a tuning, and names the line of a file that it cannot read")
  func tuning() {
    let equal = render(Self.song).wav
    let twelve = (1...12).map { "\($0)00.0\n" }.joined()
    #expect(render(Self.song, ["--tuning", folder.file("equal.scl", "12\n12\n" + twelve)]).wav == equal)
    let five = folder.file("five.scl", "five\n5\n240.\n480.\n720.\n960.\n2/1\n")
    let tuned = render(Self.song, ["--tuning", five])
    #expect(tuned.run.status == 0 && tuned.wav.count > 44 && tuned.wav != equal)
    folder.file("five.kbm", "0\n0\n127\n60\n69\nA\n0\n")
    let run = render(Self.song, ["--tuning", five]).run
    #expect(
      run.status == 1 && run.errors.contains("render: five.kbm, line 6: \"A\" is not the frequency"),
      "\(run.errors)")
  }

  @Test("plays the phrase of a preset's category when there is no song, and asks for one without a preset")
  func phrase() {
    folder.file("01-struck.txt", "pipit preset 1\nname Struck\ncategory plucks\ntags drum\n")
    // With an effect: the engine gives it back when the song is over.
    folder.file("02-low.txt", "pipit preset 1\nname Low\ncategory basses\n/eq/on on\n")
    let out = folder.path + "/phrase.wav"
    var phrases: Set<Int> = []
    for name in ["Struck", "Low"] {
      let options = ["--presets", folder.path, "--state", folder.path, "--rate", "22050"]
      let run = Run(["render", "--preset", name, "-o", out] + options)
      #expect(run.status == 0, "\(run.errors)")
      phrases.insert(contents(out).count)
    }
    #expect(phrases.count == 2)
    let run = Run(["render", "-o", out])
    #expect(run.status == 2 && run.errors.contains("SONG.mid is missing"), "\(run.errors)")
  }

  @Test("follows the song's tempos with what goes by notes of the tempo")
  func tempos() {
    // A stroke, and its echo a quarter note later.
    let stroke = "/amp/attack/seconds 0.001\n/amp/sustain/percent 0\n/amp/decay/seconds 0.1\n"
    let echo = "/delay/on on\n/delay/sync 1/4\n/delay/feedback/percent 0\n/delay/change/value 1\n"
    folder.file("01-echo.txt", "pipit preset 1\nname Echo\n" + stroke + echo)
    // 120 beats a minute, 60 after half a second, and the stroke two seconds later.
    let changes: [UInt8] = [0, 0xFF, 0x51, 3, 0x07, 0xA1, 0x20, 96, 0xFF, 0x51, 3, 0x0F, 0x42, 0x40]
    let notes: [UInt8] = [0x81, 64, 0x90, 60, 100, 9, 0x80, 60, 0, 0x81, 64, 0xFF, 0x2F, 0]
    let size = UInt8(changes.count + notes.count)
    let head = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] as [UInt8]
    let file = Array([head, Array("MTrk".utf8), [0, 0, 0, size], changes, notes].joined())
    let wav = render(file, ["--preset", "Echo"]).wav
    /// The loudest sample of the tenth of a second from there.
    func peak(_ seconds: Double) -> Int {
      let first = 44 + Int(seconds * 22_050) * 4
      let places = stride(from: first, to: first + 2_205 * 4, by: 2)
      return places.map { abs(Int(Int16(bitPattern: UInt16(wav[$0]) | UInt16(wav[$0 + 1]) << 8))) }.max() ?? 0
    }
    #expect(wav.count > 44 + 4 * 22_050 * 4)
    let (struck, half, whole) = (peak(2.5), peak(3), peak(3.5))
    #expect(struck > 1_000 && whole > struck / 10 && half < struck / 100, "\(struck), \(half), \(whole)")
  }

  @Test("plays fingers on channels of their own by one part, where the song or the player says so")
  func mpe() {
    // One note on channel 3, bent by a quarter: an octave of 48 semitones, half a semitone as the patch has it.
    func song(_ zone: [UInt8]) -> [UInt8] {
      let finger: [UInt8] = [0, 0xE2, 0, 80, 0, 0x92, 60, 100, 96, 0x82, 60, 0, 0, 0xFF, 0x2F, 0]
      let size = UInt8(zone.count + finger.count)
      let head = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] as [UInt8]
      return Array([head, Array("MTrk".utf8), [0, 0, 0, size], zone, finger].joined())
    }
    let said = song([0, 0xB0, 101, 0, 0, 100, 6, 0, 6, 15])
    let told = song([])
    let fingers = render(said).wav
    #expect(fingers.count > 44 && render(told, ["--mpe", "lower"]).wav == fingers)
    let plain = render(told).wav
    #expect(plain.count > 44 && plain != fingers && render(said, ["--mpe", "off"]).wav == plain)
    let narrow = render(told, ["--mpe", "lower-15-24"]).wav
    #expect(narrow != plain && narrow != fingers)
    let wrong = render(told, ["--mpe", "middle"]).run
    #expect(wrong.status == 2 && wrong.errors.contains("--mpe must be auto, off, lower or upper"))
  }

  @Test("never writes over its song, by any name")
  func itself() {
    let song = folder.file("song.mid", Self.song)
    #expect(symlink("song.mid", folder.path + "/link.mid") == 0)
    for output in ["song.mid", "link.mid", "./song.mid"] {
      let run = Run(["render", song, "-o", folder.path + "/" + output])
      #expect(run.status == 2 && run.errors.contains("is the song itself"), "\(run.errors)")
      #expect(contents(song) == Self.song)
    }
  }

  @Test("writes through a link, be it to nothing yet, and leaves it a link")
  func link() {
    let song = folder.file("song.mid", Self.song)
    let whole = render(Self.song).wav
    for _ in 0..<2 {
      _ = symlink("there.wav", folder.path + "/link.wav")
      let run = Run([
        "render", song, "-o", folder.path + "/link.wav", "--presets", folder.path, "--state", folder.path,
        "--rate",
        "22050",
      ])
      #expect(run.status == 0, "\(run.errors)")
      #expect(contents(folder.path + "/there.wav") == whole)
      var status = stat()
      #expect(lstat(folder.path + "/link.wav", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    }
  }

  @Test("reads standard input and writes standard output, and says there nothing else")
  func standard() {
    let song = folder.file("song.mid", Self.song)
    let out = folder.path + "/standard.wav"
    let options = ["--presets", folder.path, "--state", folder.path, "--rate", "22050"]
    let whole = render(Self.song).wav
    let run = Run(["render", "-", "-o", "-"] + options, output: out, shell: "exec <'\(song)'")
    #expect(run.status == 0 && run.errors.contains("pipit: -: 0:0"), "\(run.errors)")
    #expect(contents(out) == whole)
    // Into a pipe goes a stream, of which nobody knows the length.
    let piped = Run(
      ["-c", "'\(program)' render '\(song)' -o - \(options.joined(separator: " ")) | cat >'\(out)'"],
      command: "/bin/sh")
    #expect(piped.status == 0)
    let stream = contents(out)
    #expect(stream.count == whole.count && stream[44...] == whole[44...])
    #expect(stream[4..<8].allSatisfy { $0 == 255 } && stream[40..<44].allSatisfy { $0 == 255 })
  }

  @Test("can be interrupted while it waits for a pipe's reader or writer", arguments: [true, false])
  func pipes(isOutput: Bool) throws {
    let song = folder.file("song.mid", Self.song)
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let words = isOutput ? [song, "-o", pipe] : [pipe, "-o", folder.path + "/out.wav"]
    let process = start(
      ["render"] + words + ["--presets", folder.path, "--state", folder.path], environment: ["HOME=/nowhere"],
      output: folder.path + "/o", errors: folder.path + "/e")
    // Once it waits, the signal must reach it; one that comes before ends it as well.
    #expect(eventually { isAsleep(process) })
    kill(process, SIGINT)
    #expect(end(of: process) == 128 + SIGINT)
  }

  @Test("gives the same bits at any block size, and they are not silence")
  func blocks() {
    let (run, whole) = render(Self.song, ["--block", "256", "--format", "f32"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(whole.count > 2 * 4 * 22_050 / 2 && Set(whole).count > 200)
    for block in ["64", "1", "977"] {
      let isSame = render(Self.song, ["--block", block, "--format", "f32"]).wav == whole
      #expect(isSame, "blocks of \(block)")
    }
  }

  @Test("gives the same bits at any block size with what is rounded at the end of a run")
  func roundedBlocks() {
    let preset = """
      pipit preset 1
      name Square Chorus
      /osc/1/wave square
      /noise/level/percent 20
      /mod/1/source lfo-2
      /mod/1/target osc-1-width
      /mod/1/amount/percent 18
      /mod/2/source envelope-3
      /mod/2/target noise-level
      /mod/2/amount/percent 35
      /reverb/on on

      """
    _ = folder.file("01-square-chorus.txt", Array(preset.utf8))
    let options = ["--preset", "Square Chorus", "--format", "f32"]
    let whole = render(Self.song, options + ["--block", "256"]).wav
    #expect(Set(whole).count > 200)
    for block in ["77", "1", "977"] {
      let isSame = render(Self.song, options + ["--block", block]).wav == whole
      #expect(isSame, "blocks of \(block)")
    }
  }

  @Test("ends with one line: length, peak, most voices and how fast it was")
  func lastLine() throws {
    let run = render(Self.song).run
    #expect(run.status == 0)
    let words = try #require(run.output.split(separator: "\n").first)
    #expect(run.output == words + "\n")
    #expect(words.hasPrefix(folder.path + "/out.wav: 0:0"))
    #expect(words.contains(" dBFS, 4 voices at most, ") && words.hasSuffix(" times faster than real time"))
    // No progress bar where there is no terminal; the one line is about the preset that is not there.
    #expect(run.errors == "pipit: render: no preset at bank 0 program 3; the sound did not change\n")
  }

  @Test("says how many voices were stolen and how many notes were not played")
  func lackOfVoices() {
    var track: [UInt8] = []
    for channel in 0..<UInt8(4) {
      for key in 0..<UInt8(128) { track += [0, 0x90 | channel, key, 100] }
    }
    track += [96, 0xFF, 0x2F, 0]
    let head = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] as [UInt8]
    let chunk: [UInt8] = Array("MTrk".utf8) + [0, 0, UInt8(track.count >> 8), UInt8(track.count & 255)]
    let run = render(head + chunk + track).run
    #expect(run.status == 0)
    #expect(run.output.contains(" 128 voices at most, 257 stolen, "), "\(run.output)")
    #expect(run.errors.contains(" 128 notes were not played, because no voice was free"), "\(run.errors)")
  }

  @Test("plays each channel on a part of its own: a pan of one leaves the other in the middle")
  func parts() {
    // The second channel alone is on the left, so its right half is silent.
    let lonely = Self.song.replacing([0x90, 60, 100], [0x90, 60, 0]).replacing(
      [0x90, 64, 90], [0x90, 64, 0]
    )
    .replacing([0x90, 67, 70], [0x90, 67, 0])
    func loudest(_ wav: [UInt8], side: Int) -> Int {
      stride(from: 44 + 2 * side, to: wav.count - 1, by: 4).reduce(0) { loudest, place in
        let sample = Int16(bitPattern: UInt16(wav[place]) | UInt16(wav[place + 1]) << 8)
        return max(loudest, abs(Int(sample)))
      }
    }
    let one = render(lonely).wav
    #expect(loudest(one, side: 0) > 1000)
    #expect(loudest(one, side: 1) <= 1)
    #expect(loudest(render(Self.song).wav, side: 1) > 1000)
  }

  @Test("refuses a preset that is not there, and a file that is no song, with a name and a place")
  func refuses() {
    let (missing, none) = render(Self.song, ["--preset", "Nobody"])
    #expect(missing.status == 1 && none.isEmpty)
    #expect(missing.errors == "pipit: render: no preset is named \"Nobody\"; 'pipit presets' lists them\n")
    var bytes = Self.song
    bytes[9] = 2
    let (wrong, file) = render(bytes, ["--strict"])
    #expect(wrong.status == 1 && file.isEmpty)
    #expect(wrong.errors.hasPrefix("pipit: render: cannot read \(folder.path)/song.mid: byte 8: format 2 "))
    #expect(folder.names == ["song.mid"])
  }

  @Test("plays a file with a broken end up to the break, says so in one line, and refuses it if strict")
  func broken() {
    let bytes = Array(Self.song.dropLast(10))
    // What is left of the last track ends within a message.
    let (run, wav) = render(bytes)
    #expect(run.status == 0 && run.output.contains("4 voices at most"))
    let lines = run.errors.split(separator: "\n").filter { !$0.contains("no preset at") }
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.hasPrefix("pipit: render: \(folder.path)/song.mid: byte ") })
    #expect(lines.last?.hasSuffix(": track 3 ends too early (played up to there)") == true, "\(run.errors)")
    // Up to the break it is the same song. There the second channel's note is let go.
    let whole = render(Self.song).wav
    let breaks = 44 + 4 * 22_050 * 53 / 480
    #expect(wav.count > breaks && wav[44..<breaks] == whole[44..<breaks] && wav != whole)
    let strict = render(bytes, ["--strict"])
    #expect(strict.run.status == 1 && strict.wav.isEmpty && strict.run.errors.contains("track 3 claims "))
  }

  /// A song of minutes, by slow tempos and few ticks to a quarter, whose rendering takes long enough to be disturbed.
  private static let long = song.replacing([0, 3, 0, 96], [0, 3, 0, 12])
    .replacing([3, 0x03, 0x0D, 0x41], [3, 0xFF, 0xFF, 0xFF])
    .replacing([3, 0x01, 0xD4, 0xC1], [3, 0xFF, 0xFF, 0xFF])

  /// The file that is being written.
  private var part: String? { folder.names.first { $0.hasSuffix(".part") } }

  private var partSize: Int64 {
    var status = stat()
    guard let part, stat(folder.path + "/" + part, &status) == 0 else { return 0 }
    return Int64(status.st_size)
  }

  /// Whether a process waits for something.
  private func isAsleep(_ process: pid_t) -> Bool {
    // Its state follows its name, which is in parentheses.
    text("/proc/\(process)/stat").split(separator: ")").last?.hasPrefix(" S") ?? false
  }

  /// Starts to render it, and returns when the file is being written.
  private func startLong(shell: String? = nil) -> pid_t {
    let song = folder.file("long.mid", Self.long)
    let words = [
      "render", song, "-o", folder.path + "/long.wav", "--presets", folder.path, "--rate", "192000",
    ]
    let pid = start(
      words, environment: ["HOME=\(folder.path)"], output: "/dev/null", errors: folder.path + "/err",
      shell: shell)
    #expect(eventually { part != nil })
    return pid
  }

  @Test("leaves no file behind when it is interrupted, and dies of the signal", arguments: [SIGINT, SIGTERM])
  func interrupted(signal: Int32) {
    let pid = startLong()
    kill(pid, signal)
    #expect(end(of: pid) == 128 + signal)
    #expect(folder.names == ["err", "long.mid"])
    #expect(text(folder.path + "/err").isEmpty)
  }

  @Test("goes on when it was started deaf to a signal, as by nohup")
  func deaf() {
    let pid = startLong(shell: "trap '' HUP")
    kill(pid, SIGHUP)
    // It goes on writing.
    let written = partSize
    #expect(eventually { partSize > written + 1_000_000 })
    var status: Int32 = 0
    #expect(waitpid(pid, &status, WNOHANG) == 0)
    kill(pid, SIGINT)
    #expect(end(of: pid) == 128 + SIGINT)
  }
}

extension [UInt8] {
  /// With each `old` made `new`; it must be there.
  func replacing(_ old: [UInt8], _ new: [UInt8]) -> [UInt8] {
    var bytes = self
    var found = false
    for place in 0...(count - old.count) where Array(self[place..<place + old.count]) == old {
      bytes.replaceSubrange(place..<place + old.count, with: new)
      found = true
    }
    precondition(found)
    return bytes
  }
}
