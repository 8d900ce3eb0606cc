import Charts
import Coaching
import Datasets
import Foundation
import Pipeline
import PoseModel
import Scoring
import Testing

@testable import Evaluation
@testable import Reports

/// What fits into a page of many or of long clips.
@Suite struct PageSizeTests {
  /// Squats of two seconds each, from 170° to 80° and back, without a labelled rep.
  private struct Squats: DatasetSource {
    let names: [String]
    let frames: Int
    var fps = 30.0
    let manifest = Manifest(
      name: "data", version: "1", licence: "CC0-1.0", source: "placed by hand", origin: .synthetic,
      skeleton: Skeleton.coco17.name, coordinates: CoordinateSystem(unit: .pixel(height: 1000), yAxis: .down),
      channels: [.x, .y, .confidence])

    var clipCount: Int { names.count }

    func digest() throws -> ContentHash { try #require(ContentHash(String(repeating: "0", count: 64))) }

    func clip(_ index: Int) throws -> Clip {
      let values = (0..<frames).flatMap { frame -> [Float] in
        let angle = (125 + 45 * cos(Double(frame) / 30 * .pi)) * .pi / 180
        let hip = (x: Float(500 + 200 * sin(angle)), y: Float(700 + 200 * cos(angle)))
        return Skeleton.coco17.keypoints.flatMap { keypoint -> [Float] in
          switch keypoint.drop(while: { $0 != "_" }) {
          case "_shoulder": [hip.x, hip.y - 300, 1]
          case "_hip": [hip.x, hip.y, 1]
          case "_knee": [500, 700, 1]
          case "_ankle": [500, 900, 1]
          default: [.nan, .nan, 0]
          }
        }
      }
      let keypoints = Keypoints(
        times: (0..<frames).map { Microseconds(frame: $0, rate: fps) },
        keypointCount: Skeleton.coco17.keypoints.count, channels: [.x, .y, .confidence], frames: values)
      return Clip(
        info: Clip.Info(name: names[index], subject: "anna", exercise: "squat", view: "side", fps: fps, split: "test"),
        keypoints: keypoints, labels: GroundTruth(reps: []))
    }
  }

