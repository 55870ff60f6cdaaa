import CBenchmark

/// A contender of the emission benchmark. Each function emits one of the three events of the mix with its step number.
protocol MixSink {
  func received(_ step: Int)
  func entered(_ step: Int)
  func redirected(_ step: Int)
}

extension MixSink {
  /// Emits `count` events, alternating between the three kinds.
  @inline(__always)
  func emit(_ count: Int) {
    for step in 0..<count / 3 {
      received(step)
      entered(step)
      redirected(step)
    }
  }

  /// Emits `count` events, alternating between the three kinds, and prints percentiles of the call times.
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

  /// Emits events in batches of 96 and prints the time per event of the median batch. This excludes page faults, rotations and
  /// most of the load of other programs, so that two builds can be compared on a busy machine.
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

  /// Emits numbered events until the process is killed, and stores the number of the last event whose call has returned.
  @inline(__always)
  func emitAcknowledged(_ count: Int, in path: String) {
    let acknowledged = bm_acknowledged(path)
    for step in 0..<count {
      received(step)
      bm_acknowledge(acknowledged, UInt64(step + 1))
    }
  }
}
