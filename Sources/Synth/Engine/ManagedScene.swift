import CRealtime
import Scenes

/// The managed value: the control thread publishes whole scenes, and the audio thread takes the newest at a block
/// boundary.
///
/// One atomic exchange publishes. The image it replaces is retired and freed on the control thread, but only after the
/// audio thread has begun another block, or at once while no audio thread runs. The latest image wins, and an image
/// that was never seen is freed too. The audio thread never frees or loses an image.
///
/// Why that is safe: the exchange precedes the reading of the epoch, and the audio thread raises the epoch before it
/// loads the pointer, all sequentially consistent. Once the epoch has passed the value that was read, the audio thread
/// has therefore loaded the newer pointer and no longer uses the older. The idea is The Amazing Audio Engine's
/// `AEManagedValue`; the grace period by epochs needs no lock on either side.
///
/// A wavetable that no sound has may be made on another thread. Until it is ready, images leave out what needs it: a
/// part whose recall needs it keeps its sound, and an oscillator that a knob gives it keeps its waveform and table. All
/// else is published at once. When the table is ready, the newest scene is published again.
public final class ManagedScene: @unchecked Sendable {
  private let cells: AudioSide
  private var retired: [(image: UnsafeMutablePointer<Scene>, epoch: UInt64, kept: Kept)] = []
  // Objects that the newest image points to, and effects that no image refers to but that a sound may still use.
  private var kept = Kept()
  private var ringing: [PreparedEffects] = []
  // All wavetables that an image refers to or that a sound may still use.
  private let wavetables = WavetableCache()
  // Tables in memory that the newest scene reads, while it waits for another.
  private var awaiting: [PreparedWavetable] = []
  // The newest scene with its tunings while its image leaves something out; nil otherwise.
  private var whole: (scene: UnsafeMutablePointer<Scene>, tunings: [KeyTuning])?
  /// The parts whose newest recall waits for a wavetable, one bit each.
  public private(set) var awaitedRecalls: UInt8 = 0
  private var generations = [UInt32](repeating: 0, count: Limits.parts)
  // The owner of the engine of the song parts, and of those that the audio thread may still render.
  private var songParts: AnyObject?
  private var retiredSongParts: [(parts: AnyObject, epoch: UInt64)] = []
  // The memory of combs, while a part has one or rings on with one, and memory that the audio thread may still use.
  private var combs: CombMemory?
  private var retiredCombs: [(combs: CombMemory, epoch: UInt64)] = []
  private var hasCombs = false
  private let keepsCombs: Bool
  // Whether the audio thread that runs is that of another managed value.
  private let isBeside: Bool

  /// Objects that an image points to.
  private struct Kept {
    var tunings: [KeyTuning] = []
    /// By part; nil while no effect was on.
    var effects = [PreparedEffects?](repeating: nil, count: Limits.parts)
    var wavetables: [PreparedWavetable] = []
  }

  /// The audio thread's view: plain pointers, copied by value.
  public struct AudioSide: @unchecked Sendable {
    fileprivate let image: UnsafeMutablePointer<UInt64>
    fileprivate let epoch: UnsafeMutablePointer<UInt64>
    fileprivate let running: UnsafeMutablePointer<UInt64>
    fileprivate let rate: UnsafeMutablePointer<UInt64>
    fileprivate let songParts: UnsafeMutablePointer<UInt64>
    fileprivate let combs: UnsafeMutablePointer<UInt64>
    fileprivate let combUsers: UnsafeMutablePointer<UInt64>

    /// The newest scene, valid until the next call. Audio thread, once per block.
    @_noLocks
    public func take() -> UnsafePointer<Scene> {
      _ = rt_add(epoch, 1)
      // Never nil: init publishes, and publish only replaces.
      return UnsafePointer(bitPattern: UInt(rt_load_ordered(image))).unsafelyUnwrapped
    }

    /// Address of the engine of the song parts, 0 for none, valid until the next `take`. Audio thread, after that.
    @_noLocks
    func takeSongParts() -> UInt { UInt(rt_load_ordered(songParts)) }

    /// Address of the `CombPool`, 0 for none, valid until the next `take`. Audio thread, after that.
    @_noLocks
    func takeComb() -> UInt { UInt(rt_load_ordered(combs)) }

