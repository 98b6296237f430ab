import MIDI
import Testing

extension DeviceTable {
  /// A table with one keyboard, "Keys", that plays as a source and has a binding.
  static func keys(as source: UInt8, bound binding: String) throws -> DeviceTable {
    var table = DeviceTable()
    let place = Device.Address(client: 20, port: 0)
    let device = table.attach(PortIdentity(client: "Keys", port: "Keys"), at: place)
    table.play(place, as: source)
    var settings = DeviceSettings()
    settings.bind(try #require(Binding(binding)))
    table.set(device.id, settings)
    return table
  }
}
