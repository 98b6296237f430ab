import Song
import Testing

@Suite("A file that is odd")
struct OddFileTests {
  @Test("is played as far as it can be read, and what is wrong is said once", arguments: OddFile.all)
  func plays(file: OddFile) throws {
    let song = try Song(file.bytes)
    let heard = Heard(song)
    #expect(heard.description == file.heard)
    #expect(heard.allEnd && heard.isInOrder)
    #expect(song.warnings.map { $0.description } == file.warnings)
  }

  @Test("stands in the table with every kind of warning but the ones of size")
  func kinds() throws {
    var met = Set<SongWarning.Kind>()
    for file in OddFile.all { met.formUnion(try Song(file.bytes).warnings.map { $0.kind }) }
    #expect(Set(SongWarning.Kind.allCases).subtracting(met) == [.length, .messages, .ports])
  }

  @Test("is refused when it has nothing to play, with the first thing that is wrong, and when it is no song")
  func refused() {
    func complaint(_ bytes: [UInt8]) -> String? {
      do throws(SongError) {
        _ = try Song(bytes)
        return nil
      } catch { return error.description }
    }
    let no = "byte 0: not a Standard MIDI File: it does not begin with a header 'MThd'"
    #expect(complaint([]) == no)
    #expect(complaint(Array("RIFF....WAVE".utf8)) == no)
    #expect(complaint([UInt8](repeating: 0, count: 65_536) + midi(tracks: [[0, 0x90, 60, 1] + end])) == no)
    #expect(complaint(Array("MThd".utf8) + [0, 0]) == "byte 6: the file ends too early")
    #expect(complaint(chunk("MThd", [0, 1, 0, 1])) == "byte 4: a header of 4 bytes instead of 6")
    #expect(
      complaint(chunk("MThd", big(1, 2) + big(1, 2) + big(96, 2)))
        == "byte 14: the file ends after 0 of 1 tracks")
    #expect(complaint(midi(tracks: [[0, 60, 1]])) == "byte 23: data byte 0x3C without a status before it")
    #expect(complaint([UInt8](repeating: 0, count: (16 << 20) + 1))?.contains("16 MiB") == true)
    // A song may be silent.
    #expect(complaint(midi(tracks: [end])) == nil)
  }

  @Test("read strictly is played to the same end when nothing is wrong with it")
  func strict() throws {
    for file in OddFile.all where file.warnings.isEmpty {
      guard let song = try? Song(file.bytes, strict: true) else { continue }
      #expect(Heard(song).description == file.heard, "\(file.name)")
      #expect(song.warnings.isEmpty)
    }
  }
}
