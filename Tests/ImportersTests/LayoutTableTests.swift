import Datasets
import Files
import Foundation
import Importers
import PoseModel
import Testing

/// The ways in which people write MediaPipe's landmarks, each imported with no option but `--exercise`; where that is
/// refused, with the option that the error names. What is stored is compared with the truth: no layout may be wrong
/// without a word. `docs/importing.md` has the table.
@Suite struct LayoutTableTests {
  @Test func noLayoutIsSilentlyWrong() throws {
    var rows: [[String]] = []
    for layout in Layout.all {
      let outcome = try outcome(of: layout)
      #expect(outcome == layout.expected, "\(layout.kind), \(layout.name)")
      rows.append([layout.kind, layout.name, "\(outcome)"])
    }
    #expect(rows.count >= 45)
    let table =
      "| file | layout | import |\n|---|---|---|\n" + rows.map { "| \($0.joined(separator: " | ")) |\n" }.joined()
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../docs/importing.md")
    let isThere = try String(contentsOf: page, encoding: .utf8).contains(table)
    #expect(isThere, "docs/importing.md should have:\n\(table)")
  }

  private func outcome(of layout: Layout) throws -> Layout.Outcome {
    let folder = try ImportFolder()
    for (name, content) in layout.files {
      let url = URL(fileURLWithPath: "\(folder.path)/\(name)")
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try content.write(to: url)
    }
    var options = ImportOptions()
    options.exercise = "squat"
    do {
      let clip = try clip(in: folder.path, options)
      return isTrue(clip, layout) ? .asIs(clip.notes) : .wrong
    } catch {
      let words = "\(error)"
      guard words.contains("--size WxH") else {
        return words.contains("expected columns of joints") ? .refused : .wrong
      }
      options.size = layout.size
      return isTrue(try clip(in: folder.path, options), layout) ? .with("--size") : .wrong
    }
  }

  private struct Imported {
    var clip: Clip
    var unit: CoordinateSystem.Unit
    var remarks: [String]

    /// What the import says that it assumed or told from the numbers.
    var notes: [String] {
      let all = remarks.joined(separator: "; ")
      let known = [
        ("the image's size is unknown", "aspect assumed"), ("the frame rate is unknown", "rate assumed"),
        ("coordinates are pixels", "pixels"), ("coordinates are metres", "metres"),
        ("lengths are scaled by each clip's trunk", "lengths in trunks"),
      ]
      return known.filter { all.contains($0.0) }.map(\.1)
    }
  }

  private func clip(in path: String, _ options: ImportOptions) throws -> Imported {
    let formats = Importers.recognising(path)
    guard formats.count == 1, let format = formats.first else {
      throw Importers.unknown(path, known: formats.map { $0.format })
    }
    let source = try #require(try Importers.datasets(format, from: path, options: options).first)
    let (clip, remarks) = try source.read(0)
    return Imported(clip: clip, unit: source.manifest.coordinates.unit, remarks: source.remarks + remarks)
  }

  /// Whether a clip has the truth's frames, times and places.
  private func isTrue(_ imported: Imported, _ layout: Layout) -> Bool {
    guard let keypoints = imported.clip.keypoints, keypoints.frameCount == Truth.frames else { return false }
    let (x, y): (Double, Double) =
      switch imported.unit {
      case .image(let aspect): (aspect, 1)
      case .pixel(let height): (1 / height, 1 / height)
      default: (1, 1)
      }
    var scale = 1.0
    if layout.isScaled {
      let columns = [11, 23].map { (keypoints.values($0, .x)[0], keypoints.values($0, .y)[0]) }
      let trunk = Double(columns[0].0 - columns[1].0) * x
      let height = Double(columns[0].1 - columns[1].1) * y
      scale = 0.144 / (trunk * trunk + height * height).squareRoot()
    }
    for frame in 0..<Truth.frames {
      let time = Double(frame) / layout.fps
      guard abs(keypoints.times[frame].seconds - time) < 0.000_6 else { return false }
      for landmark in 0..<33 {
        let shown = layout.isStill ? 0 : frame
        let truth = layout.isWorld ? Truth.world(landmark, shown) : Truth.place(landmark, shown)
        let found = (
          Double(keypoints.values(landmark, .x)[frame]) * x * scale,
          Double(keypoints.values(landmark, .y)[frame]) * y * scale
        )
        guard abs(found.0 - truth.x) < 1e-3, abs(found.1 - truth.y) < 1e-3 else { return false }
        if layout.hasVisibility {
          guard keypoints.values(landmark, .confidence).count == Truth.frames,
            abs(keypoints.values(landmark, .confidence)[frame] - 0.9) < 1e-6
          else { return false }
        }
      }
    }
    return true
  }
}

