import Foundation
import FuzzTargets

/// The target that `FUZZ_TARGET` names.
private let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    print("FUZZ_TARGET: expected one of \(FuzzTarget.all.map(\.name).joined(separator: ", ")), found \"\(name)\"")
    exit(64)
  }
  return target
}()

/// The entry point of libFuzzer for each input. It ends the process if a reader breaks its rules.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = bytes.map { Data(bytes: $0, count: count) } ?? Data()
  if let problem = target.problem(with: input) { fatalError(problem) }
  return 0
}
