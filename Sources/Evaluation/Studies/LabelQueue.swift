import Datasets
import Statistics

/// The order in which clips are worth labelling.
///
/// An interval of the gate is as narrow as people are many: a new person comes before another clip of a known one. Among
/// clips of equally known people the least known view comes first, then the least known frame rate.
public struct LabelQueue: Sendable {
  /// A clip to label, by its index.
  public struct Entry: Encodable, Hashable, Sendable {
    public var clip: Int
    /// Why it comes here: `a new person`.
    public var why: String
  }

  public let entries: [Entry]

  /// - Parameters:
  ///   - clips: All clips of a dataset.
  ///   - labelled: Whether each has labels.
  public init(_ clips: [Clip.Info], labelled: [Bool]) {
    var people: [String: Int] = [:]
    var views: [String: Int] = [:]
    var rates: [Int: Int] = [:]
    func add(_ clip: Clip.Info) {
      people[clip.subject, default: 0] += 1
      views[clip.view, default: 0] += 1
      rates[Self.rate(clip), default: 0] += 1
    }
    for (clip, isLabelled) in zip(clips, labelled) where isLabelled { add(clip) }
    var open = clips.indices.filter { !labelled[$0] }
    var entries: [Entry] = []
    while !open.isEmpty {
      let costs = open.map { index in
        let clip = clips[index]
        return [people[clip.subject, default: 0], views[clip.view, default: 0], rates[Self.rate(clip), default: 0]]
      }
      let place = costs.indices.min { costs[$0].lexicographicallyPrecedes(costs[$1]) } ?? 0
      let index = open.remove(at: place)
      entries.append(Entry(clip: index, why: Self.why(clips[index], known: costs[place])))
      add(clips[index])
    }
    self.entries = entries
  }

  /// Phones record at 29.97 or 30 alike.
  private static func rate(_ clip: Clip.Info) -> Int { Int(clip.fps.rounded()) }

  private static func why(_ clip: Clip.Info, known: [Int]) -> String {
    if known[0] == 0 { return "a new person" }
    if known[1] == 0 { return clip.view.isEmpty ? "a view without a name" : "a new view: \(clip.view)" }
    if known[2] == 0 { return "a new frame rate: \(rate(clip)) a second" }
    return "\(NumberText.count(known[0], "clip")) of \(clip.subject) so far"
  }
}
