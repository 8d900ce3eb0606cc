import Datasets
import Evaluation
import Foundation
import Pipeline

/// The page of `bench view --label`, on which a rater labels clips.
public struct LabelPage: Sendable {
  /// What the page is for.
  public struct Task: Encodable, Sendable {
    public var rater: String
    /// The file of the labels.
    public var file: String
    /// The detector that a draft comes from.
    public var detector: String
    public var criteria: [Manifest.Criterion]
    /// The names to choose from.
    public var faults: [String]
    public var events: [String]
    public var intervals: [String]
    /// The raters whose labels are compared; `nil` for a page of one rater's own.
    public var raters: [String]?
    /// The clips to label, the most useful first.
    public var next: [LabelQueue.Entry]

    public init(
      rater: String, file: String, detector: String, criteria: [Manifest.Criterion], faults: [String],
      events: [String], intervals: [String], raters: [String]?, next: [LabelQueue.Entry]
    ) {
      (self.rater, self.file, self.detector) = (rater, file, detector)
      (self.criteria, self.faults, self.events, self.intervals) = (criteria, faults, events, intervals)
      (self.raters, self.next) = (raters, next)
    }
  }

  private struct Facts: Encodable {
    var clips: [PageClip]
    var labelling: Task
  }

  private struct Model: ModelPart {
    var title: String
    var data: RawText
    var player: [PlayerModel]
    var script: InlineScript
  }

  private let session: ReplaySession
  private let title: String
  private let task: Task
  /// The address of each clip's video; `nil` for none.
  private let video: @Sendable (Int) -> String?

  /// - Parameter video: The address of a clip's video; `nil` for none.
  public init(_ session: ReplaySession, title: String, task: Task, video: @escaping @Sendable (Int) -> String?) {
    (self.session, self.title, self.task, self.video) = (session, title, task, video)
  }

  public func html() throws -> String {
    let facts = Facts(clips: session.pageClips(video: video), labelling: task)
    let player = PlayerModel(clips: RawText(text: "[]"), script: .player)
    return try ReportTemplates.render(
      "label", .html,
      Model(
        title: title, data: try InlineScript.data(facts), player: [player], script: InlineScript(ReportTemplates.label))
    )
  }

  /// The `Content-Security-Policy` of the page.
  public static var policy: String { InlineScript.policy([.player, InlineScript(ReportTemplates.label)]) }

  /// A clip as the player's script reads it; `null` without frames.
  public func clip(_ index: Int) throws -> Data {
    let clip = try session.replay(index, by: session.setting)
    let entry = Player.Entry(
      title: clip.result.name, clip: clip, before: nil, video: video(index),
      model: try Player.model(for: clip, in: session))
    return try entry.json() ?? Data("null".utf8)
  }
}
