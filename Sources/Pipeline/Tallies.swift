import Coaching
import Scoring

/// One detector's tallies of one clip, one for each of its metric families: all data that scoring keeps of the clip.
package struct ClipTallies: Sendable {
  private let tallies: [any AnyTally]

  private struct Tallied<Family: MetricFamily>: AnyTally {
    let tally: Family.Tally

    func encode(into container: inout any UnkeyedEncodingContainer) throws { try container.encode(tally) }
  }

  package init(_ clip: LabelledPrediction, of families: [any MetricFamily]) {
    func tallied<Family: MetricFamily>(_ family: Family) -> any AnyTally {
      Tallied<Family>(tally: family.tally(clip))
    }
    tallies = families.map { tallied($0) }
  }

  /// The tally of a family; `nil` if the detector is not scored by it.
  package func tally<Family: MetricFamily>(of family: Family.Type) -> Family.Tally? {
    for tally in tallies { if let own = tally as? Tallied<Family> { return own.tally } }
    return nil
  }
}

/// A tally of some family.
private protocol AnyTally: Sendable {
  func encode(into container: inout any UnkeyedEncodingContainer) throws
}

extension ClipTallies: Encodable {
  /// A list in the order of the families.
  package func encode(to encoder: any Encoder) throws {
    var container: any UnkeyedEncodingContainer = encoder.unkeyedContainer()
    for tally in tallies { try tally.encode(into: &container) }
  }

  /// - Parameter families: Those whose tallies were written.
  package init(from decoder: any Decoder, of families: [any MetricFamily]) throws {
    var container = try decoder.unkeyedContainer()
    func tallied<Family: MetricFamily>(_ family: Family) throws -> any AnyTally {
      Tallied<Family>(tally: try container.decode(Family.Tally.self))
    }
    tallies = try families.map { try tallied($0) }
  }
}

/// A clip's tallies at many settings, most of which are the same.
package struct SettingTallies<Tally: Hashable & Codable & Sendable>: Codable, Sendable {
  /// `squat-sample/s01`
  package let subject: String
  /// The different ones.
  package let tallies: [Tally]
  /// Each setting's, as an index in `tallies`.
  package let settings: [Int]

  package init(subject: String, tallies: [Tally], settings: [Int]) {
    (self.subject, self.tallies, self.settings) = (subject, tallies, settings)
  }
}

/// A family's tallies pooled by subject, for any number of settings: one in a run, a thousand in a sweep. Nothing else
/// of the clips is kept.
package struct SubjectTallies<Family: MetricFamily>: Sendable {
  /// The number of clips added.
  package private(set) var clips = 0
  package let family: Family
  private let metricCount: Int
  /// The tallies by subject, one per setting.
  private var sums: [String: [Family.Tally]] = [:]
  /// The number of clips without a value of their own: per setting, one count per metric.
  private var undefined: [Int]

  package init(_ family: Family, settings: Int = 1) {
    self.family = family
    metricCount = family.metrics.count
    undefined = [Int](repeating: 0, count: settings * metricCount)
  }

  /// Adds a clip; a subject's clips are pooled in their order.
  ///
  /// - Parameter clip: With as many settings as all others.
  package mutating func add(_ clip: SettingTallies<Family.Tally>) {
    clips += 1
    let unknown = clip.tallies.map { tally in
      family.values(tally).enumerated().filter { $0.element == nil }.map(\.offset)
    }
    for setting in clip.settings.indices {
      for metric in unknown[clip.settings[setting]] { undefined[setting * metricCount + metric] += 1 }
    }
    guard var own = sums.removeValue(forKey: clip.subject) else {
      sums[clip.subject] = clip.settings.map { clip.tallies[$0] }
      return
    }
    for setting in own.indices {
      own[setting] = family.pool(own[setting], clip.tallies[clip.settings[setting]])
    }
    sums[clip.subject] = own
  }

  /// The number of clips without a value of their own of a metric, at a setting.
  package func undefinedClips(metric: Int, setting: Int) -> Int { undefined[setting * metricCount + metric] }

  /// Each subject's tallies, one per setting, in the order of the subjects' names.
  package var bySubject: [(subject: String, tallies: [Family.Tally])] {
    sums.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension MetricFamilies {
  /// The metric families that score a detector: those for the tasks in its profile.
  public static func families(for profile: DetectorProfile, matching: RepMatching) -> [any MetricFamily] {
    families(for: ScoredDetector(profile.tasks, matching: matching))
  }
}
