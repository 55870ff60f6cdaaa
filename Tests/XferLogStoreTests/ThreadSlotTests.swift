import CXferPlatform
import Synchronization
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The pointers whose threads have ended, in order. A C callback cannot capture a test's own variables.
private let ended = Mutex<[Int]>([])

@Suite(.serialized)
struct ThreadSlotTests {
  /// Owner numbers that no log in this process reaches.
  private static let owners = (1...3).map { UInt64(1) << 40 + $0 }

  private func runThread(_ body: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?) -> [Int] {
    ended.withLock { $0 = [] }
    #if canImport(Darwin)
      var thread: pthread_t?
      guard pthread_create(&thread, nil, { body($0) }, nil) == 0, let thread else { return [] }
    #else
      var thread = pthread_t()
      guard pthread_create(&thread, nil, body, nil) == 0 else { return [] }
    #endif
    pthread_join(thread, nil)
    return ended.withLock { $0 }
  }

  @Test func `A thread that ends calls back once for each of its slots`() {
    let calls = runThread { _ in
      for (place, owner) in ThreadSlotTests.owners.enumerated() {
        xp_slot_set(owner, UnsafeMutableRawPointer(bitPattern: place + 1)) { pointer in
          ended.withLock { $0.append(Int(bitPattern: pointer)) }
        }
      }
      return nil
    }
    #expect(calls == [1, 2, 3])
  }

  @Test func `A slot that is cleared or replaced before its thread ends is ended only once`() {
    let calls = runThread { _ in
      let (first, second) = (ThreadSlotTests.owners[0], ThreadSlotTests.owners[1])
      func set(_ owner: UInt64, _ value: Int) {
        xp_slot_set(owner, UnsafeMutableRawPointer(bitPattern: value)) { pointer in
          ended.withLock { $0.append(Int(bitPattern: pointer)) }
        }
      }
      set(first, 1)
      set(second, 2)
      set(first, 3)
      xp_slot_set(second, nil, nil)
      ended.withLock { $0.append(xp_slot_get(second) == nil ? 100 : 101) }
      return nil
    }
    #expect(calls == [1, 2, 100, 3])
  }

  @Test func `A slot that is set while its thread ends is ended, too`() {
    let calls = runThread { _ in
      xp_slot_set(ThreadSlotTests.owners[0], UnsafeMutableRawPointer(bitPattern: 1)) { pointer in
        ended.withLock { $0.append(Int(bitPattern: pointer)) }
        // The thread's other slots are already unavailable.
        ended.withLock { $0.append(xp_slot_get(ThreadSlotTests.owners[0]) == nil ? 100 : 101) }
        xp_slot_set(ThreadSlotTests.owners[1], UnsafeMutableRawPointer(bitPattern: 2)) { pointer in
          ended.withLock { $0.append(Int(bitPattern: pointer)) }
        }
      }
      return nil
    }
    #expect(calls == [1, 100, 2])
  }

  @Test func `A thread does not see the slots of another thread`() {
    xp_slot_set(Self.owners[2], UnsafeMutableRawPointer(bitPattern: 7), nil)
    defer { xp_slot_set(Self.owners[2], nil, nil) }
    let calls = runThread { _ in
      ended.withLock { $0.append(xp_slot_get(ThreadSlotTests.owners[2]) == nil ? 100 : 101) }
      return nil
    }
    #expect(calls == [100])
    #expect(xp_slot_get(Self.owners[2]) == UnsafeMutableRawPointer(bitPattern: 7))
  }
}
