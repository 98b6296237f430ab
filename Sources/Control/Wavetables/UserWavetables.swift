import Parameters
import Scenes
import Synth
import System
import Wavetables

/// The wavetables of the player: WAV files in a folder, which presets and knobs know by their names. Control thread.
public final class UserWavetables {
  private let notices: NoticeBoard
  private let register: NameRegister
  private let scene: ManagedScene
  private let failures = Failures()
  /// The folder.
  public let folder: WavetableFolder
  private var folderNames: WavetableNames

  init(_ writer: SceneWriter, _ folder: WavetableFolder, _ notices: NoticeBoard) {
    (self.folder, self.notices, register, scene) = (folder, notices, writer.names, writer.link.scene)
    folderNames = WavetableNames(folder)
    learnNames()
    scene.setWavetables { [folder, register, failures] number in
      guard let name = register.name(number) else { return nil }
      do throws(WavetableError) {
        return try folder.table(named: name)
      } catch {
        failures.add(error)
        return nil
      }
    }
  }

  /// From now on, wavetables are read and made on another thread, and `loop` brings them.
  func join(_ loop: PollLoop) {
    let worker = Worker(loop)
    scene.makeWavetables { make, done in worker.run(make, then: done) }
  }

  /// The names of all tables that can be chosen: the factory's, then those of the folder, sorted.
  public var names: [String] {
    let factory = FactoryWavetable.allCases.map(\.rawValue)
    return factory + folderNames.current().filter { !factory.contains($0.lowercased()) }
  }

  /// Learns the names of new files of the folder, so that they can be chosen.
  public func learnNames() {
    for name in folderNames.current() where FactoryWavetable(rawValue: name.lowercased()) == nil {
      register.learn(name)
    }
  }

  /// Posts a notice about each table that could not be read, once for as long as a sound needs it.
  func report() {
    for error in failures.take() {
      notices.post(
        "no wavetable: \(error)", about: .wavetable, log: "\(error); basic is played in its place")
    }
  }
}

/// The wavetables that could not be read since the last report. Any thread.
private final class Failures: Sendable {
  private let errors = Mutex<[WavetableError]>([])

  func add(_ error: WavetableError) { errors.withLock { $0.append(error) } }

  /// Removes and returns all.
  func take() -> [WavetableError] {
    errors.withLock { errors in
      defer { errors = [] }
      return errors
    }
  }
}