  /// The clips in a store that is gone afterwards.
  private func stored<Value>(_ squats: Squats, _ body: (StoredDataset, Store) throws -> Value) throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("page-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = try Store(at: "\(folder)/store.sqlite")
    try store.importing(squats)
    return try body(#require(store.datasets().first), store)
  }

  /// 640 kB of pictures and clips: of pictures of 150 kB four beside no clips, and two beside 300 kB of them.
  @Test func aPageHasThePicturesThatFitBesideItsPlayer() {
    let chart = CountErrorByClip(source: "test", clips: [CountedClip(clip: "a", truth: 1, predicted: 2)])
    let picture = ReportPicture(file: "a.png", heading: "A", chart: chart)
    var model = PictureModel()
    model.wide = [PictureModel.Shape(light: String(repeating: "a", count: 150_000))]
    let drawn = [DrawnPicture](repeating: DrawnPicture(picture: picture, model: model), count: 6)
    #expect(drawn.fitting(beside: []).count == 4)
    let player = PlayerModel(clips: RawText(text: String(repeating: "a", count: 300_000)))
    #expect(drawn.fitting(beside: [player]).count == 2)
  }

  /// A clip takes at least 2000 frames × 8 joints × 4 bytes × 4/3 for base64, times and signals: three are more than
  /// 330 kB.
  @Test func aPageOfLongClipsHasTheWorstThatFit() throws {
    let matching = RepMatching(instant: .end, tolerance: Microseconds(500_000))
    let setting = try DetectorSetting(DetectorDefinition(SquatStates.self))
    let clips = try stored(Squats(names: ["a", "b", "c"], frames: 4000)) { dataset, store in
      try store.clips(of: dataset).map { clip in
        try ReplayedClip(
          clip, of: dataset, in: store, by: setting, under: ReplayConditions(), matching: matching)
      }
    }
    let results = RunResults(
      bench: "test", suite: "sample", suiteVersion: 1,
      datasets: [
        RunResults.DatasetCard(
          name: "data", version: "1", content: "sha256:one", origin: .synthetic, licence: "L", source: "S", clips: 3,
          subjects: 1)
      ],
      detectors: [
        RunResults.DetectorCard(name: "squat-states", kind: "reps", summary: "", parameters: [:], changed: [])
      ],
      matching: RunResults.Matching(matching), camera: LiveCamera(fps: 30, estimator: .zero), metrics: [],
      clips: clips.map(\.result), measured: [:], slices: [])
    let run = RunReport.Run(name: "run", created: "2026-03-01T10:00:00Z", origin: nil)
    let report = try RunReport(results, run: run, baseline: nil) { clip, _, _ in
      clips.first { $0.result.id == clip.id }
    }
    #expect(results.worstClips("squat-states").map(\.name) == ["a", "b", "c"])
    let html = try report.html()
    #expect(html.utf8.count < 800_000)
    let played = html.matches(of: #/"id":"data/([abc])"/#).map { String($0.output.1) }
    #expect(played == ["a"] || played == ["a", "b"], "\(played)")
    // The table has all, with links to those alone.
    let row = #/<tr data-[^>]*><th scope="row">(?:<a [^>]*>)?([abc])</#
    #expect(html.matches(of: row).map { String($0.output.1) } == ["a", "b", "c"])
    #expect(html.matches(of: #/href="#clip=data%2F([abc])"/#).map { String($0.output.1) } == played)
  }

  /// Of 301 clips of one person the last with a finding comes first, and the one before it no longer fits.
  @Test func aPageOfADatasetHasThreeHundredClips() throws {
    let names = (100...400).map { "c\($0)" }
    let findings = [
      DatasetPage.Finding(clip: nil, severity: "warning", start: nil, words: "one person (subjects)"),
      DatasetPage.Finding(clip: "c400", severity: "warning", start: 0, words: "too short (times)"),
      DatasetPage.Finding(clip: "c399", severity: "note", start: nil, words: "nothing bad (times)"),
    ]
    let html = try stored(Squats(names: names, frames: 2)) { dataset, store in
      try DatasetPage(dataset, findings: findings, in: store).html()
    }
    #expect(html.contains("<h1>data, SYNTHETIC</h1>") && html.contains("<title>data, SYNTHETIC</title>"))
    let list = html.components(separatedBy: "<li>").dropFirst().map { $0.components(separatedBy: "</li>")[0] }
    #expect(list == ["warning: one person (subjects)"])
    #expect(
      html.contains(
        "<p>300 of 301 clips: those with findings first, then a selection from each exercise, view and person.</p>"))
    let start = try #require(html.range(of: "id=\"cards\">")).upperBound
    let shown = html[start...].matches(of: #/"id":"data/(c\d+)"/#).map { String($0.output.1) }
    #expect(shown == ["c400"] + names.dropLast(2))
  }

  /// A frame takes 10 joints, with neck and root, × 2 bytes × 4/3 for base64 and 7 for its time, 33 bytes. A 300th of
  /// 950 kB is 95 of them.
  @Test func aPageOfThreeHundredLongClipsHasFewerFrames() throws {
    let squats = Squats(names: (100..<400).map { "c\($0)" }, frames: 150, fps: 15)
    let html = try stored(squats) { dataset, store in try DatasetPage(dataset, findings: [], in: store).html() }
    #expect(html.utf8.count < 1_500_000)
    let counts = html.matches(of: #/"times":\[([^\]]*)\]/#).map { $0.output.1.split(separator: ",").count }
    #expect(counts.count == 300 && counts.allSatisfy { (90...95).contains($0) }, "\(Set(counts))")
  }
}
