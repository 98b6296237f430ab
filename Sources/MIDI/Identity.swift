/// The answer to an identity request.
public enum Identity {
  /// The answer of the device that was asked, 0…127: a maker's number that is for whoever has none, 7D, family and model 0,
  /// and the `version`, of which up to four numbers between points are taken.
  public static func answer(device: UInt8, version: String) -> [UInt8] {
    var numbers = version.split(separator: ".").prefix(4).map { UInt8(clamping: Int($0) ?? 0) & 0x7F }
    while numbers.count < 4 { numbers.append(0) }
    // All devices are asked at once: the first one answers.
    let responder: UInt8 = device > 126 ? 0 : device
    return [0xF0, 0x7E, responder, 0x06, 0x02, 0x7D, 0, 0, 0, 0] + numbers + [0xF7]
  }
}
