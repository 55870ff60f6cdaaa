internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A request's body while it is sent. Engine thread only.
final class BodySource {
  /// `nil` when nobody knows it before the end: then it is sent in chunks.
  let length: Int64?
  /// Bytes that libcurl has.
  private(set) var offset: Int64 = 0
  /// What the file was like when it was opened.
  let file: SourceFile?
  private let bytes: Bytes

  private enum Bytes {
    case data(Data)
    case file(descriptor: Int32)
    case pipe(BodyPipe)
  }

  enum Reading {
    /// 0 is the end.
    case bytes(Int)
    /// There will be more: `BodyPipe` says when.
    case notYet
    case failed(TransferError)
  }

  /// `nil` for a request without a body.
  init?(_ body: RequestBody, stream: @autoclosure () -> BodyPipe?) throws(TransferError) {
    switch body {
    case .none: return nil
    case .data(let data):
      (length, file, bytes) = (Int64(data.count), nil, .data(data))
    case .file(let source):
      let (file, descriptor) = try source.reopened()
      (length, self.file, bytes) = (file.size, file, .file(descriptor: descriptor))
    case .stream:
      guard let pipe = stream() else { throw .noBodyStream }
      (length, file, bytes) = (pipe.length, nil, .pipe(pipe))
    }
  }

  deinit { close() }

  private func close() {
    switch bytes {
    case .data: break
    case .file(let descriptor): _ = Self.closeDescriptor(descriptor)
    case .pipe(let pipe): pipe.close()
    }
  }

  private static func closeDescriptor(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
      Darwin.close(descriptor)
    #else
      Glibc.close(descriptor)
    #endif
  }

  func read(into room: UnsafeMutableRawBufferPointer) -> Reading {
    let reading = readBytes(into: room)
    if case .bytes(let count) = reading { offset += Int64(count) }
    return reading
  }

  private func readBytes(into room: UnsafeMutableRawBufferPointer) -> Reading {
    switch bytes {
    case .data(let data):
      let count = min(room.count, data.count - Int(offset))
      let start = data.startIndex + Int(offset)
      return .bytes(data[start..<start + count].copyBytes(to: room))
    case .file(let descriptor): return readFile(descriptor, into: room)
    case .pipe(let pipe): return pipe.read(into: room)
    }
  }

  /// What was declared is sent, and no more: a file may grow meanwhile.
  private func readFile(_ descriptor: Int32, into room: UnsafeMutableRawBufferPointer) -> Reading {
    let wanted = min(room.count, Int((length ?? 0) - offset))
    if wanted == 0 { return .bytes(0) }
    while true {
      let count = pread(descriptor, room.baseAddress, wanted, off_t(offset))
      if count < 0, errno == EINTR { continue }
      let path = file?.path ?? ""
      if count < 0 { return .failed(.unreadable(path, errno)) }
      if count == 0 {
        return .failed(
          TransferError(
            .cannotOpenFile, number: 26, stage: .file,
            problem: "the file \(path) has become shorter while it was sent, \(offset) of \(length ?? 0) bytes"))
      }
      return .bytes(count)
    }
  }

  /// Goes back, for libcurl to send it again over another connection.
  ///
  /// - Returns: `false` for a stream, of which the bytes that were sent are gone.
  func seek(to offset: Int64) -> Bool {
    if case .pipe = bytes { return offset == self.offset }
    guard 0...(length ?? 0) ~= offset else { return false }
    self.offset = offset
    return true
  }
}

extension TransferError {
  static let noBodyStream = TransferError(
    .cancelled, domain: .xfer, number: 2, stage: .request, problem: "the app has no stream for the body")
}
