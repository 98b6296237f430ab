import Foundation
import MIDI
import Scratch
import Song
import Testing

private let songs: String = {
  let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
  return "/\(tests)/../presets/songs"
}()
private let python = "/usr/bin/python3"

@Suite("The demo songs")
struct DemoSongTests {
  @Test(
    "Each is what its generator writes, to the byte",
    .enabled(if: FileManager.default.isExecutableFile(atPath: python), "there is no Python here"),
    arguments: ["aria", "canon", "octet", "relay", "tide"])
  func generated(name: String) throws {
    let folder = Folder()
    for script in ["track", name] {
      try FileManager.default.copyItem(
        atPath: "\(songs)/\(script).py", toPath: "\(folder.path)/\(script).py")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = ["\(folder.path)/\(name).py"]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let written = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name).mid"))
    let kept = try Data(contentsOf: URL(fileURLWithPath: "\(songs)/\(name).mid"))
    #expect(written == kept)
  }

  @Test(
    "Each lasts 40 to 70 seconds, chooses a preset for each channel before it plays, and ends every note",
    arguments: ["aria", "octet", "relay", "tide"])
  func whole(name: String) throws {
    let song = try Song(path: "\(songs)/\(name).mid")
    #expect(song.warnings.isEmpty)
    #expect(song.length > 40 && song.length < 70)
    var (open, struck) = (Set<[UInt8]>(), 0)
    var chosen = Set<UInt8>()
    var unchosen = 0
    for moment in song.messages {
      switch moment.message {
      case .program: chosen.insert(moment.channel)
      case .noteOn(let note, _):
        if !chosen.contains(moment.channel) { unchosen += 1 }
        // A key that is struck again before its end has one off.
        open.insert([moment.channel, note])
        struck += 1
      case .noteOff(let note, _): open.remove([moment.channel, note])
      default: break
      }
    }
    #expect(unchosen == 0)
    #expect(open.isEmpty && struck > 0)
  }

  @Test("Each means pipit's programs", arguments: ["aria", "canon", "octet", "relay", "tide"])
  func meaning(name: String) throws {
    let meaning = try Song(path: "\(songs)/\(name).mid").programMeaning()
    #expect(!meaning.isGeneralMIDI && meaning.reason == "it has the text \"pipit\"")
  }

  @Test("octet has all eight parts playing within one bar")
  func octet() throws {
    let song = try Song(path: songs + "/octet.mid")
    #expect(song.channels() == Array(0..<8))
    let strikes = song.messages.filter { if case .noteOn = $0.message { true } else { false } }
    let bar = 4 * 60 / 116.0
    let most = strikes.map { first in
      Set(strikes.filter { $0.seconds >= first.seconds && $0.seconds < first.seconds + bar }.map(\.channel))
        .count
    }
    #expect(most.max() == 8)
  }

  @Test("tide leaves channel 1 to a player, is whole bars long, and changes its tempo on the way")
  func tide() throws {
    let song = try Song(path: songs + "/tide.mid")
    #expect(song.channels() == Array(1..<6) && song.beats == 96)
    #expect(song.tempos.first?.perMinute == 60e6 / 535_714 && Set(song.tempos.map(\.perMinute)).count > 8)
  }

  @Test("aria's solo moves wheel, pressure and bend all along, and leaves them at rest")
  func aria() throws {
    let song = try Song(path: songs + "/aria.mid")
    var wheel: [Float] = []
    var pressure: [Float] = []
    var bends: [Float] = []
    for moment in song.messages where moment.channel == 0 {
      switch moment.message {
      case .controller(1, let value): wheel.append(value.unit)
      case .pressure(let value): pressure.append(value.unit)
      case .bend(let value): bends.append(value.bipolar)
      default: break
      }
    }
    #expect(wheel.count > 100 && pressure.count > 200 && bends.count > 50)
    #expect(wheel.last == 0 && pressure.last == 0 && bends.last == 0)
  }

  @Test("relay recalls presets while it holds four keys, twice in each chord, and no two alike in a row")
  func relay() throws {
    let song = try Song(path: songs + "/relay.mid")
    var held = Set<UInt8>()
    var recalls = 0
    var last: UInt8?
    var repeated = 0
    for moment in song.messages where moment.channel == 0 {
      switch moment.message {
      case .noteOn(let note, _): held.insert(note)
      case .noteOff(let note, _): held.remove(note)
      case .program(let program, _):
        if program == last { repeated += 1 }
        last = program
        if held.count >= 4 { recalls += 1 }
      default: break
      }
    }
    #expect(recalls >= 32 && repeated == 0)
  }
}