/// A person whose forearms rise until they are level, in a film of 1080 x 1920.
private enum Truth {
  static let frames = 30
  static let (width, height) = (1080.0, 1920.0)

  /// In image heights.
  static func place(_ landmark: Int, _ frame: Int) -> (x: Double, y: Double) {
    let side = landmark % 2 == 0 ? 1.0 : 0.0
    let x = 0.2 + 0.05 * side
    let angle = min(1, Double(frame) / 15) * Double.pi / 2
    let (upper, fore, trunk) = (0.093, 0.073, 0.144)
    let elbow = (x: x + upper * sin(angle), y: 0.2 + upper * cos(angle))
    let wrist = (x: elbow.x + fore * sin(angle), y: elbow.y + fore * cos(angle))
    switch landmark {
    case 0...10: return (0.2 + 0.004 * Double(landmark), 0.12 + 0.001 * Double(landmark))
    case 11, 12: return (x, 0.2)
    case 13, 14: return elbow
    case 15...22: return (wrist.x + 0.001 * Double(landmark - 15), wrist.y)
    case 23, 24: return (x, 0.2 + trunk)
    case 25, 26: return (x, 0.2 + trunk + 0.1225)
    default: return (x + 0.002 * Double(landmark - 27), 0.2 + trunk + 0.1225 + 0.123)
    }
  }

  /// In metres about the hips.
  static func world(_ landmark: Int, _ frame: Int) -> (x: Double, y: Double) {
    let place = place(landmark, frame)
    return ((place.x - 0.225) * 3.5, (place.y - 0.344) * 3.5)
  }
}

/// A way to write landmarks, and what becomes of it.
private struct Layout {
  enum Outcome: Equatable, CustomStringConvertible {
    case asIs([String])
    case with(String)
    case refused
    case wrong

    var description: String {
      switch self {
      case .asIs(let notes): "as is" + (notes.isEmpty ? "" : ", noted: " + notes.joined(separator: ", "))
      case .with(let option): "with `\(option)`, which the error names"
      case .refused: "refused, with what is expected"
      case .wrong: "WRONG"
      }
    }
  }

  var kind: String
  var name: String
  var files: [(String, Data)]
  var fps = 30.0
  var isWorld = false
  /// Whether nothing says the image's height.
  var isScaled = false
  /// Whether the person stands with all limbs upright.
  var isStill = false
  var hasVisibility = true
  var expected = Outcome.asIs(["aspect assumed", "rate assumed"])
  var size: ImageSize? { ImageSize(width: 1080, height: 1920) }
}

extension Layout {
  enum Numbers { case shares, pixels, metres }

  private static let names = Skeleton.blazePose33.keypoints

  /// x, y, z and visibility.
  private static func values(_ landmark: Int, _ frame: Int, _ numbers: Numbers = .shares) -> [Double] {
    let place = Truth.place(landmark, frame)
    switch numbers {
    case .shares: return [place.x * Truth.height / Truth.width, place.y, -0.01 * Double(landmark), 0.9]
    case .pixels: return [place.x * Truth.height, place.y * Truth.height, -5, 0.9]
    case .metres:
      let world = Truth.world(landmark, frame)
      return [world.x, world.y, 0.01, 0.9]
    }
  }

