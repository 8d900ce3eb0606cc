import Coaching
import Datasets
import Evaluation
import Foundation
import Pipeline
import PoseModel
import Statistics

/// The page of `bench view`, and what it asks for: clips and scores at any parameters.
public struct ViewPage: Sendable {
  private let session: ReplaySession
  private let title: String
  /// The address of each clip's video; `nil` for none.
  private let video: @Sendable (Int) -> String?
  private let start: ReplaySession.Score

  /// Scores all clips once.
  ///
  /// - Parameter video: The address of a clip's video; `nil` for none.
  public init(_ session: ReplaySession, title: String, video: @escaping @Sendable (Int) -> String?) throws {
    (self.session, self.title, self.video) = (session, title, video)
    start = try session.score(session.setting)
  }

  public func html() throws -> String {
    let scripts = ReportTemplates.scripts
    var model = ViewModel(title: title)
    model.data = try InlineScript.data(facts)
    model.player = [PlayerModel(clips: RawText(text: "[]"), script: scripts.player)]
    model.script = scripts.view
    return try ReportTemplates.render("view", .html, model)
  }

  /// The `Content-Security-Policy` of the page: its own scripts, and requests to its own server.
  public static var policy: String {
    let scripts = ReportTemplates.scripts
    return InlineScript.policy([scripts.player, scripts.view])
  }

  /// A clip as the player's script reads it, beside what the detector finds as the session began.
  ///
  /// - Parameter values: Parameters that differ from the session's.
  /// - Throws: `ParameterError` for values that contradict each other.
  public func clip(_ index: Int, replacing values: [String: Double]) throws -> Data {
    let setting = try session.setting(replacing: values)
    let clip = try session.replay(index, by: setting)
    let before =
      setting.values == session.setting.values ? nil : try session.replay(index, by: session.setting)
    let entry = Player.Entry(
      title: clip.result.name, clip: clip, before: before, video: video(index),
      model: try Player.model(for: clip, in: session))
    return try entry.json() ?? Data("null".utf8)
  }

  /// The scores of the parameters on all clips, with those of the session's own parameters.
  ///
  /// - Parameter values: Parameters that differ from the session's.
  /// - Throws: `ParameterError` for values that contradict each other.
  public func score(replacing values: [String: Double]) throws -> Data {
    let setting = try session.setting(replacing: values)
    let now = setting.values == session.setting.values ? start : try session.score(setting)
    return try JSONEncoder().encode(ViewScore(now, beside: start, of: setting, in: session))
  }

  /// What would mend a missed, misnamed or invented rep or stroke, as a list of sentences.
  ///
  /// - Parameter values: Parameters that differ from the session's.
  /// - Throws: `ParameterError` for values that contradict each other, `EvaluationError.missing` without the mistake.
  public func fix(_ mistake: ParameterFix.Mistake, onClip index: Int, replacing values: [String: Double]) throws -> Data
  {
    let setting = try session.setting(replacing: values)
    return try JSONEncoder().encode(
      ParameterFix(mistake, onClip: index, by: setting, in: session).sentences)
  }

  private var facts: ViewFacts {
    ViewFacts(
      clips: session.pageClips(video: video),
      parameters: session.setting.definition.parameters.map { ViewFacts.Slider($0, at: session.setting.values[$0]) })
  }
}

extension ReportTemplates {
  fileprivate static var scripts: (player: InlineScript, view: InlineScript) { (.player, InlineScript(view)) }
}

struct ViewModel: ModelPart {
  var title = ""
  var data = RawText(text: "{}")
  var player: [PlayerModel] = []
  var script = InlineScript("")
}

/// The data of the page at the start.
private struct ViewFacts: Encodable {
  struct Slider: Encodable {
    var name: String
    var summary: String
    var unit: String
    var isToggle: Bool
    var low: Double
    var high: Double
    var step: Double
    var value: Double

    init(_ parameter: Parameter, at value: Double) {
      (name, summary, self.value) = (parameter.name, parameter.summary, value)
      unit = parameter.unit.rawValue
      isToggle = parameter.unit == .toggle
      (low, high) = (parameter.range.lowerBound, parameter.range.upperBound)
      switch parameter.unit {
      case .toggle, .frames, .reps, .sets, .wordsPerMinute: step = 1
      default:
        // 1, 2 or 5 times a power of ten, at most a hundredth of the range.
        let finest = max((high - low) / 100, 1e-9)
        let power = pow(10, log10(finest).rounded(.down))
        step = [5, 2, 1].map { $0 * power }.first { $0 <= finest * (1 + 1e-9) } ?? power
      }
    }
  }

  var clips: [PageClip]
  var parameters: [Slider]
}

/// A clip in the list of a page.
struct PageClip: Encodable {
  var id: String
  var name: String
  var subject: String
  var exercise: String
  var view: String
  var hasVideo: Bool
}

extension ReplaySession {
  /// - Parameter video: The address of a clip's video; `nil` for none.
  func pageClips(video: (Int) -> String?) -> [PageClip] {
    clips.enumerated().map { index, member in
      let info = member.clip.info
      return PageClip(
        id: member.id, name: info.name, subject: info.subject, exercise: info.exercise, view: info.view,
        hasVideo: video(index) != nil)
    }
  }
}

