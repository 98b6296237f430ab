import Testing
@testable import Scenes
@testable import Synth

/// The lengths of steps, and their frames while the tempo moves: rules A, B and C.
@Suite("Step lengths of arpeggios") struct ArpLengthTests {
  /// The note lengths in quarter notes, as fractions.
  private static let lengths: [(name: String, over: Int, under: Int)] = [
    ("8/1", 32, 1), ("4/1", 16, 1), ("2/1", 8, 1), ("1/1", 4, 1),
    ("1/2d", 3, 1), ("1/2", 2, 1), ("1/2t", 4, 3),
    ("1/4d", 3, 2), ("1/4", 1, 1), ("1/4t", 2, 3),
    ("1/8d", 3, 4), ("1/8", 1, 2), ("1/8t", 1, 3),
    ("1/16d", 3, 8), ("1/16", 1, 4), ("1/16t", 1, 6),
    ("1/32d", 3, 16), ("1/32", 1, 8), ("1/32t", 1, 12),
    ("1/64", 1, 16), ("1/64t", 1, 24),
  ]

  private func length(_ index: Int) throws -> (sync: Float, beats: Double) {
    let length = Self.lengths[index]
    let sync = try #require(StepLength.names.firstIndex(of: length.name))
    return (Float(sync), Double(length.over) / Double(length.under))
  }

  @Test("The choices of the step length are off and the 21 note lengths from 8/1 to 1/64t")
  func lengthTable() {
    #expect(StepLength.names == ["off"] + Self.lengths.map(\.name))
  }

  @Test("Steps of each note length are on their exact frames at 300 beats a minute", arguments: 0..<21)
  func noteLengths(index: Int) throws {
    let (sync, beats) = try length(index)
    let spy = ArpSpy([("/arp/sync", sync), ("/tempo", 300)])
    spy.run(77)
    spy.press(60)
    let frames = beats * 9_600
    spy.run(to: 78 + Int(4 * frames))
    let expected = (0...4).map { step -> Int in
      let passed = Double(step) * frames
      return 77 + Int((passed - 1e-4).rounded(.up))
    }
    #expect(spy.frames == expected)
  }

  @Test("No step of any note length is a frame off within an hour at 123.4 beats a minute", arguments: 0..<21)
  func wholeHour(index: Int) throws {
    let (sync, beats) = try length(index)
    var knobs = ArpKnobs()
    (knobs.sync, knobs.swing) = (sync, 0.5)
    var (line, grid) = (BeatLine(rate: 48_000), ArpGrid())
    line.follow(tempo: 123.4, frame: 0)
    withUnsafePointer(to: &knobs) { grid.follow($0, at: 0, line, rate: 48_000) }
    grid.join(at: 0, line)
    let perBeat = 48_000 / Double(Float(123.4) / 60)
    var off = 0
    let steps = Int(123.4 * 60 / beats)
    for step in 0..<steps {
      let exact = Double(step) * beats * perBeat
      if grid.frame(of: grid.position(grid.next), line) != Int64((exact - 1e-5).rounded(.up)) { off += 1 }
      grid.pass()
    }
    #expect(off == 0 && grid.next == Int64(steps))
  }

  /// Another tempo every 256 frames.
  @Test("Steps stay on their exact frames while the tempo rises from 60 to 180 beats a minute")
  func tempoRamp() {
    let spy = ArpSpy([("/arp/sync", 15), ("/arp/swing", 0.6), ("/tempo", 60)])
    let late = (2 * Double(Float(0.6)) - 1) * 0.25
    spy.press(60)
    var expected: [Int] = []
    var (beat, step) = (0.0, 0)
    for block in 0..<480 {
      let tempo = Float(60) + Float(block) / 4
      let perFrame = Double(tempo / 60) / 48_000
      spy.set("/tempo", tempo)
      while true {
        let position = Double(step) * 0.25 + (step % 2 == 0 ? 0 : late)
        let frames = Int(((position - beat) / perFrame - 1e-4).rounded(.up))
        if frames >= 256 { break }
        expected.append(256 * block + frames)
        step += 1
      }
      // The spy knows what is due after the engine has taken the tempo.
      spy.run(1)
      spy.run(255)
      beat += 256 * perFrame
    }
    #expect(spy.frames == expected && expected.count > 15, "\(spy.frames), \(expected)")
  }
}
