import EngineHarness
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// MPE zones of any size: which channels are whose, how far they bend, and what is left when they come and go.
@Suite("Extent of MPE zones") struct MPEZoneEndsTests {
  @Test(
    "The lower MPE zone takes member channels upward from its manager, the upper one downward",
    arguments: 0...15)
  func memberDirection(_ count: Int) {
    let members = UInt8(count)
    for manager in [0, 15] as [UInt8] {
      var zones = MPEZones()
      zones.set(manager: manager, members: members)
      #expect(zones.members(of: manager) == members && zones.members(of: 15 - manager) == 0)
      var bits: UInt32 = 0
      for channel in 0...15 as ClosedRange<UInt8> {
        let isMember =
          channel != manager && (manager == 0 ? channel <= members : channel >= 15 - members)
        #expect(zones.isMember(channel) == isMember, "\(channel) of \(manager)")
        #expect(zones.zoneManager(of: channel) == (isMember ? manager : channel))
        if members > 0, isMember || channel == manager { bits |= 1 << UInt32(channel) }
      }
      #expect(zones.channels(manager: manager) == bits && zones.channels == bits)
      #expect(zones.channels(manager: 15 - manager) == 0)
    }
  }

  @Test("A newer MPE zone gets all members it asks for, the older one keeps what is left of 14")
  func newerZone() {
    for other in 1...14 as ClosedRange<UInt8> {
      for newer in 0...15 as ClosedRange<UInt8> {
        for manager in [0, 15] as [UInt8] {
          var zones = MPEZones()
          zones.set(manager: 15 - manager, members: other)
          zones.set(manager: manager, members: newer)
          let rest = newer == 0 ? other : min(other, newer > 14 ? 0 : 14 - newer)
          #expect(zones.members(of: manager) == newer && zones.members(of: 15 - manager) == rest)
          #expect(zones.channels(manager: 0) & zones.channels(manager: 15) == 0 || newer == 15)
        }
      }
    }
  }

  @Test("A bend range lasts as long as its MPE zone, and zones that the player has fixed stay")
  func zoneBendRange() {
    for manager in [0, 15] as [UInt8] {
      var zones = MPEZones()
      zones.set(manager: manager, members: 5)
      #expect(zones.range(manager: manager) == 48)
      zones.setRange(manager: manager, 12)
      #expect(zones.range(manager: manager) == 12 && zones.range(manager: 15 - manager) == 48)
      zones.set(manager: manager, members: 5)
      #expect(zones.range(manager: manager) == 48)
      zones.forget()
      #expect(zones.channels == 0)
      // The player's stay, and bend as the player wants, until something else is said.
      zones.choose(range: 24)
      zones.set(manager: manager, members: 7)
      zones.setRange(manager: manager, 2)
      zones.forget()
      #expect(zones.members(of: manager) == 7 && zones.range(manager: manager) == 24 && zones.isFixed)
      zones.choose(range: 500)
      #expect(zones.firstRange == 96)
      zones.choose(range: 0)
      #expect(!zones.isFixed && zones.firstRange == 48)
    }
  }

  /// In the engine: a manager bends by 2 semitones and begins unbent, a member channel begins with its slide in the
  /// middle, keeps bend and slide but no pressure when its key has come up; and a channel that manages no more bends as
  /// the patch has it.
  @Test("A new MPE zone resets bend, pressure and slide of its manager and member channels")
  func zoneReset() {
    let player = Player()
    func channel(_ index: UInt8) -> ControllerState {
      player.engine.controllers.channel(0, index).pointee
    }
    for kind in [Event.Kind.bend, .pressure] {
      player.send(kind, value: 1)
      player.send(kind, target: 3, value: 1)
    }
    player.send(.mpeZone, note: 5)
    player.play(64)
    #expect(channel(0).bend == 0 && channel(0).pressure == 0 && channel(0).bendRange == 2)
    #expect(channel(3).bend == 0 && channel(3).pressure == 0 && channel(3).timbre == 0.5)
    player.press(60, target: 3)
    player.send(.bend, target: 3, value: 0.5)
    player.send(.timbre, target: 3, value: 1)
    player.send(.pressure, target: 3, value: 1)
    player.send(.bend, value: -0.5)
    player.play(64)
    #expect(channel(3).bend == 0.5 && channel(3).timbre == 1 && channel(3).pressure == 1)
    player.lift(60, target: 3)
    player.play(64)
    #expect(channel(3).bend == 0.5 && channel(3).timbre == 1 && channel(3).pressure == 0)
    #expect(channel(0).bend == -0.5)
    player.send(.mpeZone, note: 0)
    player.play(64)
    #expect(channel(0).bend == 0 && channel(0).bendRange == -1 && channel(3).timbre == 0)
  }

