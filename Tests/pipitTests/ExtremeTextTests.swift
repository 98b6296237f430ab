import Parameters
import Scenes
import Scratch
import Storage
import Synth
import System
import Testing
@testable import ALSA
@testable import Control
@testable import MIDI
@testable import Presets
@testable import Surface
@testable import Tuning
@testable import pipit

extension String {
  /// This text with another in the place of a range.
  fileprivate func replacing(_ range: Range<Index>, by other: String) -> String {
    String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
  }
}

/// Texts of every format with the numbers at which arithmetic ends, in the place of each number.
struct ExtremeTextTests {
  private let names = NameRegister()
  private let folder = Folder()

  /// Reads a text once for each number in it and each extreme one in its place. Returns how many texts were read.
  private func sweep(_ text: String, _ read: (String) throws -> Void) -> Int {
    var count = 0
    for field in fields(of: text) {
      for extreme in Extremes.texts {
        try? read(text.replacing(field, by: extreme))
        count += 1
      }
    }
    return count
  }

  /// The places of the numbers in a text: digits with a sign and a point.
  private func fields(of text: String) -> [Range<String.Index>] {
    var (fields, index): ([Range<String.Index>], String.Index) = ([], text.startIndex)
    func isOfNumber(_ letter: Character) -> Bool { letter.isASCII && letter.isNumber || letter == "." }
    while index < text.endIndex {
      guard text[index].isASCII, text[index].isNumber else {
        index = text.index(after: index)
        continue
      }
      var start = index
      if start > text.startIndex, text[text.index(before: start)] == "-" { start = text.index(before: start) }
      while index < text.endIndex, isOfNumber(text[index]) { index = text.index(after: index) }
      fields.append(start..<index)
    }
    return fields
  }

  @Test("No number in a preset, a session or a setup ends pipit, and none leaves a knob out of range")
  func sounds() {
    var count = 0
    func check(_ scene: Scene, _ text: String) {
      for knob in ParameterID.all where !Table.rows[knob.row].kind.bounds.contains(scene[knob]) {
        Issue.record("\(knob.address) is \(scene[knob]) after \(text)")
      }
    }
    // Each knob in its unit, at its address with a part for what is not of the sound.
    for row in Table.rows {
      let address = row.address + row.leaf(row.kind.unit == nil ? .fader : .unit)
      count += sweep("pipit preset 1\n\(address) 1\n") { text in
        _ = try PresetText.read(text, names: names)
      }
      let part = row.field.scope == .master ? "" : "/part/8"
      for extreme in sample(Extremes.texts) {
        guard let read = try? Session.read("pipit session 1\n\(part)\(address) \(extreme)\n", names: names)
        else { continue }
        count += 1
        if let knob = Address("\(part)\(address)"[...], focus: 0)?.knob,
          !row.kind.bounds.contains(read.session.scene[knob])
        {
          Issue.record("\(address) \(extreme) is read as \(read.session.scene[knob])")
        }
      }
    }
    count += sweep(
      """
      pipit preset 1
      name Seven 7
      slot 1 5
      category 3
      tags 1, 2
      favorite 1
      macro 1 Name 2
      /filter/cutoff/hz 440.5
      /sequence/step/3 7 100 50 1
      /sequence/step/64 -7 100 50 4 tie
      snapshot A "One 1"
      /osc/1/octave/octaves -2
      """
    ) { _ = try PresetText.read($0, names: names) }
    count += sweep(
      """
      pipit session 1
      focus 3
      preset 1 2 5
      tuning 1 meantone
      keymap 8 white
      setup 0 3
      setlist 1
      set-place 2
      set-cue 3
      set-transpose -3
      set-tempo 120.5
      /part/2/filter/cutoff/hz 440.5
      /part/8/sequence/step/3 7 100 50 1
      snapshot 1 A "One"
      /amp/decay/seconds 0.5
      """
    ) { text in
      let session = try Session.read(text, names: names).session
      _ = session.text(names)
      check(session.scene, text)
    }
    print("extreme numbers: \(count) texts of sounds and sessions")
    #expect(count > 50_000)
  }