  private static func text(_ landmark: Int, _ frame: Int, _ numbers: Numbers = .shares) -> [String] {
    values(landmark, frame, numbers).map { String(format: "%.7f", $0) }
  }

  private static func each(_ separator: String = ",", _ body: (Int) -> String) -> String {
    (0..<33).map(body).joined(separator: separator)
  }

  private static func camel(_ landmark: Int) -> String {
    let words = names[landmark].split(separator: "_")
    return words.dropFirst().reduce(String(words[0])) { $0 + $1.capitalized }
  }

  private static func object(_ landmark: Int, _ frame: Int, _ numbers: Numbers = .shares) -> String {
    let v = text(landmark, frame, numbers)
    return "{\"x\":\(v[0]),\"y\":\(v[1]),\"z\":\(v[2]),\"visibility\":\(v[3])}"
  }

  private static func list(_ frame: Int, _ numbers: Numbers = .shares) -> String {
    "[" + each { object($0, frame, numbers) } + "]"
  }

  private static func frames(_ separator: String = ",", _ body: (Int) -> String) -> String {
    (0..<Truth.frames).map(body).joined(separator: separator)
  }

  private static func json(_ name: String, _ text: String, _ change: (inout Layout) -> Void = { _ in }) -> Layout {
    make("JSON", name, "anna.json", text, change)
  }

  private static func csv(_ name: String, _ text: String, _ change: (inout Layout) -> Void = { _ in }) -> Layout {
    make("CSV", name, "anna.csv", text, change)
  }

  private static func make(
    _ kind: String, _ name: String, _ file: String, _ text: String, _ change: (inout Layout) -> Void
  ) -> Layout {
    var layout = Layout(kind: kind, name: name, files: [(file, Data(text.utf8))])
    change(&layout)
    return layout
  }

  static let all = messages + objects + told + lines + numbers + tables + landmarkRows + arrays

  /// Objects as MediaPipe's own messages become JSON.
  private static let messages = [
    json("`MessageToDict`: `[{\"landmark\": […]}, …]`", "[" + frames { "{\"landmark\":\(list($0))}" } + "]"),
    json(
      "`pose_landmarks.landmark` and a frame number",
      "[" + frames { "{\"frame\":\($0),\"pose_landmarks\":{\"landmark\":\(list($0))}}" } + "]"),
    json(
      "Tasks, Python: `pose_landmarks` of lists, world landmarks beside",
      "[" + frames { "{\"pose_landmarks\":[\(list($0))],\"pose_world_landmarks\":[\(list($0, .metres))]}" } + "]"),
    json(
      "Tasks, JavaScript: `landmarks`, `worldLandmarks`",
      "[" + frames { "{\"landmarks\":[\(list($0))],\"worldLandmarks\":[\(list($0, .metres))]}" } + "]"),
    json(
      "Solutions, JavaScript: `poseLandmarks`",
      "[" + frames { "{\"poseLandmarks\":\(list($0)),\"poseWorldLandmarks\":\(list($0, .metres))}" } + "]"),
    json(
      "Gson: `visibility: {\"value\": …}`",
      "["
        + frames { frame in
          "{\"landmarks\":[["
            + each { landmark in
              let v = text(landmark, frame)
              return
                "{\"x\":\(v[0]),\"y\":\(v[1]),\"z\":\(v[2]),\"visibility\":{\"value\":\(v[3])},\"presence\":{\"value\":1}}"
            } + "]]}"
        } + "]"),
    json(
      "ML Kit, Android: `type`, `position3D`, `inFrameLikelihood`; pixels, size beside",
      "{\"imageWidth\":1080,\"imageHeight\":1920,\"poses\":["
        + frames { frame in
          "{\"landmarks\":["
            + each { landmark in
              let v = text(landmark, frame, .pixels)
              return
                "{\"type\":\(landmark),\"position3D\":{\"x\":\(v[0]),\"y\":\(v[1]),\"z\":\(v[2])},\"inFrameLikelihood\":\(v[3])}"
            } + "]}"
        } + "]}"
    ) { $0.expected = .asIs(["rate assumed", "pixels"]) },
    json(
      "ML Kit, Flutter: by type, pixels, size beside",
      "{\"width\":1080,\"height\":1920,\"frames\":["
        + frames { frame in
          "{\"landmarks\":{"
            + each { landmark in
              let v = text(landmark, frame, .pixels)
              return "\"\(camel(landmark))\":{\"x\":\(v[0]),\"y\":\(v[1]),\"z\":\(v[2]),\"likelihood\":\(v[3])}"
            } + "}}"
        } + "]}"
    ) { $0.expected = .asIs(["rate assumed", "pixels"]) },
  ]

