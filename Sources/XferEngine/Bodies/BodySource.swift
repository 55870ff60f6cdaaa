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

/// The reader of a request body that is being sent. Used only on the engine's thread.
final class BodySource {
  /// The length of the body, in bytes. `nil` if unknown: the body is then sent with chunked transfer coding.
  let length: Int64?
  /// The number of bytes that libcurl has read.
  private(set) var offset: Int64 = 0
  /// The properties of the file when it was opened. `nil` for other bodies.
  let file: SourceFile?
  private let bytes: Bytes

  private enum Bytes {
    case data(Data)
    case file(descriptor: Int32)
    case pipe(BodyPipe)
  }

  enum Reading {
    /// The number of bytes read. 0 means the end of the body.
    case bytes(Int)
    /// No bytes are available yet. `BodyPipe` calls its `wake` closure when bytes become available.
    case notYet
    case failed(TransferError)
  }

  /// Returns `nil` for a request without a body.
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

  /// The properties of the file at the end of the body, if the whole body was read.
  private var fileAtEnd: SourceFile?

  /// The properties of the file after its last byte was read, or now if bytes are left. `nil` if they are those of its opening.
  ///
  /// If they differ, the bytes that were read may be a mixture of two versions. A change after the last byte does not affect the upload.
  var changedFile: SourceFile? {
    guard let file, offset > 0, let last = fileAtEnd ?? currentFile, last != file else { return nil }
    return last
  }

  private var currentFile: SourceFile? {
    guard case .file(let descriptor) = bytes else { return nil }
    return file?.current(descriptor)
  }

  func read(into room: UnsafeMutableRawBufferPointer) -> Reading {
    let reading = readBytes(into: room)
    if case .bytes(let count) = reading {
      offset += Int64(count)
      if offset == length { fileAtEnd = currentFile }
    }
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

  /// Reads from a file up to the declared length, even if the file has grown since it was opened.
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
            problem: "the file \(path) was truncated during the upload: it has \(offset) of \(length ?? 0) bytes"))
      }
      return .bytes(count)
    }
  }

  /// Moves to another offset, so that libcurl can send the body again over another connection.
  ///
  /// - Returns: Whether the body can be read from this offset. A stream can be read only from its current offset, because the
  ///   bytes that were sent are no longer available.
  func seek(to offset: Int64) -> Bool {
    if case .pipe = bytes { return offset == self.offset }
    guard 0...(length ?? 0) ~= offset else { return false }
    self.offset = offset
    return true
  }
}

extension TransferError {
  static let noBodyStream = TransferError(
    .cancelled, domain: .xfer, number: 2, stage: .request, problem: "the delegate did not provide a stream for the request body")
}
