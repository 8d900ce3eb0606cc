import Datasets

/// An importer of motion capture, which has `MotionCapture` do all but reading files.
protocol CaptureImporter: Importer {
  static var capture: MotionCapture.Format { get }
  var recordings: MotionCapture { get }

  init(_ recordings: MotionCapture)
}

extension CaptureImporter {
  public static func recognises(_ path: String) -> Bool { MotionCapture.recognises(path, ending: capture.ending) }

  public static var options: Set<ImportOption> { [.exercise, .subject, .mapping, .up, .unit] }

  public static func datasets(from path: String, options: ImportOptions) throws -> [any Importer] {
    [Self(try MotionCapture(path, as: capture, options))]
  }

  public var manifest: Manifest { recordings.manifest }
  public var remarks: [String] { recordings.remarks }
  public var clipCount: Int { recordings.clipCount }
  public func digest() throws -> ContentHash { try recordings.digest() }
  public func clip(_ index: Int) throws -> Clip { try recordings.read(index).clip }
  public func read(_ index: Int) throws -> (clip: Clip, remarks: [String]) { try recordings.read(index) }
}
