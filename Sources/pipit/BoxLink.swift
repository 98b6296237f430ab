import Backup
import Control
import Playback
import System

/// Connects the services that wait for the disk with the instrument: files of songs and recordings, backups, updates,
/// the doctor and the thermometer, all on one worker thread. Control thread.
final class BoxLink {
  private let songs: FileKeeper
  private let recordings: FileKeeper
  private let updates: UpdateKeeper?
  private let doctor: DoctorLink
  private let thermometer: Thermometer
  /// Makes and restores backups.
  let backups: BackupKeeper

  /// Connects them while `loop` runs.
  /// - Parameters:
  ///   - given: The command line, without the configuration.
  ///   - arguments: The command line and the configuration.
  ///   - recordings: The finished recordings.
  init(
    _ given: CommandArguments, _ arguments: CommandArguments, state: String, recordings: FileKind,
    _ instrument: Instrument, _ loop: PollLoop
  ) {
    let worker = Worker(loop)
    let demoSongs = Folders.presets(arguments) + "/songs"
    songs = FileKeeper(SongFiles.kind(Folders.songs(state), others: demoSongs), worker)
    self.recordings = FileKeeper(recordings, worker)
    backups = BackupKeeper(instrument, Folders.box(state, given), version: version, worker)
    doctor = DoctorLink(instrument, given, worker)
    thermometer = Thermometer(Host(), worker, loop)
    updates = Folders.update(state).map { UpdateKeeper($0, worker) }
    instrument.updates.handler = updates
    instrument.songFiles.handler = songs
    instrument.recordingFiles.handler = self.recordings
    instrument.backups.handler = backups
    instrument.doctor.handler = doctor
    instrument.health.temperature = { [weak thermometer] in thermometer?.celsius }
  }
}