  @Test("A key stack keeps the 16 newest held keys, and always the key that sounds") func keyStackLimit() {
    let notes = UnsafeMutablePointer<Note>.allocate(capacity: Limits.heldKeys)
    defer { notes.deallocate() }
    notes.initialize(repeating: Note(), count: Limits.heldKeys)
    var stack = KeyStack(notes)
    func add(_ key: UInt8, _ order: UInt64, sounding: UInt32) {
      var note = Note(Event(frame: 0, kind: .noteOn, note: key, value: 1), part: 0)
      note.order = order
      stack.add(note, sounding: sounding)
    }
    for key in 0..<UInt8(Limits.heldKeys) { add(key, UInt64(key) + 1, sounding: Note.noID) }
    #expect(stack.count == Limits.heldKeys && stack[0].pointee.key == 0)
    add(100, 100, sounding: stack[0].pointee.id)
    #expect(stack[0].pointee.key == 0 && stack[1].pointee.key == 2)
    add(101, 101, sounding: Note.noID)
    #expect(stack[0].pointee.key == 2 && stack[Limits.heldKeys - 1].pointee.key == 101)
    // An older one than all finds no room.
    add(102, 1, sounding: Note.noID)
    #expect(stack.count == Limits.heldKeys && stack[0].pointee.key == 2)
    // Of one key twice the newer, by any priority.
    stack.removeAll()
    for (order, source) in [(1, 0), (2, 1)] as [(UInt64, UInt8)] {
      var note = Note(Event(frame: 0, kind: .noteOn, source: source, note: 60, value: 1), part: 0)
      note.order = order
      stack.add(note, sounding: Note.noID)
    }
    for priority in NotePriority.allCases { #expect(stack.best(priority) == 1) }
  }

  @Test("When a 257th key is bent, the key that was bent first loses its bend") func movedKeyLimit() {
    let keys = MovedKeys()
    func event(_ index: Int, _ value: Float) -> Event {
      Event(
        frame: 0, kind: .keyBend, source: UInt8(index / 128), note: UInt8(index % 128), value: value)
    }
    for index in 0..<Limits.movedKeys { keys.move(event(index, 0.5)) }
    for index in 0..<Limits.movedKeys { #expect(keys.finger(event(index, 0).noteID).bend == 0.5) }
    keys.move(event(300, 0.25))
    #expect(keys.finger(event(0, 0).noteID).isResting && keys.finger(event(1, 0).noteID).bend == 0.5)
    #expect(keys.finger(event(300, 0).noteID).bend == 0.25)
    // One that comes back makes room.
    keys.move(event(5, 0))
    keys.move(event(301, 0.75))
    #expect(keys.finger(event(1, 0).noteID).bend == 0.5 && keys.finger(event(301, 0).noteID).bend == 0.75)
    #expect(keys.areMoved(by: 0) && !keys.areMoved(by: 9))
    keys.forget(0, hasDisconnected: true)
    #expect(!keys.areMoved(by: 0) && keys.areMoved(by: 1))
    keys.reset()
    #expect(!keys.areMoved(by: 1) && keys.finger(event(300, 0).noteID).isResting)
  }
}
