import Parameters
import Synth
import Wavetables

/// The wavetables of the player: WAV files in a folder, which presets and knobs know by their names. Control thread.
public final class UserWavetables {
  private let notices: NoticeBoard
  private let register = NameRegister.wavetables
  /// The folder.
  public let folder: WavetableFolder

  init(_ writer: SceneWriter, _ folder: WavetableFolder, _ notices: NoticeBoard) {
    (self.folder, self.notices) = (folder, notices)
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

  /// The frames of a table by its number in the register. If it cannot be read, the player is told, once for as long as a
  /// sound wants it.
  private func table(_ number: Int) -> WaveSpectrum? {
    guard let name = register.name(number) else { return nil }
    do throws(WavetableError) {
      return try folder.table(named: name)
    } catch {
      notices.post(
        "no wavetable: \(error)", about: .wavetable, log: "\(error); basic is played in its place")
      return nil
    }
  }
}
