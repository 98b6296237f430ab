import Control

// Recording what is heard.

extension Node {
  // swift-format-ignore
  static let recording: [Node] = [
    .setting("/record", .instrument, .int(0...1), "1 while what is heard is written into a file; 0 ends it.", read: { instrument, _, _ in .int(instrument.recorder.state.isOn ? 1 : 0) }, write: { try $0.record() }),
    .display("/record/text", .instrument, .string("minutes:seconds"), "How long the recording is so far; empty while there is none.") { instrument, _, _ in .string(instrument.recorder.state.length) },
    Node("/record/file", .instrument, [.string()], "The name of the file that is written; empty while there is none.", isQuestion: true, read: { instrument, _, _ in .string(instrument.recorder.state.file) }),
    .trigger("/record/last", .instrument, "Writes the last seconds into a file, as many as the option record-last keeps.") { try $0.ask(.last) },
    .question("/record/outcome", [], "Answers with how many recordings have come to an end, what became of the last one, and 1 if that has failed.") { instrument, _ in
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