    /// Tells the control thread whether a voice uses the pool. Audio thread, before `take`: the pool that was taken last may
    /// be gone, if no audio thread has run for a while.
    @_noLocks
    func reportCombs(areUsed: Bool) { rt_store(combUsers, areUsed ? 1 : 0) }

    /// Announces that `take` is about to be called, or will not be called again. Called by the audio loop, outside
    /// `render`.
    public func setRunning(_ on: Bool) { _ = rt_exchange(running, on ? 1 : 0) }

    /// Sets the sample rate for which effects are made. Before `take`.
    func setRate(_ rate: Double) { rt_store(self.rate, rate.bitPattern) }
  }

  /// A managed value whose first image is `scene`.
  /// - Parameters:
  ///   - other: The managed value of the engine that renders the reader of this one; nil if no other engine renders
  ///     it. It must outlive this one.
  ///   - keepsCombs: Whether patches other than those of the parts have combs.
  ///   - source: See `setWavetables`; nil for that of `other`.
  public init(
    _ scene: Scene, beside other: ManagedScene? = nil, keepsCombs: Bool = false,
    wavetables source: WavetableSource? = nil
  ) {
    func cell() -> UnsafeMutablePointer<UInt64> {
      let word = UnsafeMutablePointer<UInt64>.allocate(capacity: 8)
      word.initialize(repeating: 0, count: 8)
      return word
    }
    isBeside = other != nil
    self.keepsCombs = keepsCombs
    cells = AudioSide(
      image: cell(), epoch: cell(), running: other?.cells.running ?? cell(), rate: cell(), songParts: cell(),
      combs: cell(), combUsers: cell())
    cells.setRate(48_000)
    if let source = source ?? other?.wavetables.source { wavetables.source = source }
    wavetables.whenMade = { [weak self] in self?.publishWhole() }
    publish(scene)
    // Only now, as the first image can leave nothing out.
    wavetables.worker = other?.wavetables.worker
  }

  deinit {
    for old in retired { old.image.deallocate() }
    whole?.scene.deallocate()
    UnsafeMutablePointer<Scene>(bitPattern: UInt(rt_load(cells.image)))?.deallocate()
    for cell in [cells.image, cells.epoch, cells.rate, cells.songParts, cells.combs, cells.combUsers] {
      cell.deallocate()
    }
    if !isBeside { cells.running.deallocate() }
  }

  /// The side that the engine holds. The managed value must outlive it.
  public var audioSide: AudioSide { cells }

  // MARK: - Control thread only

  /// Makes `scene` the newest image and frees what can be freed. The `tunings` of its parts are kept alive with it.
  public func publish(_ scene: Scene, tunings: [KeyTuning] = []) {
    withUnsafePointer(to: scene) { publish(copying: $0, tunings: tunings) }
  }

  /// Makes a copy of `scene`, as changed by `change`, the newest image, and frees what can be freed. The `tunings` of
  /// its parts are kept alive with it.
  public func publish(
    copying scene: UnsafePointer<Scene>, tunings: [KeyTuning], _ change: (inout Scene) -> Void = { _ in }
  ) {
    let image = UnsafeMutablePointer<Scene>.allocate(capacity: 1)
    image.initialize(from: scene, count: 1)
    change(&image.pointee)
    publish(image, tunings)
  }

  private func publish(_ image: UnsafeMutablePointer<Scene>, _ tunings: [KeyTuning]) {
    let before = kept
    // First, because the image then has the sounds that it is to have.
    prepareTables(of: image, tunings)
    prepareEffects(of: image)
    prepareCombs(of: image)
    kept.tunings = tunings
    let old = rt_exchange(cells.image, UInt64(UInt(bitPattern: image)))
    let epoch = rt_load_ordered(cells.epoch)
    if let image = UnsafeMutablePointer<Scene>(bitPattern: UInt(old)) {
      retired.append((image, epoch, before))
    }
    service()
  }

