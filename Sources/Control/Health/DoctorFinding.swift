/// The result of one check of the machine or the instrument, as surfaces show it.
public struct DoctorFinding: Sendable, Equatable {
  /// The urgency of a finding. The raw value is shown.
  public enum Grade: String, Sendable {
    /// pipit does not play, or does not save.
    case fail
    /// pipit plays, but not optimally.
    case warn
    /// No problem.
    case ok
  }

  /// A message that solves a problem in one step.
  public struct Action: Sendable, Equatable {
    /// The words of a button.
    public let label: String
    /// The message: an address and its value, separated by a space.
    public let message: String

    /// An action.
    public init(_ label: String, _ message: String) { (self.label, self.message) = (label, message) }
  }

  /// The urgency.
  public let grade: Grade
  /// The checked item, in one or two words.
  public let thing: String
  /// The result of the check, a sentence.
  public let words: String
  /// The remedy; empty if there is no problem.
  public let remedy: String
  /// A message that carries out the remedy; nil if there is none.
  public let action: Action?

  /// A finding.
  public init(_ grade: Grade, _ thing: String, _ words: String, remedy: String, action: Action?) {
    (self.grade, self.thing, self.words) = (grade, thing, words)
    (self.remedy, self.action) = (remedy, action)
  }
}
