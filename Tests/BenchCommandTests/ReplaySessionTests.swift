import Coaching
import Datasets
import Evaluation
import Pipeline
import PoseModel
import Synchronization
import Testing

@Suite struct ReplaySessionTests {
  /// Says something about each clip, as a program does that is silent for long.
  private struct Talker: Detector {
    static let profile = DetectorProfile(name: "talker", kind: .reps, exercise: "squat", summary: "", source: "")
    static let parameters: [Parameter] = []
    private var hasTalked = false

    init(_ values: ParameterValues) throws(ParameterError) {}

    mutating func update(
      _ poses: borrowing PoseColumns, _ signals: borrowing SignalColumns, events: inout [Event]
    ) {
      if !hasTalked { DataReading.current.note("") }
      hasTalked = true
    }
  }

  @Test func whatDetectorsSayOnOtherThreadsArrives() throws {
    let workspace = try Workspace.withSquats()
    let project = Project(root: workspace.project)
    let plan = try ReplayPlan(
      detector: "talker", usual: "talker", suite: nil, replacing: { _ in ReplayChanges() }, in: project,
      registry: DetectorRegistry([Talker.self]))
    let catalogue = DatasetCatalogue(project: project, store: try Store(at: "\(workspace.outside)/store.sqlite"))
    let notes = Mutex(0)
    let session = try DataReading.$current.withValue(DataReading { _ in notes.withLock { $0 += 1 } }) {
      try ReplaySession(plan, dataset: "squats", in: catalogue, threads: 2)
    }
    _ = try session.score(session.setting)
    let scored = notes.withLock { $0 }
    #expect(scored >= 3)
    _ = try session.replay(0, by: session.setting)
    let replayed = notes.withLock { $0 }
    #expect(replayed > scored)
  }
}
