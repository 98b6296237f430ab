/// The reply to an identity request.
public enum Identity {
  /// The identity reply of the device number that was asked, 0…127: manufacturer ID 7D, which is for devices without
  /// an ID of their own, family and model 0, and the first four of the numbers in `version`, which are
  /// separated by points.
  public static func answer(device: UInt8, version: String) -> [UInt8] {
    var numbers = version.split(separator: ".").prefix(4).map { UInt8(clamping: Int($0) ?? 0) & 0x7F }
    while numbers.count < 4 { numbers.append(0) }
    // 127 asks all devices: number 0 replies.
    let responder: UInt8 = device > 126 ? 0 : device
    return [0xF0, 0x7E, responder, 0x06, 0x02, 0x7D, 0, 0, 0, 0] + numbers + [0xF7]
  }
}
