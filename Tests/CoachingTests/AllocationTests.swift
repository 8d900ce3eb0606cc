import CAllocationCounter
import Coaching
import Foundation
import PoseModel
import Testing

/// A detector that runs in a camera's callback must not allocate on every frame.
@Suite struct AllocationTests {
  @Test(arguments: DetectorTests.all.indices)
  func noFrameAllocatesThatSaysNothing(_ index: Int) throws {
    let type = DetectorTests.all[index]
    let example = DetectorTests.example(of: type)
    func run(_ type: (some Detector).Type) throws {
      expectNoAllocation(of: try type.init(replacing: example.values), on: example.frames)
    }
    try run(type)
  }

  /// Every statistic and a speed; hands that raise and hold.
  @Test func noFrameOfAnExerciseAllocatesThatSaysNothing() throws {
    let faults = ExerciseStatistic.allCases.enumerated().map { index, statistic in
      ExerciseFixture.fault("fault\(index)", .low, costs: 1, signal: index % 2, statistic, .above, 0.9)
    }
    let condition = ExerciseCondition(
      signal: 0, statistic: .mean, phase: nil, bound: .above,
      threshold: ExerciseFixture.parameter("held", 0, .trunkLengths))
    let hold = HoldRule(
      conditions: [condition], label: "correct", rest: "rest",
      minimumDuration: ExerciseFixture.parameter("minimumDuration", 0.3))
    let frames = (0..<600).map { ExerciseFixture.frame(hand: sin(Double($0) / 15), at: Double($0) / 30) }
    for exercise in [
      try ExerciseFixture.raise(faults: faults, finish: 0.2), try ExerciseFixture.raise(faults: faults, adapts: true),
      try ExerciseFixture.exercise(.hold(hold), faults: faults),
    ] {
      let definition = exercise.definition
      expectNoAllocation(of: try definition.detector(ParameterValues(definition.parameters)), on: frames)
    }
  }

  @Test func allocationsAreCounted() {
    guard allocations_are_counted() != 0 else { return }
    let before = allocation_count()
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
    #expect(allocation_count() > before)
    memory.deallocate()
  }
}
