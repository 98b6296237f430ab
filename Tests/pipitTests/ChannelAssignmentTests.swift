import MIDI
import Parameters
import Playback
import Presets
import Scenes
import Testing
@testable import Song
@testable import pipit

@Suite("Which parts play the channels of a song") struct ChannelAssignmentTests {
  private func uses(_ channels: [UInt8]) -> [ChannelUse] { channels.map { ChannelUse(channel: $0) } }

  @Test(
    "The lowest channel has the lowest part; of more than eight those that play first have the first eight")
  func plain() {
    let few = ChannelAssignment(uses([9, 3, 15]), order: .pipit)
    #expect(few.parts == [3: [0], 9: [1], 15: [2]] && !few.needsSongParts)
    let many = ChannelAssignment(uses([15, 14, 13, 12, 11, 10, 8, 7, 9, 0]), order: .pipit)
    let first: [UInt8: [Int]] = [7: [0], 8: [1], 10: [2], 11: [3], 12: [4], 13: [5], 14: [6], 15: [7]]
    #expect(many.parts == first.merging([0: [8], 9: [9]]) { $1 } && many.needsSongParts)
    #expect(!ChannelAssignment(uses(Array(0...7)), order: .pipit).needsSongParts)
    let all = ChannelAssignment(uses(Array(0...15)), order: .pipit)
    #expect((0..<16).allSatisfy { all.parts[UInt8($0)] == [$0] })
  }

  @Test("General MIDI's drums always have one of the first parts; in other songs channel 10 is one of many")
  func drums() {
    let channels = uses([0, 1, 2, 3, 4, 5, 6, 7, 9])
    let parts = ChannelAssignment(channels, order: .gm).parts
    #expect(parts[7] == [8] && parts[9] == [7])
    #expect(ChannelAssignment(channels, order: .pipit).parts[9] == [8])
  }

  @Test("Parts that answer to a channel alone play it; those of other channels come last, if at all")
  func scene() {
    var scene = Scene.initial
    for (part, channel) in [(2, 4), (5, 4), (6, 16), (0, 7)] {
      (scene[part].strip.on, scene[part].strip.channel) = (1, Float(channel))
    }
    // One that is off answers to nothing.
    (scene[7].strip.on, scene[7].strip.channel) = (0, 16)
    let assignment = ChannelAssignment(uses([3, 15, 0, 1]), order: .pipit, in: scene)
    #expect(assignment.parts == [3: [2, 5], 15: [6], 0: [1], 1: [3]])
    // Parts 2, 4, 5 and 8 are free, and part 1, which answers to a channel that is not played, is the last.
    let full = ChannelAssignment(uses([3, 15, 0, 1, 2, 4, 5, 8]), order: .pipit, in: scene)
    #expect(full.parts == [3: [2, 5], 15: [6], 0: [0], 1: [1], 2: [3], 4: [4], 5: [7], 8: [8]])
    // Over General MIDI's drums too goes the part that answers to their channel.
    (scene[1].strip.on, scene[1].strip.channel) = (1, 10)
    #expect(ChannelAssignment(uses([0, 9]), order: .gm, in: scene).parts[9] == [1])
  }

  @Test("Of parts that are set to one channel, the last play others where channels would have none")
  func layers() {
    var scene = Scene.initial
    for part in 0..<8 { (scene[part].strip.on, scene[part].strip.channel) = (1, part < 6 ? 4 : 5) }
    for count in 1...16 {
      let parts = ChannelAssignment(uses(Array(0..<UInt8(count))), order: .pipit, in: scene).parts
      #expect(parts.count == count && parts.values.allSatisfy { !$0.isEmpty }, "\(count)")
      #expect(Set(parts.values.joined()).count == parts.values.joined().count)
      // Eight parts and eight more are enough for ten channels with six further layers.
      if count > 4 { #expect(parts[3]?.count == min(6, max(1, 17 - count)), "\(count): \(parts)") }
    }
  }

  @Test(
    "The instrument is told of each channel which parts hear it, and of one that is not played that none does"
  )
  func routes() {
    var scene = Scene.initial
    for part in [2, 7] { (scene[part].strip.on, scene[part].strip.channel) = (1, 4) }
    let routes = ChannelAssignment(uses([3, 15]), order: .pipit, in: scene).routes
    #expect(routes[3] == 1 << 2 | 1 << 7 && routes[15] == 1 && routes[0] == nil)
    #expect(ChannelAssignment(uses(Array(0...8)), order: .pipit).routes[8] == 0)
  }

  @Test("A rendered song has a part on for each channel, with its sound, and no other")
  func rendered() {
    let scene = ChannelAssignment(uses([4, 0]), order: .pipit).scene { channel in
      var patch = Patch.initial
      patch.filter.cutoff = 1_000 + Float(channel)
      return patch
    }
    #expect((0..<Limits.parts).map { scene[$0].strip.on } == [1, 1, 0, 0, 0, 0, 0, 0])
    #expect(scene[0].strip.channel == 1 && scene[1].strip.channel == 5)
    #expect(scene[0].patch.filter.cutoff == 1_000 && scene[1].patch.filter.cutoff == 1_004)
  }

  @Test("Each category has its phrase, and drums have theirs whatever the category")
  func phrases() {
    let wanted: [(PresetCategory?, Phrase)] = [
      (.basses, .basses), (.leads, .leads), (.pads, .pads), (.keys, .keys), (.plucks, .plucks),
      (.organs, .organs), (.strings, .strings), (.motion, .motion), (nil, .keys),
    ]
    for (category, phrase) in wanted {
      var about = PresetAbout()
      about.category = category
      #expect(Song(about.phrase).messages == Song(phrase).messages)
      about.tags = ["bass", "drum"]
      #expect(Song(about.phrase).messages == Song(.drums).messages)
    }
  }

  @Test("A sound that plays steps or chords has a phrase for these, low keys for a bass")
  func stepPhrases() throws {
    let wanted: [(String, PresetCategory, Phrase)] = [
      ("/arp/on on", .plucks, .arpeggios), ("/arp/on on", .basses, .lowSteps),
      ("/sequence/mode key", .leads, .steps), ("/sequence/mode key", .basses, .lowSteps),
      ("/chord/on on", .keys, .stabs), ("/arp/on on\n/chord/on on", .keys, .arpeggios),
      ("/arp/mode down", .keys, .keys),
    ]
    for (lines, category, phrase) in wanted {
      let text = "pipit preset 1\ncategory \(category.rawValue)\n\(lines)\n"
      let reading = try PresetText.read(text, names: NameRegister())
      #expect(Song(reading.phrase).messages == Song(phrase).messages, "\(lines)")
    }
  }
}
