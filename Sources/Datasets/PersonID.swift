/// One person, whatever the dataset: the unit of all inference.
///
/// Its text `squat-sample/s01` is the name of the person in results, baselines, tunings and the history.
public struct PersonID: Hashable, Sendable {
  /// The name of the people that a suite declares to be the same in all of its datasets.
  package static let sharedPeople = "shared"

  /// The people that the subject is one of: the dataset's own, those that its manifest names, or those that the suite
  /// shares.
  public var people: String
  /// The name in the dataset.
  public var subject: String

  public init(people: String, subject: String) {
    (self.people, self.subject) = (people, subject)
  }

  /// - Parameter text: `squat-sample/s01`
  ///
  /// - Returns: `nil` for a text without a slash.
  public init?(_ text: String) {
    guard let parts = SlashedName(text) else { return nil }
    self.init(people: parts.owner, subject: parts.name)
  }
}

extension PersonID: CustomStringConvertible {
  public var description: String { "\(people)/\(subject)" }
}

extension Manifest {
  /// The name of the people in the dataset: its own, unless it declares that they occur in other datasets.
  package var ownPeople: String { people ?? name }
}