extension InlineScript {
  /// The policy of a page of this machine: these scripts, and requests to its own server.
  static func policy(_ scripts: [InlineScript]) -> String {
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self'; "
      + "media-src 'self'; style-src 'unsafe-inline'; script-src "
      + scripts.map { "'sha256-\($0.hash)'" }.joined(separator: " ")
  }
}

/// The scores of some parameters on all clips.
private struct ViewScore: Encodable {
  struct Clip: Encodable {
    var words: String
    var isWrong: Bool
    /// Against the session's own parameters: `better`, `worse` or nothing.
    var change: String?
  }

  struct Metric: Encodable {
    var name: String
    var before: String
    var now: String
    var change: String?
  }

  var finding: String
  var clips: [Clip]
  var metrics: [Metric]
  /// The settings before and now: `bottomAngle 90`, `bottomAngle 85`; empty if no parameter differs from the session's.
  var sides: [String]
  /// The same as options of a command; nothing if no parameter differs from the session's.
  var options: String

  init(
    _ now: ReplaySession.Score, beside start: ReplaySession.Score, of setting: DetectorSetting,
    in session: ReplaySession
  ) {
    let (name, kind) = (setting.name, setting.profile.kind.rawValue)
    let words = ClipMistakeWords(kind: kind)
    clips = now.clips.indices.map { index in
      let mistakes = ClipMistakes(now.clips[index], detector: name, kind: kind)
      let phantoms = now.phantoms(of: name, onClip: index)
      let isFailure = now.isWrong(name, onClip: index)
      var sentence = words.sentence(mistakes)
      if phantoms > 0 {
        sentence = "counted \(phantoms) while nobody does the exercise"
      } else if !isFailure, let counted = mistakes.counted, let truth = mistakes.trueCount {
        let elsewhere = mistakes.missedReps ?? 0
        sentence =
          "counted \(counted), true \(truth)"
          + (elsewhere > 0 ? "; \(NumberText.count(elsewhere, "rep")) not where labelled" : "")
      }
      let change = now.isBetter(than: start, name, onClip: index).map { $0 ? "better" : "worse" }
      return Clip(words: sentence, isWrong: isFailure, change: change)
    }
    metrics = zip(now.metrics, start.metrics).map { metric, before in
      var change: String?
      if let now = metric.value, let before = before.value, now != before {
        change = metric.direction.loss(from: before, to: now) > 0 ? "worse" : "better"
      }
      return Metric(
        name: metric.metric, before: NumberText.value(before.value, unit: metric.unit),
        now: NumberText.value(metric.value, unit: metric.unit), change: change)
    }
    let values = setting.definition.parameters.filter { setting.values[$0] != session.setting.values[$0] }
    finding = Self.finding(now, beside: values.isEmpty ? nil : start, name, kind)
    sides = session.setting.differences(from: setting)
    options = values.map { "--set \(setting.profile.path).\($0.name)=\(NumberText.plain(setting.values[$0]))" }
      .joined(separator: " ")
  }

  /// What a detector gets right on all clips.
  ///
  /// - Parameter start: The scores of the session's own parameters; `nil` if none differs.
  private static func finding(
    _ now: ReplaySession.Score, beside start: ReplaySession.Score?, _ name: String, _ kind: String
  ) -> String {
    func since(_ words: (ReplaySession.Score) -> String?) -> String {
      guard let start, let before = words(start) else { return "" }
      return words(now) == before ? ", as before" : ", before \(before)"
    }
    func right(_ score: ReplaySession.Score) -> RightCounts? { RightCounts(of: name, on: score.clips) }
    if let own = right(now) { return "Counts \(own.words)\(since { right($0).map { "\($0.right)" } })." }
    func mistakes(_ score: ReplaySession.Score) -> [ClipMistakes] {
      score.clips.map { ClipMistakes($0, detector: name, kind: kind) }
    }
    func strokes(_ score: ReplaySession.Score) -> StrokeErrors? {
      kind == "swing" ? StrokeErrors(mistakes(score)) : nil
    }
    if let own = strokes(now) {
      return "Finds and names \(own.rightWords); \(own.words)\(since { strokes($0)?.words })."
    }
    func seconds(_ count: Double) -> String { NumberText.fixed(count, decimals: 0) }
    if let own = NamedSeconds(mistakes(now)) {
      return "Names \(seconds(own.right)) of \(seconds(own.labelled)) labelled seconds right"
        + "\(since { NamedSeconds(mistakes($0)).map { seconds($0.right) } })."
    }
    func distance(_ score: ReplaySession.Score) -> String? {
      score.metrics.first { $0.metric == "grades.mae" }.flatMap { metric in
        metric.value.map { NumberText.quantity($0, unit: metric.unit) }
      }
    }
    if let own = distance(now) {
      return "Grades differ from the raters' by \(own) on average\(since { distance($0) })."
    }
    func judged(_ score: ReplaySession.Score) -> RightJudgements? { RightJudgements(of: name, on: score.clips) }
    if let own = judged(now) {
      return "Tells faulty from good on \(own.words)\(since { judged($0).map { "\($0.right)" } })."
    }
    return "No clip has a label to compare with."
  }
}