  @Test("No number in a setup or a setlist ends pipit, read, stored and recalled")
  func shows() throws {
    let instrument = Instrument(
      link: Link(.initial), library: Library(database: nil, factory: nil, log: { _ in }), log: { _ in })
    try instrument.presets.saveNew(part: 0, named: "Bass 1", now: 0)
    try instrument.setups.save(named: "Night 1")
    try instrument.setlists.create("Set 1")
    try instrument.setlists.add()
    try instrument.setlists.add()
    let values = [
      "title": "One 1", "transpose": "-3", "tempo": "120.5", "snapshot": "A", "color": "1", "skip": "1",
      "notes": "1",
    ]
    for (name, value) in values { try? instrument.setlists.set(number: 1, name, value) }
    var count = sweep(try instrument.setups.text(of: "1")) { text in
      _ = try SetupText.read(text, names: names)
      _ = try instrument.setups.save(.setup(text, named: "Other"))
      try instrument.setups.recall(named: "Other")
    }
    count += sweep(try instrument.setlists.text(of: "Set 1")) { text in
      _ = try SetlistText.read(text)
      _ = try instrument.setlists.save(.setlist(text, named: "Other"))
      try instrument.setlists.load("Other")
      try instrument.setlists.play(number: 1)
    }
    for _ in 0..<100 { _ = instrument.update(0) }
    let sequence = "pipit setup 1\n/part/1/sequence/step/3 7 100 50 1\n/tempo/bpm 120\n"
    count += sweep(sequence) { _ = try SetupText.read($0, names: names) }
    print("extreme numbers: \(count) texts of setups and setlists")
    #expect(count > 2_000)
  }

  @Test("No number in a text of devices, bindings, pads, cards or tunings ends pipit")
  func devices() throws {
    var count = sweep("cc 21 1 pickup 0.25 1 7 /play/mode 3") { _ = Binding($0) }
    count += sweep("nrpn 1000 16 jump 0 1 14 /filter/cutoff") { _ = Binding($0)?.text }
    count += sweep(
      """
      pipit devices 1
      clock 1
      bind cc 20 any jump 0 1 7 /macro/1
      device 1
      client Keys 1
      port MIDI 1
      usb 1235:0113
      index 1
      ordinal 2
      set parts 2:1,3 10:-
      set mpe lower-15-24
      bind cc 21 1 pickup 0 1 7 /filter/cutoff
      """
    ) { text in
      let table = DeviceTable(reading: text)
      _ = DeviceTable(reading: table.text)
      for words in ["1", "2147483647"] { _ = table.find(words) }
    }
    count += sweep(
      """
      device Launchpad 1
      usb 1235:0113
      port 2
      hello F0 00 20 29 F7
      channel 3
      state current 21 5
      pad note 11 /setup/slot/1
      pad cc 91 /macro/1 set 0.5
      pad note 12 /sequence/slot/1/velocity toggle 100
      pad note 13 /macro/2 hold 1
      """
    ) { _ = Pads.problems(of: try PadMap(reading: $0, name: "pads.txt")) }
    count += sweep(
      "pipit card 1\nconfigured hw:1\nrate 48000\nperiod 128\ncard -600 USB 1\nelement on 12 1 PCM 1\n"
    ) {
      _ = CardMemory(reading: $0)
    }
    count += sweep("name 1\n3\n100.5\n3/2\n2\n") { _ = try Scale(Array($0.utf8)).octaves(degree: .min) }
    count += sweep("3\n0\n127\n60\n69\n440.5\n12\n0\n4\n7\n") { text in
      _ = try KeyMap(Array(text.utf8)).octaves(of: .equal)
    }
    print("extreme numbers: \(count) texts of devices, pads, cards and tunings")
    #expect(count > 3_000)
  }

  @Test("No number in a configuration, a bank of amsynth or on a command line ends pipit")
  func rest() throws {
    var count = 0
    for option in Configuration.rows {
      count += sweep("\(option.name) = 1\n") { text in
        let file = folder.file("pipit.conf", Array(text.utf8))
        let read = Configuration.read(try CommandArguments(["--config", file], of: .serve, named: true))
        _ = AllowedNetworks(read.values["allow"] ?? "")
      }
      count += sweep("1") { text in
        _ = try CommandArguments(["--\(option.name)", text], of: .serve, named: true).number(.rate)
      }
    }
    for networks in ["192.168.1.0/24", "fe80::1/64", "10.0.0.7,10.0.0.0/8"] {
      count += sweep(networks) { _ = AllowedNetworks($0) }
    }
    let library = Library(database: nil, factory: nil, log: { _ in })
    let parameters = [
      "osc1_waveform", "filter_type", "keyboard_mode", "lfo_waveform", "freq_mod_osc", "amp_attack",
      "osc2_range",
      "filter_cutoff", "filter_env_amount", "portamento_time", "reverb_roomsize", "distortion_crunch",
    ]
    for parameter in parameters {
      count += sweep("amSynth\n<preset> <name> Bells\n<parameter> \(parameter) 1.5\n") { text in
        var reader = try BundleReader(FileContents(Array(text.utf8)), name: "Bells")
        while let checked = reader?.next() { for preset in checked { _ = library.place(preset) } }
      }
    }
    for seconds in Extremes.longs { _ = dateAndMinute(Int(seconds)) }
    print("extreme numbers: \(count) texts of configurations and others")
    #expect(count > 3_000)
  }
}
