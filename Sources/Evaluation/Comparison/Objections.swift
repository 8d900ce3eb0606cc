/// What speaks against a verdict besides the metrics.
public struct Objections: Hashable, Sendable {
  /// Why no verdict can be trusted, one sentence each.
  public var faults: [String] = []
  /// The next step for all faults: `give both the same subject`.
  public var remedy = ""
  /// What the reader must know, one sentence each.
  public var findings: [String] = []

  public init(faults: [String] = [], remedy: String = "", findings: [String] = []) {
    (self.faults, self.remedy, self.findings) = (faults, remedy, findings)
  }
}

extension RunResults {
  /// Doubts about who is the same person.
  public var objectionsToPeople: Objections {
    Objections(
      faults: [copyNote].compactMap(\.self),
      remedy: "Give all clips of a person the same subject, or leave the copies out: bench dataset check lists them",
      findings: [peopleNote].compactMap(\.self))
  }
}