  private static let objects = [
    json("a list of `landmarks` in `frames`", "{\"frames\":[" + frames { "{\"landmarks\":\(list($0))}" } + "]}"),
    json("a list of lists of objects", "[" + frames { list($0) } + "]"),
    json(
      "by name, objects", "[" + frames { frame in "{" + each { "\"\(names[$0])\":\(object($0, frame))" } + "}" } + "]"),
    json(
      "by `PoseLandmark.NAME`, lists",
      "["
        + frames { frame in
          "{\"landmarks\":{"
            + each { "\"PoseLandmark.\(names[$0].uppercased())\":[\(text($0, frame).joined(separator: ","))]" } + "}}"
        } + "]"),
    json("by frame number", "{" + frames { "\"\($0)\":\(list($0))" } + "}"),
    json("by `frame_0001`", "{" + frames { "\"frame_\(String(format: "%04d", $0))\":\(list($0))" } + "}"),
    json(
      "objects with `name` and `id`",
      "["
        + frames { frame in
          "{\"keypoints\":["
            + each { landmark in
              "{\"id\":\(landmark),\"name\":\"\(names[landmark])\"," + object(landmark, frame).dropFirst()
            } + "]}"
        } + "]"),
    json(
      "nested lists, 33 x 4",
      "[" + frames { frame in "[" + each { "[\(text($0, frame).joined(separator: ","))]" } + "]" } + "]"),
    json(
      "nested lists, 33 x 3",
      "[" + frames { frame in "[" + each { "[\(text($0, frame).prefix(3).joined(separator: ","))]" } + "]" } + "]"
    ) { $0.hasVisibility = false },
    json(
      "flat lists of 132", "[" + frames { frame in "[" + each { text($0, frame).joined(separator: ",") } + "]" } + "]"),
    json(
      "lists of objects in `poses`", "{\"poses\":[" + frames { list($0) } + "]}"),
    json(
      "a list for all x, one for all y …",
      "["
        + frames { frame in
          "{"
            + zip(["x", "y", "z", "visibility"], 0...).map { name, axis in
              "\"\(name)\":[\(each { text($0, frame)[axis] })]"
            }.joined(separator: ",") + "}"
        } + "]"
    ) { _ in },
    Layout(
      kind: "JSON", name: "a file a frame",
      files: (0..<Truth.frames).map { ("anna/frame_\(String(format: "%05d", $0)).json", Data(list($0).utf8)) }),
  ]

