import Coaching
import Datasets
import Evaluation
import Files
import Foundation
import Pipeline
import PoseModel
import Reports
import Synchronization

/// The clips of a page, and their videos.
struct ServedClips: Sendable {
  let session: ReplaySession
  /// By clip; `nil` for none.
  private let videos: [String?]

  init(_ session: ReplaySession, videos: VideoFiles) {
    self.session = session
    self.videos = session.clips.map { videos.path(of: $0.clip.info.name, inDataset: $0.dataset.folder) }
  }

  /// The address of a clip's video; `nil` for none.
  func address(_ clip: Int) -> String? { videos[clip].map { _ in "video?clip=\(clip)" } }

  /// The index of the clip that a request names.
  ///
  /// - Throws: `HTTPRequest.Refusal` if it names none.
  func clip(in request: HTTPRequest) throws -> Int {
    guard let index = request.query["clip"].flatMap({ Int($0) }), session.clips.indices.contains(index) else {
      throw HTTPRequest.Refusal(status: .notFound, words: "no such clip")
    }
    return index
  }

  func video(_ request: HTTPRequest) throws -> HTTPAnswer {
    guard let path = videos[try clip(in: request)] else { return HTTPAnswer(.notFound, "no video") }
    return HTTPAnswer(type: Self.type(ofVideo: path), .file(path))
  }

  private static func type(ofVideo path: String) -> String {
    switch PathParts(path).ending.lowercased() {
    case "webm": "video/webm"
    case "ogv": "video/ogg"
    case "mkv": "video/x-matroska"
    case "mov": "video/quicktime"
    default: "video/mp4"
    }
  }
}

extension HTTPAnswer {
  static func page(_ html: String, policy: String) -> HTTPAnswer {
    HTTPAnswer(type: "text/html; charset=utf-8", .bytes(Data(html.utf8)), policy: policy)
  }
}

/// The answers to requests of the page of `bench view`.
struct ViewSite: Sendable {
  private let clips: ServedClips
  private let page: ViewPage

  init(_ clips: ServedClips, title: String) throws {
    self.clips = clips
    page = try ViewPage(clips.session, title: title) { clips.address($0) }
  }

  func answer(_ request: HTTPRequest) throws -> HTTPAnswer {
    do {
      switch (request.method, request.path) {
      case (.get, [""]): return .page(try page.html(), policy: ViewPage.policy)
      case (.get, ["clip"]): return .json(try page.clip(clips.clip(in: request), replacing: values(in: request)))
      case (.get, ["score"]): return .json(try page.score(replacing: values(in: request)))
      case (.get, ["fix"]):
        return .json(
          try page.fix(Self.mistake(in: request), onClip: clips.clip(in: request), replacing: values(in: request)))
      case (.get, ["video"]): return try clips.video(request)
      default: return HTTPAnswer(.notFound, "not found")
      }
    } catch let error as ParameterError {
      return HTTPAnswer(.unprocessable, "\(error)")
    } catch let error as EvaluationError {
      return HTTPAnswer(.unprocessable, "\(error)")
    }
  }

  private static let mistakes: [String: @Sendable (Int) -> ParameterFix.Mistake] = [
    "missed": { .missed($0) }, "misnamed": { .misnamed($0) }, "invented": { .invented($0) },
  ]

  private static func mistake(in request: HTTPRequest) throws -> ParameterFix.Mistake {
    for (name, mistake) in mistakes {
      if let index = request.query[name].flatMap({ Int($0) }) { return mistake(index) }
    }
    throw HTTPRequest.Refusal(status: .badRequest, words: "expected the index of a missed, misnamed or invented rep")
  }

  private func values(in request: HTTPRequest) throws -> [String: Double] {
    try request.query.filter { $0.key != "clip" && Self.mistakes[$0.key] == nil }.mapValues { text in
      guard let value = Double(text), value.isFinite else {
        throw HTTPRequest.Refusal(status: .badRequest, words: "expected a number for each parameter")
      }
      return value
    }
  }
}

/// The answers to requests of the page of `bench view --label`.
struct LabelSite: Sendable {
  private let clips: ServedClips
  private let page: LabelPage
  private let file: LabelFile
  /// The labels of the raters that are compared, by rater and clip.
  private let raters: [String: [String: RaterLabels.Labels]]

