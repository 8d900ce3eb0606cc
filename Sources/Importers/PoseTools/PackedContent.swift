import Files
import Foundation
import Synchronization

/// Files that contain keypoints in a container of another kind: packed by gzip, or Parquet and HDF5, which Python reads.
enum PackedContent {
  /// Parquet and HDF5 by their endings, with the module of Python that reads them.
  private static let modules = ["parquet": "pyarrow", "h5": "h5py", "hdf5": "h5py"]

  static let endings =
    ["csv.gz", "tsv.gz", "txt.gz", "json.gz", "jsonl.gz", "ndjson.gz", "npy.gz"] + modules.keys.sorted()

  /// A file as it is, or its content if it is packed, as text that is read (`ForeignText`).
  ///
  /// - Parameter path: The file's path on this machine.
  /// - Throws: `DataError` if it is damaged or too large, or Python or its module is missing.
  static func open(_ file: InputFile, at path: String) throws -> InputFile {
    let ending = PathParts(file.name).ending.lowercased()
    if ending == "gz" { return ForeignText.plain(try Gzip.unpack(file)) }
    guard let module = modules[ending] else { return ForeignText.plain(file) }
    let key = Key(path: path, size: file.bytes.count, changed: changed(path))
    if let known = converted.withLock({ $0.first { $0.key == key }?.file }) { return known }
    let content = try convert(file, at: path, module: module)
    converted.withLock { known in
      known.append((key: key, file: content))
      if known.count > 2 { known.removeFirst() }
    }
    return content
  }

  /// The name of a file without `.gz`.
  static func unpackedName(_ path: String) -> String {
    path.lowercased().hasSuffix(".gz") ? String(path.dropLast(3)) : path
  }

  /// The ending of the content's kind.
  static func ending(_ file: InputFile) -> String {
    let ending = PathParts(unpackedName(file.name)).ending.lowercased()
    guard modules[ending] != nil else { return ending }
    if file.bytes.starts(with: [0x50, 0x4B, 3, 4]) { return "npz" }
    return file.bytes.first == UInt8(ascii: "{") ? "jsonl" : "csv"
  }

  private struct Key: Equatable {
    var path: String
    var size: Int
    var changed: Date?
  }

  /// The last files that Python converted: each is opened several times, to recognise, to look at and to read it.
  private static let converted = Mutex<[(key: Key, file: InputFile)]>([])

  private static func changed(_ path: String) -> Date? {
    try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
  }

  private static func convert(_ file: InputFile, at path: String, module: String) throws -> InputFile {
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = ChildProcess.path
    let outcome = try ChildProcess.run(
      ["/usr/bin/env", "python3", "-c", script, module, path], environment: environment, limit: .seconds(600),
      largest: Gzip.largest)
    switch outcome.code {
    case 0: return InputFile(name: file.name, bytes: outcome.output)
    case 3, 127:
      throw DataError(
        file: file.name, expected: "python3 with \(module), which reads such files",
        found: "none; install it with: pip install \(module), or write the keypoints as CSV or .npz")
    case 4:
      throw DataError(
        file: file.name, expected: "a file that Python's \(module) reads",
        found: Excerpt.of(String(decoding: outcome.output, as: UTF8.self)))
    default:
      throw DataError(
        file: file.name, expected: "at most \(Gzip.largest) bytes as text, read by Python within ten minutes",
        found: outcome.isLate ? "a slower one" : "a larger or damaged one")
    }
  }

  /// Writes a table as CSV, or as JSON Lines if columns have lists, and other arrays as `.npz`.
  ///
  /// SLEAP's analysis files have tracks x 2 x points x frames in `tracks`, and become a table with the points' names.
  ///
  /// - Source: SLEAP, "Analysis HDF5 format", docs.sleap.ai.
  private static let script = #"""
    import sys
    sys.path = [folder for folder in sys.path if folder]
    module, path = sys.argv[1:]
    output = sys.stdout.buffer

    def parquet():
        import json
        import pyarrow, pyarrow.csv, pyarrow.parquet, pyarrow.types as types
        table = pyarrow.parquet.read_table(path)
        for place, field in enumerate(table.schema):
            kind = field.type
            if types.is_dictionary(kind):
                kind = kind.value_type
            elif types.is_float16(kind):
                kind = pyarrow.float32()
            elif types.is_duration(kind):
                table = table.set_column(place, field.name + "_us", table.column(place).cast(
                    pyarrow.duration("us"), safe=False).cast(pyarrow.int64()))
                continue
            if kind != field.type:
                table = table.set_column(place, field.name, table.column(place).cast(kind))
        if any(types.is_nested(field.type) for field in table.schema):
            for batch in table.to_batches():
                for row in batch.to_pylist():
                    output.write(json.dumps(row, default=str).encode() + b"\n")
        else:
            pyarrow.csv.write_csv(table, output)

    def hdf5():
        import csv, io
        import h5py
        import numpy
        with h5py.File(path, "r") as file:
            found = {}
            def look(name, item):
                if isinstance(item, h5py.Dataset) and item.dtype.kind in "fiub":
                    found[name.replace("/", "_")] = item[()]
            file.visititems(look)
            for name, value in file.attrs.items():
                if numpy.isscalar(value) and numpy.asarray(value).dtype.kind in "fiu":
                    found.setdefault(name, numpy.asarray(value))
            # Their names are pickled, and unpickling runs what it reads.
            if not found or any("pandas_type" in item.attrs for item in file.values()):
                raise ValueError("a table of pandas or no arrays of numbers; DeepLabCut writes the same table as CSV, which is read")
            if "tracks" in file and "node_names" in file:
                tracks = file["tracks"][()]
                names = [name.decode() if isinstance(name, bytes) else str(name) for name in file["node_names"][()]]
                scores = file["point_scores"][()] if "point_scores" in file else None
                text = io.TextIOWrapper(output, newline="")
                rows = csv.writer(text)
                rows.writerow(["frame", "track"] + [
                    name + end for name in names for end in ("_x", "_y") + (("_score",) if scores is not None else ())])
                for frame in range(tracks.shape[3]):
                    for track in range(tracks.shape[0]):
                        row = [frame, track]
                        for point in range(len(names)):
                            row += list(tracks[track, :2, point, frame])
                            if scores is not None:
                                row.append(scores[track, point, frame])
                        rows.writerow(row)
                text.flush()
                return
        archive = io.BytesIO()
        numpy.savez(archive, **found)
        output.write(archive.getvalue())

    try:
        if module == "pyarrow":
            parquet()
        else:
            hdf5()
    except ImportError:
        sys.exit(3)
    except Exception as error:
        output.write(str(error).split("\n")[0].encode())
        sys.exit(4)
    """#
}

extension InputFile {
  /// A file of an untrusted folder, unpacked if `PackedContent` knows its ending.
  ///
  /// - Throws: `DataError`, as `init(_:in:)` and `PackedContent`.
  init(unpacking relative: String, in directory: String) throws {
    self = try PackedContent.open(InputFile(relative, in: directory), at: "\(directory)/\(relative)")
  }
}
