import Datasets
import Foundation
import PoseModel

/// Every way in which a gate can lack what it needs, tried on results that would pass: none of them may.
public struct FailingClosed: Sendable {
  public struct Check: Codable, Sendable {
    public var what: String
    /// What the gate said.
    public var answer: String
    /// Whether it was an error or a verdict other than a pass.
    public var isClosed: Bool
  }

  public init() {}

  /// All checks. The first is that nothing missing passes, without which the others would prove nothing.
  ///
  /// - Parameter folder: a folder that does not exist.
  public func checks(in folder: String) -> [Check] {
    let whole = GateSample.results()
    let baseline = Baseline(whole)
    func compared(_ results: RunResults, _ baseline: Baseline) -> () throws -> Verdict {
      { Verdict(try Comparison(results, with: baseline)) }
    }
    func changed(_ change: (inout RunResults) -> Void) -> () throws -> Verdict {
      var results = whole
      change(&results)
      return compared(results, baseline)
    }
    func without(_ change: (inout Baseline) -> Void) -> () throws -> Verdict {
      var other = baseline
      change(&other)
      return compared(whole, other)
    }
    let sound = check("nothing is missing", compared(whole, baseline))
    return [
      Check(what: sound.what, answer: sound.answer, isClosed: !sound.isClosed),
      check("a dataset that is not there") {
        let project = Project(root: folder)
        let catalogue = DatasetCatalogue(project: project, store: try Store(at: project.storePath))
        _ = try catalogue.dataset(named: "squats")
        return Verdict(try Comparison(whole, with: baseline))
      },
      check("a dataset that the baseline has and the run has not", changed { $0.datasets = [] }),
      check("a dataset with another content", changed { $0.datasets[0].content = "sha256:two" }),
      check("a clip that the run has not", changed { $0.clips.removeLast() }),
      check("a clip that the baseline has not", without { $0.clips["data/s00"] = nil }),
      check("a metric that the run has not", changed { $0.metrics.removeLast() }),
      check("a metric that the baseline has not", without { $0.metrics.removeLast() }),
      check("a subject that the run has not", changed { $0.metrics[0].bySubject["s00"] = nil }),
      check("a subject that has lost its value", changed { $0.metrics[0].bySubject["s00"] = .some(nil) }),
      check(
        "no subject with a value",
        changed {
          $0.metrics[0].bySubject = $0.metrics[0].bySubject.mapValues { _ in nil }
          $0.metrics[0].value = nil
        }),
      check("a value that is not a number", changed { $0.metrics[0].bySubject["s00"] = .nan }),
      check("an infinite value", changed { $0.metrics[0].bySubject["s00"] = .infinity }),
      check(
        "a suite in which nothing gates",
        changed {
          $0.metrics[0].margin = nil; $0.metrics[1].margin = nil
        }),
      check(
        "a suite without metrics and clips",
        changed {
          $0.metrics = []; $0.clips = []
        }),
      check("another suite version", changed { $0.suiteVersion += 1 }),
      check("another matching rule", changed { $0.matching.toleranceSeconds = 1 }),
      check("another camera", changed { $0.camera.fps = 60 }),
      check("another detector", changed { $0.detectors[0].name = "other" }),
      check("a baseline that is not there") {
        let absent = try Baseline(file: folder + "/baselines/sample.json", suite: whole.suite)
        return Verdict(try Comparison(whole, with: absent))
      },
      check("a baseline that cannot be read") {
        let path = folder + "/baselines/broken.json"
        try writeWhole(Data("{ \"format\": 1".utf8), to: path)
        return Verdict(try Comparison(whole, with: Baseline(file: path, suite: whole.suite)))
      },
      check("a baseline of another format") {
        var other = baseline
        other.format += 1
        let path = folder + "/baselines/format.json"
        try other.write(to: path)
        return Verdict(try Comparison(whole, with: Baseline(file: path, suite: whole.suite)))
      },
    ]
  }

  private func check(_ what: String, _ gate: () throws -> Verdict) -> Check {
    do {
      let verdict = try gate()
      return Check(
        what: what, answer: "\(verdict.outcome.rawValue): \(verdict.reason)",
        isClosed: verdict.outcome != .pass && verdict.exitCode(.pass) != 0)
    } catch {
      return Check(what: what, answer: "\(error)", isClosed: true)
    }
  }
}