  /// A change of the file at a time.
  private final class LabelFile: Sendable {
    let labels: Mutex<RaterLabels>
    init(_ labels: RaterLabels) { self.labels = Mutex(labels) }
  }

  /// - Parameter files: The files of two raters to compare; empty for a page of one rater's own labels.
  init(_ clips: ServedClips, title: String, labels: RaterLabels, raters files: [String]) throws {
    self.clips = clips
    file = LabelFile(labels)
    let contents = try files.map { try RaterLabels.content(of: InputFile($0)) }
    guard Set(contents.map(\.rater)).count == files.count else {
      throw EvaluationError.usage("--raters needs two files of different raters: both are of \(contents[0].rater)")
    }
    guard !contents.contains(where: { $0.rater == labels.rater }) else {
      throw EvaluationError.usage("--rater \(labels.rater) has labels among --raters: give the name of who decides")
    }
    let session = clips.session
    raters = Dictionary(uniqueKeysWithValues: contents.map { ($0.rater, session.byID($0.clips)) })
    page = LabelPage(
      session, title: title,
      task: try Self.task(session, labels, raters: files.isEmpty ? nil : contents.map(\.rater))
    ) { clips.address($0) }
  }

  private static func task(
    _ session: ReplaySession, _ labels: RaterLabels, raters: [String]?
  ) throws -> LabelPage.Task {
    let done = try labels.read()
    let known = session.clips.map(\.clip.labels)
    let profile = session.setting.profile
    func names(_ own: some Sequence<String>, _ labelled: [String]) -> [String] { Set(labelled).union(own).sorted() }
    let isLabelled = session.clips.map { member in
      done[member.clip.info.name]?.isDone ?? false || member.clip.labels.hasMovements
    }
    return LabelPage.Task(
      rater: labels.rater, file: labels.path, detector: session.setting.name,
      criteria: session.clips[0].dataset.manifest.criteria,
      faults: names(profile.tasks.faults, known.flatMap { $0.faults.map(\.name) }),
      events: names(profile.tasks.labels, known.flatMap { $0.events.map(\.label) }),
      intervals: names(["negative"], known.flatMap { $0.intervals.map(\.label) }),
      raters: raters, next: LabelQueue(session.clips.map(\.clip.info), labelled: isLabelled).entries)
  }

  func answer(_ request: HTTPRequest, body: Data) throws -> HTTPAnswer {
    do {
      switch (request.method, request.path) {
      case (.get, [""]): return .page(try page.html(), policy: LabelPage.policy)
      case (.get, ["clip"]): return .json(try page.clip(clips.clip(in: request)))
      case (.get, ["video"]): return try clips.video(request)
      case (.get, ["labels"]):
        return .json(try JSONEncoder().encode(file.labels.withLock { clips.session.byID(try $0.read()) }))
      case (.get, ["raters"]): return .json(try JSONEncoder().encode(raters))
      case (.post, ["labels"]):
        try write(body)
        return .json(Data("{}".utf8))
      default: return HTTPAnswer(.notFound, "not found")
      }
    } catch let error as RaterLabels.Failure {
      guard case .changedMeanwhile = error else { return HTTPAnswer(.unprocessable, "\(error)") }
      return HTTPAnswer(.conflict, "\(error)")
    }
  }

  private struct Change: Decodable {
    var clip: String
    var before: RaterLabels.Labels?
    var after: RaterLabels.Labels?
  }

  private func write(_ body: Data) throws {
    guard let change = try? JSONDecoder().decode(Change.self, from: body),
      let index = clips.session.clips.firstIndex(where: { $0.id == change.clip })
    else { throw HTTPRequest.Refusal(status: .badRequest, words: "expected a clip and its labels") }
    let length = try clips.session.replay(index, by: clips.session.setting).poses.times.last ?? .zero
    try file.labels.withLock {
      try $0.replace(
        change.before, with: change.after, of: clips.session.clips[index].clip.info.name, length: length.seconds)
    }
  }
}

extension ReplaySession {
  /// The labels of the session's clips by their ids.
  fileprivate func byID(_ labels: [String: RaterLabels.Labels]) -> [String: RaterLabels.Labels] {
    clips.reduce(into: [:]) { all, member in all[member.id] = labels[member.clip.info.name] }
  }
}
