import Scenes

// The initial state of the instrument: every knob at its row's initial value.

extension Patch {
  /// The initial sound.
  public static let initial: Patch = {
    var patch = Patch()
    withUnsafeMutableBytes(of: &patch) { Table.fill(.patch, $0) }
    return patch
  }()
}

extension Strip {
  /// The strip of a part that is switched off.
  public static let initial: Strip = {
    var strip = Strip()
    withUnsafeMutableBytes(of: &strip) { Table.fill(.strip, $0) }
    return strip
  }()
}

extension PartInput {
  /// The initial input of a part, which plays everything on its channel.
  public static let initial: PartInput = {
    var input = PartInput()
    withUnsafeMutableBytes(of: &input) { Table.fill(.input, $0) }
    return input
  }()
}

extension MorphKnobs {
  /// The initial morph of a part, from snapshot A to snapshot B.
  public static let initial: MorphKnobs = {
    var morph = MorphKnobs()
    withUnsafeMutableBytes(of: &morph) { Table.fill(.morph, $0) }
    return morph
  }()
}

extension Master {
  /// The initial master.
  public static let initial: Master = {
    var master = Master()
    withUnsafeMutableBytes(of: &master) { Table.fill(.master, $0) }
    return master
  }()
}

extension Scene {
  /// The initial scene: part 1 plays every channel; the other parts are switched off, each on the channel of its
  /// number.
  public static let initial: Scene = {
    var scene = Scene()
    scene.master = .initial
    for part in 0..<Limits.parts {
      scene[part] = Part(strip: .initial, patch: .initial, generation: 0, input: .initial, morph: .initial)
      scene[part].strip.channel = part == 0 ? 0 : Float(part + 1)
    }
    scene[0].strip.on = 1
    return scene
  }()
}

extension Table {
  fileprivate static func fill(_ scope: Field.Scope, _ bytes: UnsafeMutableRawBufferPointer) {
    for row in rows where row.field.scope == scope {
      bytes.storeBytes(of: row.initial, toByteOffset: row.field.offset, as: Float.self)
    }
  }
}
