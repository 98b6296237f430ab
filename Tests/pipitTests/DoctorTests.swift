import Glibc
import Scratch
import Testing

@testable import pipit

@Suite("The doctor")
struct DoctorTests {
  @Test("says one line a thing, what to do about what is not well, and fails when something fails")
  func lines() {
    let run = Run(["doctor", "--state", "/tmp"])
    let grades = run.output.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map { $0.prefix(4) }
    #expect(
      grades.count == 9 && grades.allSatisfy { ["ok  ", "warn", "fail"].contains($0) }, "\(run.output)")
    #expect(run.status == (grades.contains("fail") ? 1 : 0))
    let remedies = run.output.split(separator: "\n").filter { $0.hasPrefix(" ") }
    #expect(remedies.count == grades.filter { $0 != "ok  " }.count)
  }

  @Test("sees what slows a processor down")
  func processor() {
    let machine = Fixture()
    #expect(machine.shown.governor.grade == .ok)
    for (governor, grade) in [("ondemand", Finding.Grade.warn), ("performance", .ok)] {
      machine.file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", governor)
      #expect(machine.shown.governor.grade == grade, "\(governor)")
    }
    for (temperature, grade) in [("45000", Finding.Grade.ok), ("84000", .warn)] {
      machine.file("/sys/class/thermal/thermal_zone0/temp", temperature)
      #expect(machine.shown.supply.grade == grade, "\(temperature)")
    }
    machine.file("/sys/class/thermal/thermal_zone0/temp", "45000")
    machine.file("/sys/class/hwmon/hwmon1/name", "rpi_volt")
    for (alarm, grade) in [("0", Finding.Grade.ok), ("1", .warn)] {
      machine.file("/sys/class/hwmon/hwmon1/in0_lcrit_alarm", alarm)
      #expect(machine.shown.supply.grade == grade, "\(alarm)")
    }
  }

  @Test("reads what the firmware holds the processor back for, where a Pi's kernel shows it")
  func firmware() {
    let places = ["soc/soc:firmware", "soc@107c000000/soc@107c000000:firmware"]
    for place in places {
      let machine = Fixture()
      // As the kernel prints them, in hexadecimal.
      let bits: [(String, Finding.Grade, String)] = [
        ("0\n", .ok, ""), ("0x0\n", .ok, ""), ("50000\n", .warn, "voltage"), ("1\n", .warn, "voltage"),
        ("80008\n", .warn, "slows down"), ("20002\n", .warn, "get_throttled 0x20002"), ("rubbish", .ok, ""),
      ]
      for (text, grade, words) in bits {
        machine.file("/sys/devices/platform/\(place)/get_throttled", text)
        let finding = machine.shown.supply
        #expect(finding.grade == grade && (words.isEmpty || finding.words.contains(words)), "\(text)")
        #expect((finding.remedy == nil) == (grade == .ok))
      }
    }
  }

  @Test("knows a kernel that lets the audio thread go first from one that does not")
  func kernel() {
    let machine = Fixture()
    let kernels: [(String, Finding.Grade)] = [
      ("Linux version 6.12.1-rpi #1 SMP PREEMPT Debian", .ok),
      ("Linux version 6.1.0 #1 SMP PREEMPT_DYNAMIC", .ok),
      ("Linux version 6.1.0-cloud #1 SMP", .warn),
    ]
    for (version, grade) in kernels {
      machine.file("/proc/version", version)
      #expect(machine.shown.preemption.grade == grade, "\(version)")
    }
  }

  @Test("sees a sound server, and whether the audio thread goes first")
  func processes() {
    let machine = Fixture()
    #expect(SoundChecks.server(machine.shown).grade == .ok)
    machine.file("/proc/7/comm", "wireplumber")
    #expect(SoundChecks.server(machine.shown).grade == .warn)

    #expect(SoundChecks.thread(machine.shown).grade == .warn)
    machine.file("/proc/9/comm", "pipit")
    machine.file("/proc/9/cmdline", "pipit\0serve\0")
    machine.file(
      "/proc/9/limits", "Max locked memory         unlimited            unlimited            bytes")
    for (priority, grade) in [(0, Finding.Grade.fail), (70, .ok)] {
      // The kernel writes 52 fields; the 40th is the priority.
      let fields = (3...52).map { $0 == 40 ? "\(priority)" : "0" }.joined(separator: " ")
      machine.file("/proc/9/task/9/stat", "9 (a) b) \(fields)")
      #expect(SoundChecks.thread(machine.shown).grade == grade, "\(priority)")
    }
    machine.file("/proc/9/limits", "Max locked memory         65536            65536            bytes")
    #expect(SoundChecks.thread(machine.shown).grade == .warn)
  }
}

/// A machine as its kernel would show it.
private struct Fixture {
  private let folder = Folder()
  var shown: Host { Host(root: folder.path) }
  func file(_ path: String, _ text: String) { folder.file(path, text) }
}
