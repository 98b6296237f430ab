// What moves a voice at control rate: sources, destinations, and routes from one to the other.

/// What can move a voice. A group keeps one vector for each, by these indices.
enum ModulationSource {
  /// 1, for a route that nothing scales.
  static var one: Int { @_noLocks get { 0 } }
  /// The filter's envelope, 0…1.
  static var filterEnvelope: Int { @_noLocks get { 1 } }
  /// -1…1.
  static var lfo: Int { @_noLocks get { 2 } }
  /// 0…1.
  static var velocity: Int { @_noLocks get { 3 } }
  /// Octaves from middle C.
  static var key: Int { @_noLocks get { 4 } }
  /// The pitch wheel, -1…1.
  static var bend: Int { @_noLocks get { 5 } }
  /// The modulation wheel or pressure, 0…1.
  static var wheel: Int { @_noLocks get { 6 } }
  static var count: Int { @_noLocks get { 7 } }
}

/// What can be moved. What the routes bring is added up, in the unit that is said here.
enum ModulationDestination {
  /// Octaves.
  static var pitch: Int { @_noLocks get { 0 } }
  /// Octaves.
  static var cutoff: Int { @_noLocks get { 1 } }
  /// A factor.
  static var level: Int { @_noLocks get { 2 } }
  static var count: Int { @_noLocks get { 3 } }
}

/// A way from a source to a destination: it adds the source, times the depth, times a second source.
struct ModulationRoute {
  let source: Int
  let scale: Int
  let destination: Int

  @_noLocks init(_ source: Int, scale: Int = ModulationSource.one, to destination: Int) {
    (self.source, self.scale, self.destination) = (source, scale, destination)
  }
}

/// The routes that every sound has; a depth of 0 costs nothing.
enum ModulationRoutes {
  static var count: Int { @_noLocks get { 8 } }

  /// A route by its place; `depths` has theirs in the same order.
  @_noLocks
  static func route(_ index: Int) -> ModulationRoute {
    switch index {
    case 0: ModulationRoute(ModulationSource.lfo, to: ModulationDestination.pitch)
    case 1:
      ModulationRoute(
        ModulationSource.lfo, scale: ModulationSource.wheel, to: ModulationDestination.pitch)
    case 2: ModulationRoute(ModulationSource.bend, to: ModulationDestination.pitch)
    case 3: ModulationRoute(ModulationSource.lfo, to: ModulationDestination.cutoff)
    case 4: ModulationRoute(ModulationSource.filterEnvelope, to: ModulationDestination.cutoff)
    case 5: ModulationRoute(ModulationSource.key, to: ModulationDestination.cutoff)
    case 6: ModulationRoute(ModulationSource.velocity, to: ModulationDestination.cutoff)
    default: ModulationRoute(ModulationSource.lfo, to: ModulationDestination.level)
    }
  }

  /// How deep a patch makes each route, in the unit of its destination.
  @_noLocks
  static func depths(_ patch: UnsafePointer<Patch>) -> SIMD8<Float> {
    let (lfo, filter) = (patch.pointee.lfo, patch.pointee.filter)
    return SIMD8(
      lfo.pitch / 1200, lfo.wheel / 1200, patch.pointee.play.bend / 12, lfo.cutoff, filter.amount,
      filter.track,
      filter.velocity, 0.5 * lfo.level)
  }
}
