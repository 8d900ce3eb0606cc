import Datasets
import Foundation

/// Acclaim motion capture, `.amc` beside its skeleton, `.asf`: one motion file a clip, joints by forward kinematics.
///
/// A motion's skeleton is the ASF file of its own name (`walk.amc`, `walk.asf`), or of what stands before its last `_`
/// (`02_01.amc`, `02.asf`), or the only one of the folder; that name is the subject's. A bone's name stands for its far end,
/// `root` for the root. Lengths are divided by the skeleton's unit and taken for inches, as in the database of Carnegie
/// Mellon University, or for what the length of the legs says; motions for 120 frames a second, as there, unless `--fps`
/// says otherwise. y points up unless `--up` says otherwise.
///
/// - Source: Schafer, Acclaim Skeleton File Definition V1.10, 1995; "Acclaim Format - ASF line Details", and "How do I
///   convert the lengths used in the asf/amc files into meters?", CMU Graphics Lab.
public struct AcclaimMotion: CaptureImporter {
  public static let format = "amc"
  public static let summary = "Acclaim motions, *.amc beside their *.asf, by forward kinematics"

  static let capture = MotionCapture.Format(
    name: format, ending: "amc", source: "ASF/AMC files",
    open: { file, directory, options in
      let skeleton = try ASFFile(InputFile(AcclaimMotion.skeleton(of: file, in: directory), in: directory))
      return try AMCFile(InputFile(file, in: directory), skeleton: skeleton, rate: options.fps ?? usualRate)
    }, companions: { file, directory in (try? AcclaimMotion.skeleton(of: file, in: directory)).map { [$0] } ?? [] })

  public static let options: Set<ImportOption> = [.exercise, .subject, .mapping, .up, .unit, .fps]

  private static let usualRate = 120.0

  let recordings: MotionCapture

  init(_ recordings: MotionCapture) { self.recordings = recordings }

  /// The skeleton of a motion, both as paths within a folder.
  private static func skeleton(of file: String, in directory: String) throws -> String {
    let within = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    let name = String(file.dropFirst(within.count).dropLast(".amc".count))
    let present = try SourceFolder("\(directory)/\(within)")?.names(endingIn: "asf") ?? []
    let stem = name.lastIndex(of: "_").map { String(name[..<$0]) }
    for wanted in [name, stem].compactMap({ $0 }) {
      if let file = present.first(where: { $0.lowercased() == "\(wanted).asf".lowercased() }) {
        return within + file
      }
    }
    guard present.count == 1 else {
      let wanted = ["\(name).asf"] + (stem.map { ["\($0).asf"] } ?? []) + ["a single .asf file"]
      throw DataError(
        file: "\(directory)/\(file)", expected: "\(wanted.joined(separator: ", or ")) beside it",
        found: present.isEmpty ? "none" : present.joined(separator: ", "))
    }
    return within + present[0]
  }
}
