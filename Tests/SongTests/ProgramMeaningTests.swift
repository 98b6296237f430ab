import MIDI
import Song
import Testing

@Suite("What the programs of a song mean")
struct ProgramMeaningTests {
  private static let strike: [UInt8] = [0, 0x90, 60, 100, 0x60, 60, 0]
  private static let drum: [UInt8] = [0, 0x99, 36, 100, 0x60, 36, 0]
  private static let program: [UInt8] = [0, 0xC0, 19]
  private static let bank: [UInt8] = [0, 0xB0, 0, 0]
  private static let systemOn: [UInt8] = [0, 0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7]
  private static let systemOff: [UInt8] = [0, 0xF0, 5, 0x7E, 0x7F, 9, 2, 0xF7]

  private struct Parameter: Sendable, CustomTestStringConvertible {
    let track: [UInt8]
    let isGeneralMIDI: Bool
    let testDescription: String

    init(_ pieces: [[UInt8]], _ isGeneralMIDI: Bool, _ about: String) {
      track = pieces.flatMap { $0 }
      (self.isGeneralMIDI, testDescription) = (isGeneralMIDI, about)
    }
  }

  // One by one, each with its type: older compilers take too long over them together.
  private static let rows: [Parameter] = {
    let arps: [UInt8] = [0, 0xB0, 32, 127]
    let variation: [UInt8] = [0, 0xB0, 0, 8, 0, 32, 3]
    let otherBank: [UInt8] = [0, 0xB1, 32, 5]
    let drumBank: [UInt8] = [0, 0xB9, 32, 5, 0, 0xC9, 0]
    let text: [UInt8] = [0, 0xFF, 1, 5] + Array("pipit".utf8)
    let longText: [UInt8] = [0, 0xFF, 1, 6] + Array("pipits".utf8)
    let name: [UInt8] = [0, 0xFF, 3, 5] + Array("pipit".utf8)
    var rows = [Parameter([strike], true, "no programs")]
    rows.append(Parameter([strike, drum], true, "channel 10 without programs"))
    rows.append(Parameter([program, strike], true, "a program without a bank"))
    rows.append(Parameter([bank, program, strike], true, "a program behind controller 0"))
    rows.append(Parameter([bank, arps, program, strike], false, "a program of a bank of pipit"))
    rows.append(Parameter([arps, program, strike], false, "a bank without controller 0"))
    rows.append(Parameter([variation, program, strike], true, "a variation of GS"))
    rows.append(Parameter([program, arps, strike], true, "a bank behind the last program"))
    rows.append(Parameter([otherBank, program, strike], true, "a bank of another channel"))
    rows.append(Parameter([arps, program, strike, drum], true, "a bank, and notes on channel 10"))
    rows.append(Parameter([arps, program, drumBank, strike], false, "banks, and channel 10 without notes"))
    rows.append(Parameter([text, bank, program, strike, drum], false, "the text"))
    rows.append(Parameter([longText, name, program, strike], true, "another text, and a name"))
    rows.append(Parameter([systemOn, text, arps, program, strike], true, "GM System On"))
    rows.append(Parameter([systemOn, strike], true, "GM System On without programs"))
    rows.append(Parameter([systemOff, program, strike, drum], false, "GM System Off"))
    return rows
  }()

  @Test("is General MIDI's unless the song says otherwise", arguments: rows)
  private func meaning(_ row: Parameter) throws {
    let song = try Song(midi(tracks: [row.track + end]))
    #expect(song.programMeaning().isGeneralMIDI == row.isGeneralMIDI)
  }

  @Test("is not said by channel 10 where that is a finger's")
  func fingers() throws {
    let bank: [UInt8] = [0, 0xB0, 32, 5]
    let song = try Song(midi(tracks: [bank + Self.program + Self.strike + Self.drum + end]))
    #expect(song.programMeaning(mpe: .off).isGeneralMIDI)
    #expect(!song.programMeaning(mpe: .lower(15)).isGeneralMIDI)
    #expect(song.programMeaning(mpe: .lower(4)).isGeneralMIDI)
  }

  @Test("is said by the first word about the instrument, in whatever track it stands")
  func firstWord() throws {
    let (on, off) = (Self.systemOn, Self.systemOff)
    #expect(try Song(midi(tracks: [on + off + end])).programMeaning().isGeneralMIDI)
    #expect(try !Song(midi(tracks: [off + on + end])).programMeaning().isGeneralMIDI)
    let late: [UInt8] = [0x60] + on.dropFirst()
    #expect(try !Song(midi(tracks: [late + end, off + end])).programMeaning().isGeneralMIDI)
    #expect(
      try Song(midi(tracks: [[0x60] + off.dropFirst() + end, on + end])).programMeaning().isGeneralMIDI)
    // What goes on a message is none.
    #expect(try Song(midi(tracks: [[0, 0xF7, 5, 0x7E, 0x7F, 9, 1, 0xF7] + end])).setUp == nil)
  }
}
