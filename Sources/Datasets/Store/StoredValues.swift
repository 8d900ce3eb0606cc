import Foundation
import GRDB

/// A type that a column of the store has.
protocol StoredValue {
  /// For errors.
  static var kind: String { get }
  /// `nil` for a value of another type.
  init?(_ stored: DatabaseValue.Storage)
}

/// A column has a value of another type than the store writes.
struct WrongValue: Error {
  let column: String
  let expected: String
  let found: String

  init(_ column: String, expected: String, found: DatabaseValue.Storage) {
    self.column = column
    self.expected = expected
    self.found =
      switch found {
      case .null: "nothing"
      case .int64, .double: "a number"
      case .string: "a text"
      case .blob(let bytes): "\(bytes.count) bytes"
      }
  }
}

/// Reads columns. SQLite keeps a value of any type in any column, a store may come from anybody, and GRDB's subscripts end
/// the program on a value of another type.
extension Row {
  /// - Throws: `WrongValue` for another type or none, and GRDB's error if there is no such column.
  func value<Value: StoredValue>(_ column: String) throws -> Value {
    try Self.value(decode(DatabaseValue.self, forColumn: column), column)
  }

  /// - Parameter index: From 0.
  func value<Value: StoredValue>(at index: Int) throws -> Value {
    try Self.value(decode(DatabaseValue.self, atIndex: index), Array(columnNames)[index])
  }

  /// `nil` for NULL.
  func valueIfPresent<Value: StoredValue>(_ column: String) throws -> Value? {
    let stored = try decode(DatabaseValue.self, forColumn: column)
    return try stored.isNull ? nil : Self.value(stored, column)
  }

  /// `nil` for NULL.
  func valueIfPresent<Value: StoredValue>(at index: Int) throws -> Value? {
    let stored = try decode(DatabaseValue.self, atIndex: index)
    return try stored.isNull ? nil : Self.value(stored, Array(columnNames)[index])
  }

  private static func value<Value: StoredValue>(
    _ stored: DatabaseValue, _ column: @autoclosure () -> String
  ) throws -> Value {
    guard let value = Value(stored.storage) else {
      throw WrongValue(column(), expected: Value.kind, found: stored.storage)
    }
    return value
  }
}

extension String: StoredValue {
  static var kind: String { "a text" }
  init?(_ stored: DatabaseValue.Storage) {
    guard case .string(let text) = stored else { return nil }
    self = text
  }
}

extension Data: StoredValue {
  static var kind: String { "bytes" }
  init?(_ stored: DatabaseValue.Storage) {
    guard case .blob(let bytes) = stored else { return nil }
    self = bytes
  }
}

extension Int64: StoredValue {
  static var kind: String { "a whole number" }
  init?(_ stored: DatabaseValue.Storage) {
    guard case .int64(let number) = stored else { return nil }
    self = number
  }
}

extension Int: StoredValue {
  static var kind: String { Int64.kind }
  init?(_ stored: DatabaseValue.Storage) {
    guard let number = Int64(stored) else { return nil }
    self.init(exactly: number)
  }
}

extension Bool: StoredValue {
  static var kind: String { "0 or 1" }
  init?(_ stored: DatabaseValue.Storage) {
    guard let number = Int64(stored), (0...1).contains(number) else { return nil }
    self = number == 1
  }
}

extension Double: StoredValue {
  static var kind: String { "a number" }
  init?(_ stored: DatabaseValue.Storage) {
    switch stored {
    case .double(let number): self = number
    case .int64(let number): self.init(number)
    default: return nil
    }
  }
}

extension StoreError {
  /// An error of SQLite, or of a value in the store, in words; other errors as they are.
  static func meaning(of error: any Error, path: String) -> any Error {
    switch error {
    case let error as DatabaseError: StoreError(error, path: path)
    case let error as WrongValue:
      StoreError.damaged(
        path: path, detail: "expected \(error.expected) in column \(error.column), found \(error.found)")
    case is RowDecodingError: StoreError.damaged(path: path, detail: "a column is missing or has an unexpected value")
    default: error
    }
  }
}