  /// Frees the retired images that the audio thread can no longer see, and effects that are no longer used. Call on
  /// every control tick.
  public func service() {
    if kept.effects.contains(where: { $0 != nil && $0?.rate != rate })
      || combs.map({ $0.rate != rate }) ?? false
    {
      return publishAgain()
    }
    ringing.removeAll { !$0.isUsed }
    giveBackCombs()
    defer { wavetables.clear(keeping: kept.wavetables + awaiting, retired.lazy.map { $0.kept.wavetables }) }
    if retiredCount == 0 { return }
    let idle = rt_load_ordered(cells.running) == 0
    let epoch = rt_load_ordered(cells.epoch)
    retired.removeAll { old in
      guard idle || epoch > old.epoch else { return false }
      old.image.deallocate()
      keepRinging(old.kept)
      return true
    }
    retiredSongParts.removeAll { idle || epoch > $0.epoch }
    retiredCombs.removeAll { idle || epoch > $0.epoch }
  }

  /// Gives the audio thread the engine of the song parts at an address, which `owner` keeps alive; 0 and nil for
  /// none. `service` releases the previous owner when the audio thread no longer renders its engine.
  func setSongParts(_ address: UInt, _ owner: AnyObject?) {
    _ = rt_exchange(cells.songParts, UInt64(address))
    let epoch = rt_load_ordered(cells.epoch)
    if let songParts { retiredSongParts.append((songParts, epoch)) }
    songParts = owner
    service()
  }

  // MARK: - Combs

  /// Makes the memory of combs before the first image that has one, and anew for another sample rate.
  private func prepareCombs(of image: UnsafeMutablePointer<Scene>) {
    hasCombs =
      keepsCombs
      || (0..<Limits.parts).contains {
        FilterCharacter.at(image.part($0).pointee.patch.filter.character) == .comb
      }
    if hasCombs || combs != nil, combs?.rate != rate { exchange(CombMemory(rate: rate)) }
  }

  /// Takes the memory of combs back when neither the newest image nor a voice uses it.
  private func giveBackCombs() {
    // The audio thread reports its voices as soon as it has seen the newest image.
    if combs != nil, !hasCombs, retired.isEmpty, rt_load_ordered(cells.combUsers) == 0 { exchange(nil) }
  }

  private func exchange(_ memory: CombMemory?) {
    _ = rt_exchange(cells.combs, UInt64(memory?.address ?? 0))
    let epoch = rt_load_ordered(cells.epoch)
    if let combs { retiredCombs.append((combs, epoch)) }
    combs = memory
  }

  /// Whether the memory of combs exists: a health figure.
  var holdsCombs: Bool { combs != nil }

  // MARK: - Effects

  var rate: Double { Double(bitPattern: rt_load(cells.rate)) }

  /// Publishes the image again, after an engine has begun at another sample rate.
  private func publishAgain() {
    if whole != nil { return publishWhole() }
    guard let image = UnsafeMutablePointer<Scene>(bitPattern: UInt(rt_load(cells.image))) else { return }
    publish(copying: UnsafePointer(image), tunings: kept.tunings)
  }

  /// Makes the effects of an image that are on ready to use. A recall begins with new effects.
  private func prepareEffects(of image: UnsafeMutablePointer<Scene>) {
    for index in 0..<Limits.parts {
      let part = image.part(index)
      if part.pointee.generation != generations[index]
        || kept.effects[index].map({ $0.rate != rate }) ?? false
      {
        kept.effects[index] = nil
      }
      generations[index] = part.pointee.generation
      let mixes = withUnsafeMutablePointer(to: &part.pointee.patch) { $0.movedMixes }
      let effects = part.pointee.patch.effects.opened(mixes)
      if effects.on != 0 {
        let prepared = kept.effects[index] ?? PreparedEffects(rate: rate)
        prepared.prepare(effects)
        kept.effects[index] = prepared
      }
      part.pointee.effects = kept.effects[index]?.effects ?? PartEffects()
    }
  }

  /// Keeps effects that are in no image any more but may still be audible.
  private func keepRinging(_ old: Kept) {
    for (index, effects) in old.effects.enumerated() {
      guard let effects, effects.isUsed, effects !== kept.effects[index] else { continue }
      if !ringing.contains(where: { $0 === effects }) { ringing.append(effects) }
    }
  }

  // MARK: - Wavetables