  /// Files that say rate, times or size.
  private static let told: [Layout] = [
    json(
      "`fps`, `width` and `height` inside",
      "{\"fps\":25,\"width\":1080,\"height\":1920,\"frames\":[" + frames { "{\"landmarks\":\(list($0))}" } + "]}"
    ) { ($0.fps, $0.expected) = (25, .asIs([])) },
    json(
      "`metadata` with `fps` and `resolution`",
      "{\"metadata\":{\"fps\":25,\"resolution\":[1080,1920]},\"data\":["
        + frames { "{\"frame_id\":\($0),\"pose\":\(list($0))}" } + "]}"
    ) { ($0.fps, $0.expected) = (25, .asIs([])) },
    json(
      "`timestamp` in seconds", "[" + frames { "{\"timestamp\":\(Double($0) / 25),\"landmarks\":\(list($0))}" } + "]"
    ) { ($0.fps, $0.expected) = (25, .asIs(["aspect assumed"])) },
    json("`timestamp` in ms", "[" + frames { "{\"timestamp\":\($0 * 40),\"landmarks\":\(list($0))}" } + "]") {
      ($0.fps, $0.expected) = (25, .asIs(["aspect assumed"]))
    },
    json("`timestamp` in µs", "[" + frames { "{\"timestamp\":\($0 * 40_000),\"landmarks\":\(list($0))}" } + "]") {
      ($0.fps, $0.expected) = (25, .asIs(["aspect assumed"]))
    },
    json("`timestamp` in ns", "[" + frames { "{\"timestamp\":\($0 * 40_000_000),\"landmarks\":\(list($0))}" } + "]") {
      ($0.fps, $0.expected) = (25, .asIs(["aspect assumed"]))
    },
    json("`timestamp_ms`", "[" + frames { "{\"timestamp_ms\":\($0 * 40),\"landmarks\":\(list($0))}" } + "]") {
      ($0.fps, $0.expected) = (25, .asIs(["aspect assumed"]))
    },
  ]

  private static let lines: [Layout] = [
    make("JSON Lines", "`landmarks` a line", "anna.jsonl", frames("\n") { "{\"landmarks\":\(list($0))}" }) { _ in },
    make(
      "JSON Lines", "`timestamp_ms` and `landmarks` a line", "anna.jsonl",
      frames("\n") { "{\"timestamp_ms\":\($0 * 40),\"landmarks\":\(list($0))}" }
    ) { ($0.fps, $0.expected) = (25, .asIs(["aspect assumed"])) },
    make("JSON Lines", "lines in a file `.json`", "anna.json", frames("\n") { "{\"landmarks\":\(list($0))}" }) { _ in },
  ]

  /// What is not the image's share.
  private static let numbers: [Layout] = [
    json(
      "world landmarks alone", "[" + frames { "{\"poseWorldLandmarks\":\(list($0, .metres))}" } + "]"
    ) { ($0.isWorld, $0.expected) = (true, .asIs(["rate assumed", "metres"])) },
    json(
      "pixels, size inside",
      "{\"width\":1080,\"height\":1920,\"frames\":[" + frames { "{\"landmarks\":\(list($0, .pixels))}" } + "]}"
    ) { $0.expected = .asIs(["rate assumed", "pixels"]) },
    json("pixels, no size", "[" + frames { "{\"landmarks\":\(list($0, .pixels))}" } + "]") {
      ($0.isScaled, $0.expected) = (true, .asIs(["rate assumed", "pixels", "lengths in trunks"]))
    },
    json("shares, all limbs upright", "[" + frames { _ in "{\"landmarks\":\(list(0))}" } + "]") {
      ($0.isStill, $0.expected) = (true, .with("--size"))
    },
  ]

  private static func row(_ frame: Int, _ separator: String = ",", channels: Int = 4, _ numbers: Numbers = .shares)
    -> String
  {
    each(separator) { text($0, frame, numbers).prefix(channels).joined(separator: separator) }
  }

  private static func header(_ separator: String = ",", _ name: (Int, String) -> String) -> String {
    each(separator) { landmark in
      ["x", "y", "z", "visibility"].map { name(landmark, $0) }.joined(separator: separator)
    }
  }

