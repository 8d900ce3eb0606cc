import Charts
import Evaluation
import Files
import Foundation
import Pipeline
import Testing

/// Results files of studies that somebody changed: they are drawn or refused, and end no program.
@Suite struct StudyFileTests {
  /// Two settings with error rates, as `bench selftest gate` writes them.
  private static let selftest = """
    {
      "format": 3, "bench": "test", "suite": "squat", "datasets": { "squats": "sha256:1a" }, "seed": 1, "trials": 2000,
      "nominal": 0.05, "limit": 0.06, "results": [
        {
          "setting": { "gains": "normal", "subjects": 5, "correlation": 0 },
          "rates": {
            "falseRegressions": { "1": 0.0325, "8": 0.055 }, "wrongPasses": 0, "shownLosses": 0.5, "shownOfEight": 0.75,
            "stoppedLosses": 1, "stoppedHarmless": []
          },
          "others": { "another rule": { "falseRegressions": {}, "wrongPasses": 0.25, "shownLosses": 0.5,
            "stoppedHarmless": [] } },
          "isRefused": true, "outOfReach": { "8": "nobody can tell" }
        },
        {
          "setting": { "gains": "normal", "subjects": 10, "correlation": 0.5 },
          "rates": { "falseRegressions": { "1": 0.05 }, "wrongPasses": 0.04, "shownLosses": 1, "stoppedHarmless": [0.05, 0.1, 0.3] },
          "others": {}, "isRefused": false, "outOfReach": {}
        }
      ],
      "failingClosed": [{ "what": "a missing clip", "answer": "missing", "isClosed": true }]
    }
    """

  /// The output of a command as JSON.
  private static func study(_ workspace: Workspace, _ arguments: [String]) throws -> JSONTree {
    let outcome = try workspace.run(arguments + ["--json"])
    try #require(outcome.code == 0, "\(outcome.error)")
    return try JSONDecoder().decode(JSONTree.self, from: Data(outcome.output.utf8))
  }

  /// By recipe, files of each form that it draws.
  private static func studies(in workspace: Workspace) throws -> [String: [JSONTree]] {
    let (bottom, standing) = ("reps.squat-states.bottomAngle=84,90", "reps.squat-states.standingAngle=150,160")
    let compared = try study(workspace, ["compare", "--suite", "squat", "--set", "reps.squat-states.bottomAngle=84"])
    return [
      "sweep": [
        try study(workspace, ["sweep", "--suite", "squat", "--sweep", bottom]),
        try study(workspace, ["sweep", "--suite", "squat", "--sweep", bottom, "--sweep", standing]),
      ],
      "tuning": [
        try study(workspace, ["tune", "--suite", "squat", "--metric", "count.mae", "--nested", "--tune", bottom])
      ],
      "gains": [compared], "changes": [compared],
      "selftest": [try JSONDecoder().decode(JSONTree.self, from: Data(selftest.utf8))],
      "leaderboard": [try study(workspace, ["leaderboard", "--datasets", "squats"])],
    ]
  }

  @Test func aChangedFileIsDrawnOrRefused() throws {
    let workspace = try Workspace.withSquats()
    let studies = try Self.studies(in: workspace)
    let context = ChartContext(
      project: Project(root: workspace.project), store: try workspace.store(), registry: .builtIn, suite: "squat",
      file: workspace.path("study.json"), bench: "test")
    func draw(_ recipe: ChartRecipe, _ file: JSONTree) throws {
      try workspace.write(JSONEncoder().encode(file), to: "study.json")
      for picture in try recipe.pictures(of: context) { _ = try svg(picture.chart) }
    }
    for recipe in ChartRecipe.all where recipe.takes.contains(.from) {
      for study in try #require(studies[recipe.name], "no file for the chart \(recipe.name)") {
        let whole = study.first(12)
        try draw(recipe, whole)
        guard case .object(let members) = whole else { continue }
        for (key, changed) in whole.mutations {
          do {
            try draw(recipe, changed)
          } catch let error where error is DataError || error is EvaluationError {
            let words = "\(error)".replacing(workspace.path("study.json"), with: "FILE")
            let isNamed = words.contains("FILE") && members.keys.contains { words.contains($0) }
            #expect(isNamed, "\(recipe.name), \(key): \(words)")
          }
        }
      }
    }
  }

  @Test(arguments: [
    (
      "settings[1].values", JSONTree.object([:]),
      "settings[1].values with a number for each of bottomAngle, found none for bottomAngle"
    ),
    (
      "base.values.standingAngle", .number(160),
      "base.values with a number for each of bottomAngle, found one for standingAngle"
    ),
    ("optimum", .number(2), "optimum with the index of one of 2 settings, found 2"),
    ("axes", .list([]), "axes with at least one parameter, found none"),
    ("settings[0].value", .number(1e300), "settings[0].value with a number up to 1e15, found 1e+300"),
  ])
  func theErrorNamesTheKey(key: String, value: JSONTree, words: String) throws {
    let workspace = try Workspace.shared("a sweep in a file") {
      let workspace = try Workspace.withSquats()
      let sweep = try Self.study(
        workspace, ["sweep", "--suite", "squat", "--sweep", "reps.squat-states.bottomAngle=84,90"])
      try workspace.write(JSONEncoder().encode(sweep), to: "sweep.json")
      return workspace
    }
    let sweep = try JSONDecoder().decode(JSONTree.self, from: workspace.bytes("sweep.json"))
    try workspace.write(JSONEncoder().encode(sweep.setting(key, to: value)), to: "s.json")
    try workspace.run("draw", "sweep", "--from", "s.json").expectFailure(1, "s.json: expected \(words)")
  }

  /// Decoders call the whole text invalid where a count has a fraction, and name no key.
  @Test func aCountWithAFractionIsNamed() throws {
    let workspace = try Workspace()
    let whole = try JSONDecoder().decode(JSONTree.self, from: Data(Self.selftest.utf8))
    for (key, number) in [("results[0].setting.subjects", 5.5), ("seed", -1), ("format", 1e300)] {
      try workspace.write(JSONEncoder().encode(whole.setting(key, to: .number(number))), to: "s.json")
      try workspace.run("draw", "selftest", "--from", "s.json").expectFailure(
        1, "s.json: expected the results of a self-test, found \(key) with \(number), out of its range")
    }
  }

  @Test(arguments: [
    ("trials", JSONTree.number(0), "trials with a whole number from 1, found 0"),
    (
      "results[1].rates.shownLosses", .number(1.5), "results[1].rates.shownLosses with a share from 0 to 1, found 1.5"
    ),
    ("results", .list([]), "results with at least one setting, found none"),
  ])
  func aRateIsAShare(key: String, value: JSONTree, words: String) throws {
    let workspace = try Workspace()
    let whole = try JSONDecoder().decode(JSONTree.self, from: Data(Self.selftest.utf8))
    try workspace.write(JSONEncoder().encode(whole.setting(key, to: value)), to: "s.json")
    try workspace.run("draw", "selftest", "--from", "s.json").expectFailure(1, "s.json: expected \(words)")
  }
}