  /// Makes the wavetables of an image ready to be read, where oscillators have this waveform. What needs one that is
  /// still being made is left out of the image.
  private func prepareTables(of image: UnsafeMutablePointer<Scene>, _ tunings: [KeyTuning]) {
    kept.wavetables = []
    (awaiting, awaitedRecalls) = ([], 0)
    wavetables.forgetWanted()
    var scene: UnsafeMutablePointer<Scene>?
    for index in 0..<Limits.parts {
      let part = image.part(index)
      let first = isAwaited(part.pointee.patch.oscillator1)
      let second = isAwaited(part.pointee.patch.oscillator2)
      let third = isAwaited(part.pointee.patch.oscillator3)
      if first || second || third {
        if scene == nil {
          scene = .allocate(capacity: 1)
          scene?.initialize(from: image, count: 1)
        }
        leaveOut((first, second, third), index, of: image)
      }
      part.pointee.tables.first = prepareTable(part.pointee.patch.oscillator1)
      part.pointee.tables.second = prepareTable(part.pointee.patch.oscillator2)
      part.pointee.tables.third = prepareTable(part.pointee.patch.oscillator3)
    }
    whole?.scene.deallocate()
    whole = scene.map { ($0, tunings) }
    if whole == nil { awaiting = [] }
  }

  /// Whether an oscillator reads a wavetable that is not in memory yet. One that is stays until the next image.
  private func isAwaited(_ knobs: OscillatorKnobs) -> Bool {
    guard let number = ManagedScene.tableNumber(knobs) else { return false }
    guard let table = wavetables.table(number) else { return true }
    awaiting.append(table)
    return false
  }

  /// Replaces what waits for a wavetable in a part of an image by what the newest image has: the sound, where that is
  /// of another recall, or else the waveforms and tables of the oscillators that wait.
  private func leaveOut(
    _ awaited: (first: Bool, second: Bool, third: Bool), _ index: Int, of image: UnsafeMutablePointer<Scene>
  ) {
    guard let newest = UnsafeMutablePointer<Scene>(bitPattern: UInt(rt_load(cells.image))) else { return }
    let (part, before) = (image.part(index), newest.part(index))
    if part.pointee.generation != before.pointee.generation {
      awaitedRecalls |= 1 << UInt8(index)
      part.pointee.patch = before.pointee.patch
      part.pointee.generation = before.pointee.generation
      return
    }
    func keep(_ isAwaited: Bool, _ knobs: inout OscillatorKnobs, _ before: OscillatorKnobs) {
      if isAwaited { (knobs.wave, knobs.table) = (before.wave, before.table) }
    }
    keep(awaited.first, &part.pointee.patch.oscillator1, before.pointee.patch.oscillator1)
    keep(awaited.second, &part.pointee.patch.oscillator2, before.pointee.patch.oscillator2)
    keep(awaited.third, &part.pointee.patch.oscillator3, before.pointee.patch.oscillator3)
  }

  /// The address of an oscillator's wavetable, 0 if it reads none. It is in memory, unless there is no newest image.
  private func prepareTable(_ knobs: OscillatorKnobs) -> UInt {
    guard let number = ManagedScene.tableNumber(knobs) else { return 0 }
    let table = wavetables.tableNow(number)
    if !kept.wavetables.contains(where: { $0 === table }) { kept.wavetables.append(table) }
    return table.address
  }

  /// The number of the table that an oscillator reads; nil if it reads none.
  private static func tableNumber(_ knobs: OscillatorKnobs) -> Int? {
    Waveform.at(knobs.wave) == .wavetable ? Int(max(0, min(knobs.table, 65_535))) : nil
  }

  /// Publishes the newest scene again, whose image leaves something out.
  private func publishWhole() {
    guard let whole else { return }
    publish(copying: UnsafePointer(whole.scene), tunings: whole.tunings)
  }

  /// Sets the source of the wavetables whose numbers follow those of the factory. It is called with a number from 0
  /// on when a sound first needs the table; if it returns nil, the first factory table is played. Control thread.
  public func setWavetables(_ source: @escaping WavetableSource) { wavetables.source = source }

  /// From now on, `worker` makes the wavetables; nil to make them in `publish`. Control thread.
  public func makeWavetables(by worker: WavetableWorker?) { wavetables.worker = worker }

  /// The number of wavetables in memory: a health figure that returns to zero.
  public var wavetableCount: Int { wavetables.count }

  /// Effects in use by sounds that recalls have replaced: a health figure that returns to zero.
  public var ringingCount: Int { ringing.count }

  /// Images, song parts and memories of combs that wait for the audio thread to begin another block: a health figure
  /// that returns to zero.
  public var retiredCount: Int { retired.count + retiredSongParts.count + retiredCombs.count }
}
