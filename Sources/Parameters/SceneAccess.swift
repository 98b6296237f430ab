import Scenes

// Reads and writes the knobs of a scene.

extension Scene {
  /// The value of a knob, in the unit of the scene. A written value is clamped; NaN is ignored.
  public subscript(knob: ParameterID) -> Float {
    get { withUnsafePointer(to: self) { $0[knob] } }
    set {
      guard let value = Table.rows[knob.row].kind.clamped(newValue) else { return }
      withUnsafeMutablePointer(to: &self) {
        let pointer = UnsafeMutableRawPointer(mutating: UnsafePointer($0).address(of: knob))
        pointer.storeBytes(of: value, as: Float.self)
      }
    }
  }
}

extension Patch {
  /// The value of a row of the patch, in the unit of the scene. A written value is clamped. Rows of another scope
  /// read as 0 and are not written.
  public subscript(row: Parameter) -> Float {
    get {
      guard row.field.scope == .patch else { return 0 }
      return withUnsafeBytes(of: self) { $0.load(fromByteOffset: row.field.offset, as: Float.self) }
    }
    set {
      guard row.field.scope == .patch, let value = row.kind.clamped(newValue) else { return }
      withUnsafeMutableBytes(of: &self) {
        $0.storeBytes(of: value, toByteOffset: row.field.offset, as: Float.self)
      }
    }
  }
}

extension UnsafePointer where Pointee == Scene {
  /// The value of a knob of the scene behind this pointer, in the unit of the scene.
  public subscript(knob: ParameterID) -> Float { address(of: knob).load(as: Float.self) }

  fileprivate func address(of knob: ParameterID) -> UnsafeRawPointer {
    let field = Table.rows[knob.row].field
    switch field.scope {
    case .master:
      return UnsafeRawPointer(self).advanced(by: Scene.masterOffset + field.offset)
    case .strip:
      return UnsafeRawPointer(part(knob.part)).advanced(by: stripOffset + field.offset)
    case .input:
      return UnsafeRawPointer(part(knob.part)).advanced(by: inputOffset + field.offset)
    case .morph:
      return UnsafeRawPointer(part(knob.part)).advanced(by: morphOffset + field.offset)
    case .patch:
      return UnsafeRawPointer(part(knob.part)).advanced(by: patchOffset + field.offset)
    }
  }
}

private let stripOffset = MemoryLayout<Part>.offset(of: \Part.strip) ?? 0
private let inputOffset = MemoryLayout<Part>.offset(of: \Part.input) ?? 0
private let morphOffset = MemoryLayout<Part>.offset(of: \Part.morph) ?? 0
private let patchOffset = MemoryLayout<Part>.offset(of: \Part.patch) ?? 0
