import Control

// Recording the output.

extension Node {
  // swift-format-ignore
  static let recording: [Node] = [
    .setting("/record", .instrument, .int(0...1), "1 records the output into a file; 0 ends the recording.", read: { instrument, _, _ in .int(instrument.recorder.state.isOn ? 1 : 0) }, write: { try $0.record() }),
    .display("/record/text", .instrument, .string("minutes:seconds"), "Length of the recording so far; empty without one.") { instrument, _, _ in .string(instrument.recorder.state.length) },
    Node("/record/file", .instrument, [.string()], "Name of the recording's file; empty without one.", isQuery: true, read: { instrument, _, _ in .string(instrument.recorder.state.file) }),
    .trigger("/record/last", .instrument, "Writes the last seconds into a file, as many as the option record-last keeps.") { try $0.ask(.last) },
    .query("/record/outcome", [], "Answers with the number of finished recordings, the result of the last one, and 1 if it failed.") { instrument, _ in
      [
        OSCMessage("/record/outcome", .int(instrument.recorder.state.outcomes)), OSCMessage("/record/outcome/text", .string(instrument.recorder.state.outcome)),
        OSCMessage("/record/outcome/failed", .int(instrument.recorder.state.failed ? 1 : 0)),
      ]
    },
  ]
}

extension Request {
  fileprivate func record() throws {
    guard let number else { throw Refusal("takes 1 or 0", not: arguments.first) }
    try ask(number != 0 ? .start : .stop)
  }

  fileprivate func ask(_ request: RecordingRequest) throws {
    try instrument.recorder.ask(request)
  }
}