  private static let tables: [Layout] = [
    csv("132 columns, no header", frames("\n") { row($0) }),
    csv("99 columns, no header", frames("\n") { row($0, channels: 3) }) { $0.hasVisibility = false },
    csv("a frame number and 132 columns, no header", frames("\n") { "\($0)," + row($0) }),
    csv("a time and 132 columns, no header", frames("\n") { "\(Double($0) / 25)," + row($0) }) {
      ($0.fps, $0.expected) = (25, .asIs(["aspect assumed"]))
    },
    csv("`nose_x, nose_y, …`", "frame," + header { "\(names[$0])_\($1)" } + "\n" + frames("\n") { "\($0)," + row($0) }),
    csv("`NOSE_x, …`", header { "\(names[$0].uppercased())_\($1)" } + "\n" + frames("\n") { row($0) }),
    csv("`leftKnee_x, …`", header { "\(camel($0))_\($1)" } + "\n" + frames("\n") { row($0) }),
    csv("`leftKneeX, …`", header { "\(camel($0))\($1.prefix(1).uppercased())" } + "\n" + frames("\n") { row($0) }),
    csv("`x_left_knee, …`", header { "\($1)_\(names[$0])" } + "\n" + frames("\n") { row($0) }),
    csv(
      "`class, x1, y1, z1, v1, …`",
      "class," + header { "\($1.prefix(1))\($0 + 1)" } + "\n" + frames("\n") { "up," + row($0) }),
    csv("`x_0, y_0, …`", header { "\($1.prefix(1))_\($0)" } + "\n" + frames("\n") { row($0) }),
    csv("`landmark_0_x, …`", header { "landmark_\($0)_\($1)" } + "\n" + frames("\n") { row($0) }),
    csv("`0_x, …`", header { "\($0)_\($1)" } + "\n" + frames("\n") { row($0) }),
    csv(
      "an index column of pandas", "," + header { "\(names[$0])_\($1)" } + "\n" + frames("\n") { "\($0)," + row($0) }),
    csv(
      "columns `0` to `131` of pandas",
      (0..<132).map(String.init).joined(separator: ",") + "\n" + frames("\n") { row($0) }),
    csv(
      "an index and columns `0` to `131` of pandas",
      "," + (0..<132).map(String.init).joined(separator: ",") + "\n" + frames("\n") { "\($0)," + row($0) }),
    csv(
      "all x, then all y, z and visibility",
      ["x", "y", "z", "visibility"].map { axis in each { "\(axis)\($0)" } }.joined(separator: ",") + "\n"
        + frames("\n") { frame in (0..<4).map { axis in each { text($0, frame)[axis] } }.joined(separator: ",") }),
    csv(
      "`timestamp_ms` first",
      "timestamp_ms," + header { "\(names[$0])_\($1)" } + "\n" + frames("\n") { "\($0 * 40)," + row($0) }
    ) { ($0.fps, $0.expected) = (25, .asIs(["aspect assumed"])) },
    csv(
      "`;` and decimal commas",
      header(";") { "\(names[$0])_\($1)" } + "\n" + frames("\n") { row($0, ";").replacing(".", with: ",") }),
    make(
      "TSV", "tabs", "anna.tsv", header("\t") { "\(names[$0])_\($1)" } + "\n" + frames("\n") { row($0, "\t") }
    ) { _ in },
    csv(
      "tuples as text",
      "frame," + each { names[$0] } + "\n"
        + frames("\n") { frame in "\(frame)," + each { "\"(\(text($0, frame).joined(separator: ", ")))\"" } }),
    csv(
      "landmarks as Python prints them, over four lines of a cell",
      "," + each { names[$0] } + "\n"
        + frames("\n") { frame in
          "\(frame),"
            + each { point in
              let lines = zip(["x", "y", "z", "visibility"], text(point, frame)).map { "\($0): \($1)\n" }
              return "\"\(lines.joined())\""
            }
        }),
    make(
      "text", "`landmark { x: … }`, as Python prints them", "anna.txt",
      frames("\n") { frame in
        each("\n") { point in
          let lines = zip(["x", "y", "z", "visibility"], text(point, frame)).map { "  \($0): \($1)\n" }
          return "landmark {\n\(lines.joined())}"
        }
      }
    ) { _ in },
    make(
      "text", "`PoseLandmarkerResult(pose_landmarks=…, pose_world_landmarks=…)`, as Python prints it", "anna.txt",
      frames("\n") { frame in
        let lists = [Numbers.shares, .metres].map { numbers in
          each(", ") { point in
            let fields = zip(["x", "y", "z", "visibility"], text(point, frame, numbers)).map { "\($0)=\($1)" }
            return "Landmark(\(fields.joined(separator: ", ")))"
          }
        }
        return "PoseLandmarkerResult(pose_landmarks=[[\(lists[0])]], pose_world_landmarks=[[\(lists[1])]], masks=None)"
      }
    ) { _ in },
    csv(
      "pixels, no size", header { "\(names[$0])_\($1)" } + "\n" + frames("\n") { row($0, .pixels) }
    ) { ($0.isScaled, $0.expected) = (true, .asIs(["rate assumed", "pixels", "lengths in trunks"])) },
  ]

