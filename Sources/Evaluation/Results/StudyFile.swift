import Datasets
import Files
import Foundation
import Pipeline
import Statistics

/// A results file of a sweep, tuning, comparison, leaderboard or self-test.
struct StudyFile: Sendable {
  /// The largest number in a file, apart from seeds: counts up to it can be added without an overflow.
  static let largestNumber = 1e15

  private let path: String

  init(_ path: String) { self.path = path }

  /// - Parameters:
  ///   - what: `the results of a sweep`
  ///   - format: The version of its layout.
  /// - Throws: `DataError` with the key if it cannot be read or has values that no study writes,
  ///   `EvaluationError.missing` for another format.
  func read<Value: StudyContent>(_ what: String, format: Int) throws -> Value {
    let file = try InputFile(path)
    try file.requireSize(atMost: InputFile.largestResults)
    func decoded(_ bytes: Data) throws -> Formatted<Value> {
      try JSONDecoder().decode(Formatted<Value>.self, from: bytes)
    }
    do {
      let content = try decoded(file.bytes)
      guard content.format == format else {
        throw EvaluationError.missing(
          what: path, expected: "format \(format)", found: "format \(content.format), of another version of bench")
      }
      let value = try content.value.get()
      try JSONReader.forEachNumber(in: file) { keys, number, _ in
        let isSeed = keys.last.map { ["seed", ".seed"].contains($0) } ?? false
        try StudyFault.require(
          isSeed || abs(number) <= Self.largestNumber, keys.joined(), "a number up to 1e15", "\(number)")
      }
      try value.check()
      return value
    } catch let error as DecodingError {
      throw DataError(file: path, expected: what, found: error.words(in: file) { _ = try decoded($0) })
    } catch let fault as StudyFault {
      throw DataError(file: path, expected: "\(fault.key) with \(fault.expected)", found: fault.found)
    }
  }
}

/// The content of a results file. Anybody may have changed the file, so it is checked once, when it is read.
protocol StudyContent: Decodable {
  /// - Throws: `StudyFault` for values that no study writes, such as an index of a setting that is not there.
  func check() throws
}

/// A quantity that a study varies. A setting has a value of each, by its name.
public protocol StudyAxis: Sendable {
  var parameter: String { get }
}

extension StudyAxis {
  /// Its value among those of a setting.
  public func value(in values: [String: Double]) -> Double { values[parameter] ?? .nan }
}

/// A value that a results file cannot have.
struct StudyFault: Error {
  /// `settings[2].values`
  var key: String
  var expected: String
  var found: String

  /// - Throws: `StudyFault` unless it holds.
  static func require(
    _ holds: Bool, _ key: @autoclosure () -> String, _ expected: @autoclosure () -> String,
    _ found: @autoclosure () -> String
  ) throws {
    guard holds else { throw StudyFault(key: key(), expected: expected(), found: found()) }
  }

  /// - Throws: `StudyFault` unless there is a value for each axis, by its name, and no other.
  static func require(_ values: [String: Double], ofAxes names: [String], _ key: @autoclosure () -> String) throws {
    let other = Set(values.keys).symmetricDifference(names).min()
    try require(
      other == nil, key(), "a number for each of \(names.joined(separator: ", "))",
      "\(other.map(names.contains) == true ? "none" : "one") for \(other ?? "")")
  }

  /// - Throws: `StudyFault` unless each axis has a name of its own.
  static func require(axes names: [String]) throws {
    let twice = names.first { name in names.count { $0 == name } > 1 }
    try require(twice == nil, "axes", "each parameter once", "\(twice ?? "") twice")
  }

  /// - Throws: `StudyFault` for anything but a share from 0 to 1.
  static func require(share: Double?, _ key: @autoclosure () -> String) throws {
    try require(share.map((0...1).contains) ?? true, key(), "a share from 0 to 1", "\(share ?? .nan)")
  }

  /// - Throws: `StudyFault` for a count below the least one.
  static func require(count: Int?, from least: Int = 0, _ key: @autoclosure () -> String) throws {
    try require(count.map { $0 >= least } ?? true, key(), "a whole number from \(least)", "\(count ?? 0)")
  }
}

/// The version of the layout, which every results file and stored run contains.
package struct FormatNumber: Decodable { package var format: Int }

/// A value with the version of its layout, from one pass over the JSON.
struct Formatted<Value: Decodable>: Decodable {
  let format: Int
  /// Of another format than the expected one, it may be unreadable.
  let value: Result<Value, DecodingError>

  init(from decoder: any Decoder) throws {
    format = try FormatNumber(from: decoder).format
    do { value = .success(try Value(from: decoder)) } catch let error as DecodingError { value = .failure(error) }
  }
}
