import Presets
import Synth

// Saving the sound of a part, and what is shown of it.

extension Control {
  /// Saves the sound of a part, as `Library.save` does; without a name over the preset it came from.
  public func save(part: Int, name: String? = nil) throws(LibraryError) {
    try save(part) { (patch, origin) throws(LibraryError) in
      try library.save(patch, name: name, current: slot(part: part), origin: origin)
    }
  }

  /// Saves the sound of a part as a new preset, by a name or by `newName(part:)`.
  /// - Parameter now: CLOCK_MONOTONIC. What is asked for twice within a quarter of a second is one packet that the
  ///   network has doubled.
  public func saveNew(part: Int, name: String? = nil, now: Int64) throws(LibraryError) {
    if isDoubled("new \(part) \(name ?? "")", now) { return }
    try save(part) { (patch, origin) throws(LibraryError) in
      try library.saveNew(patch, name: name, origin: origin)
    }
  }

  /// The name that a new preset of a part's sound gets.
  public func newName(part: Int) -> String { library.nextName(name(part: part)) }

  /// Copies the sound of a part to a slot of the player's banks, over what is there.
  public func copy(part: Int, to slot: Slot) throws(LibraryError) {
    if slot.bank == 0 {
      let page = library.freeSlot.map { "there is room on the page \(self.name(page: $0.page))" }
      throw LibraryError(
        description: "\(slot.place) is the factory's; "
          + (page ?? "turn to a page of your own, all of which are full"))
    }
    let name =
      slot == self.slot(part: part) || library[slot]?.name == name(part: part) ? name(part: part) : nil
    try save(part, "copy") { (patch, origin) throws(LibraryError) in
      try library.save(patch, name: name ?? library.nextName(origin), slot: slot)
    }
  }

  private func save(
    _ part: Int, _ action: String = "save",
    _ body: (_ patch: Patch, _ origin: String) throws(LibraryError) -> Preset
  ) throws(LibraryError) {
    let before = begin(part)
    var saved: Preset?
    let changes = try library.recording { () throws(LibraryError) in
      saved = try body(before.patch, before.origin.name)
    }
    guard let preset = saved, let slot = preset.slot else { return }
    origins[part] = PresetOrigin(slot: slot, name: preset.name, stored: before.patch)
    // Another part may hold what has just been overwritten.
    readPresets(in: slot)
    end("\(action) of \"\(preset.name)\"", part, before, changes)
    turn(to: slot, part)
    changed(.preset(part: part))
    changed(.page)
    let what = "\"\(preset.name)\", \(slot.place)"
    tell("Saving \(what)", "Saved \(what)")
  }

  // MARK: - What is shown

  /// Says what is being done to presets until it is on the disk, and then that it was done.
  func tell(_ doing: String, _ done: String) {
    saving = done
    switch library.savesWaiting {
    case nil: notify("\(done); kept until pipit ends", about: .saving, .moment(seconds: 3), log: "")
    case 0?: tellSaved()
    default: notify("\(doing)…", about: .saving, .state, log: "")
    }
  }

  /// Says for a moment what was done, if all of it is on the disk.
  func tellSaved() {
    guard library.savesWaiting == 0 else { return }
    if saving.isEmpty { return clearNotice(about: .saving) }
    notify(saving, about: .saving, .moment(seconds: 3), log: "")
    saving = ""
  }

  /// Whether the same was asked for a moment ago.
  func isDoubled(_ wish: String, _ now: Int64) -> Bool {
    let last = lastWish
    lastWish = (wish, now)
    return last.wish == wish && now - last.at < 250_000_000
  }
}
