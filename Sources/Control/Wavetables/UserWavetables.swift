import Parameters
import Synth
import Wavetables

/// The wavetables of the player: WAV files in a folder, which presets and knobs know by their names. Control thread.
public final class UserWavetables {
  private let notices: NoticeBoard
  private let register: NameRegister
  // Tables that could not be read since the last report.
  private var failures: [WavetableError] = []
  /// The folder.
  public let folder: WavetableFolder

  init(_ writer: SceneWriter, _ folder: WavetableFolder, _ notices: NoticeBoard) {
    (self.folder, self.notices, register) = (folder, notices, writer.names)
    learnNames()
    writer.link.scene.setWavetables { [weak self] in self?.table($0) }
  }

  /// The names of all tables that can be chosen: the factory's, then those of the folder, sorted.
  public var names: [String] {
    let factory = FactoryWavetable.allCases.map(\.rawValue)
    return factory + folder.names.filter { !factory.contains($0.lowercased()) }
  }

  /// Reads the folder, so that new files can be chosen.
  public func learnNames() {
    for name in folder.names where FactoryWavetable(rawValue: name.lowercased()) == nil {
      register.learn(name)
    }
  }

  /// Posts a notice about each table that could not be read, once for as long as a sound needs it.
  func report() {
    for error in failures {
      notices.post(
        "no wavetable: \(error)", about: .wavetable, log: "\(error); basic is played in its place")
    }
    failures = []
  }

  /// The frames of a table by its number in the register; nil if it cannot be read. Called while the scene is
  /// published and must not be read, so the failure is reported later.
  private func table(_ number: Int) -> WaveSpectrum? {
    guard let name = register.name(number) else { return nil }
    do throws(WavetableError) {
      return try folder.table(named: name)
    } catch {
      failures.append(error)
      return nil
    }
  }
}