  private static func row(_ frame: Int, _ numbers: Numbers) -> String { row(frame, ",", channels: 4, numbers) }

  private static func rows(_ header: String, _ lead: (Int, Int) -> String) -> String {
    header + "\n"
      + frames("\n") { frame in
        each("\n") { lead(frame, $0) + text($0, frame).joined(separator: ",") }
      }
  }

  private static let landmarkRows: [Layout] = [
    csv("a line a landmark, by number", rows("frame,landmark_id,x,y,z,visibility") { "\($0),\($1)," }),
    csv("a line a landmark, by name", rows("frame,landmark,x,y,z,visibility") { "\($0),\(names[$1])," }),
    csv(
      "a line a landmark, `PoseLandmark.NOSE`, by time",
      rows("timestamp,landmark,x,y,z,visibility") { "\(Double($0) / 25),PoseLandmark.\(names[$1].uppercased())," }
    ) { ($0.fps, $0.expected) = (25, .asIs(["aspect assumed"])) },
    csv(
      "a line a landmark, neither frame nor landmark said",
      "x,y,z,visibility\n" + frames("\n") { frame in each("\n") { text($0, frame).joined(separator: ",") } }
    ) { $0.expected = .refused },
  ]

  private static func numpy(_ shape: [Int], _ channels: Int, _ numbers: Numbers = .shares) -> Data {
    var flat: [Float] = []
    for frame in 0..<Truth.frames {
      for landmark in 0..<33 { flat += values(landmark, frame, numbers).prefix(channels).map { Float($0) } }
    }
    return NumpyArray(shape: [Truth.frames] + shape, values: flat).encoded
  }

  private static func numpy(
    _ name: String, _ file: String, _ content: Data, _ change: (inout Layout) -> Void = { _ in }
  ) -> Layout {
    var layout = Layout(kind: "NumPy", name: name, files: [(file, content)])
    change(&layout)
    return layout
  }

