import Glibc
import Scratch
import Testing

@testable import ALSA

@Suite("The USB device behind a card") struct USBDeviceTests {
  /// A sysfs as the kernel lays it out: the card is a link to an interface, whose device lies above it.
  private func sysfs(_ serial: String?) -> Folder {
    let root = Folder()
    let socket = "devices/pci0000:00/usb1/1-1/1-1.2"
    for folder in ["class/sound/card3", "\(socket)/1-1.2:1.0/sound"] { make(root, folder) }
    write(root, "\(socket)/idVendor", "1235\n")
    write(root, "\(socket)/idProduct", "0102\n")
    if let serial { write(root, "\(socket)/serial", serial) }
    // The hub above it has its own.
    write(root, "devices/pci0000:00/usb1/1-1/idVendor", "2109\n")
    write(root, "devices/pci0000:00/usb1/1-1/idProduct", "3431\n")
    #expect(symlink("../../../\(socket)/1-1.2:1.0", root.path + "/class/sound/card3/device") == 0)
    return root
  }

  private func make(_ root: Folder, _ path: String) {
    var folder = root.path
    for name in path.split(separator: "/") {
      folder += "/" + name
      mkdir(folder, 0o755)
    }
  }

  private func write(_ root: Folder, _ path: String, _ text: String) {
    let file = fopen(root.path + "/" + path, "w")
    #expect(file != nil)
    if let file {
      fputs(text, file)
      fclose(file)
    }
  }

  @Test("is found above the interface, with its own numbers") func found() {
    let root = sysfs(" AB  12\n")
    let device = USBDevice(card: 3, root: root.path)
    #expect(device?.model == "1235:0102" && device?.serial == "AB 12" && device?.path == "1-1.2")
  }

  @Test("need have no serial number") func withoutSerial() {
    let root = sysfs(nil)
    #expect(USBDevice(card: 3, root: root.path)?.serial == "")
  }

  @Test("there is none for a card that is not there, is none, or is on another bus") func none() {
    let root = sysfs("1")
    #expect(USBDevice(card: 4, root: root.path) == nil)
    #expect(USBDevice(card: -1, root: root.path) == nil)
    make(root, "class/sound/card5")
    make(root, "devices/platform/sound")
    #expect(symlink("../../../devices/platform/sound", root.path + "/class/sound/card5/device") == 0)
    #expect(USBDevice(card: 5, root: root.path) == nil)
  }
}
