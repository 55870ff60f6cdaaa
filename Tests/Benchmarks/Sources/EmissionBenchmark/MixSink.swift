import CBenchmark

/// A contender of the emission benchmark: takes the three events of the mix, each with the number of its step.
protocol MixSink {
  func received(_ step: Int)
  func entered(_ step: Int)
  func redirected(_ step: Int)
}

extension MixSink {
  /// Emits `count` events in turn.
  @inline(__always)
  func emit(_ count: Int) {
    for step in 0..<count / 3 {
      received(step)
      entered(step)
      redirected(step)
    }
  }

  /// Emits `count` events in turn, and prints how long single calls took.
  @inline(__always)
  func emitTimed(_ count: Int) {
    let histogram = bm_histogram_make()!
    func timed(_ call: () -> Void) {
      let before = bm_ticks()
      call()
      bm_histogram_add(histogram, bm_ticks() - before)
    }
    for step in 0..<count / 3 {
      timed { received(step) }
      timed { entered(step) }
      timed { redirected(step) }
    }
    bm_histogram_print(histogram)
  }

  /// Emits events in batches of 96 and prints what one event of the middle batch took: nothing of page faults and rotations,
  /// and little of what else the machine does, so two builds can be compared on a busy one.
  @inline(__always)
  func emitBatches(_ count: Int) {
    let histogram = bm_histogram_make()!
    for batch in 0..<count / 96 {
      let before = bm_ticks()
      for step in batch * 32..<batch * 32 + 32 {
        received(step)
        entered(step)
        redirected(step)
      }
      bm_histogram_add(histogram, bm_ticks() - before)
    }
    print(bm_nanoseconds_per_tick() / 96 * Double(bm_histogram_rank(histogram, 0.5)))
  }

  /// Emits numbered events until somebody kills it, and notes each whose call has returned.
  @inline(__always)
  func emitAcknowledged(_ count: Int, in path: String) {
    let acknowledged = bm_acknowledged(path)
    for step in 0..<count {
      received(step)
      bm_acknowledge(acknowledged, UInt64(step + 1))
    }
  }
}