  private static let arrays: [Layout] = [
    numpy("`.npy`, frames x 33 x 4", "anna.npy", numpy([33, 4], 4)),
    numpy("`.npy`, frames x 33 x 3", "anna.npy", numpy([33, 3], 3)) { $0.hasVisibility = false },
    numpy("`.npy`, frames x 33 x 2", "anna.npy", numpy([33, 2], 2)) { $0.hasVisibility = false },
    numpy("`.npy`, frames x 132", "anna.npy", numpy([132], 4)),
    numpy("`.npy`, frames x 99", "anna.npy", numpy([99], 3)) { $0.hasVisibility = false },
    numpy("`.npy`, world landmarks", "anna.npy", numpy([33, 4], 4, .metres)) {
      ($0.isWorld, $0.expected) = (true, .asIs(["rate assumed", "metres"]))
    },
    numpy("`.npy`, pixels", "anna.npy", numpy([33, 3], 3, .pixels)) {
      ($0.hasVisibility, $0.isScaled) = (false, true)
      $0.expected = .asIs(["rate assumed", "pixels", "lengths in trunks"])
    },
    numpy("`.npz`, `arr_0`", "anna.npz", npz(["arr_0.npy": numpy([33, 4], 4)])),
    numpy(
      "`.npz` with `fps`, `width` and `height`", "anna.npz",
      npz([
        "landmarks.npy": numpy([33, 4], 4), "fps.npy": number(25), "width.npy": number(1080),
        "height.npy": number(1920),
      ])
    ) { ($0.fps, $0.expected) = (25, .asIs([])) },
    numpy(
      "`.npz` with an array a landmark", "anna.npz",
      npz(Dictionary(uniqueKeysWithValues: names.indices.map { ("\(names[$0]).npy", joint($0)) }))),
    numpy(
      "`.npz` with a list of names in another order", "anna.npz",
      npz(["landmarks.npy": backwards(), "names.npy": texts(names.reversed())])),
    numpy(
      "`.npz` of `x`, `y`, `z` and `visibility`, each frames x 33", "anna.npz",
      npz(["x.npy": axis(0), "y.npy": axis(1), "z.npy": axis(2), "visibility.npy": axis(3)])),
  ]

  /// One number of all landmarks in each frame.
  private static func axis(_ place: Int) -> Data {
    let flat = (0..<Truth.frames).flatMap { frame in (0..<33).map { Float(values($0, frame)[place]) } }
    return NumpyArray(shape: [Truth.frames, 33], values: flat).encoded
  }

  /// A landmark in each frame.
  private static func joint(_ landmark: Int) -> Data {
    let flat = (0..<Truth.frames).flatMap { frame in values(landmark, frame).map { Float($0) } }
    return NumpyArray(shape: [Truth.frames, 4], values: flat).encoded
  }

  /// The landmarks from the last to the first.
  private static func backwards() -> Data {
    var flat: [Float] = []
    for frame in 0..<Truth.frames {
      for landmark in (0..<33).reversed() { flat += values(landmark, frame).map { Float($0) } }
    }
    return NumpyArray(shape: [Truth.frames, 33, 4], values: flat).encoded
  }

  /// An array of texts of 20 letters.
  private static func texts(_ names: [String]) -> Data {
    let header = "{'descr': '<U20', 'fortran_order': False, 'shape': (\(names.count),), }\n"
    var bytes: [UInt8] = [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count), 0] + Array(header.utf8)
    for name in names {
      for letter in Array(name.utf8) + [UInt8](repeating: 0, count: 20 - name.utf8.count) {
        bytes += [letter, 0, 0, 0]
      }
    }
    return Data(bytes)
  }

  private static func number(_ value: Float) -> Data { NumpyArray(shape: [], values: [value]).encoded }

  /// A ZIP archive of files that are stored, as `numpy.savez` writes it.
  private static func npz(_ files: [String: Data]) -> Data {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func checksum(_ data: Data) -> Int {
      var sum: UInt32 = .max
      for byte in data {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
      }
      return Int(~sum)
    }
    var (body, directory) = (Data(), Data())
    for (name, data) in files.sorted(by: { $0.key < $1.key }) {
      let sizes = bytes(checksum(data), 4) + bytes(data.count, 4) + bytes(data.count, 4) + bytes(name.utf8.count, 2)
      directory += [0x50, 0x4B, 1, 2] + bytes(20, 2) + bytes(20, 2) + bytes(0, 8) + sizes + bytes(0, 12)
      directory += bytes(body.count, 4) + Array(name.utf8)
      body += [0x50, 0x4B, 3, 4] + bytes(20, 2) + bytes(0, 8) + sizes + bytes(0, 2) + Array(name.utf8)
      body += data
    }
    let end =
      bytes(0, 4) + bytes(files.count, 2) + bytes(files.count, 2) + bytes(directory.count, 4) + bytes(body.count, 4)
    return body + directory + [0x50, 0x4B, 5, 6] + end + bytes(0, 2)
  }
}
