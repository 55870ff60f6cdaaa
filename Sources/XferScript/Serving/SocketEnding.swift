package import NIOCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Two ways to end a connection after the client has received everything that was sent.
package enum SocketEnding {
  /// Sends FIN, then drops received bytes until the client closes the connection too, for at most two seconds.
  ///
  /// A plain close with unread bytes in the receive buffer would send RST, which discards the end of the response.
  package static func close(_ context: ChannelHandlerContext) {
    context.close(mode: .output, promise: nil)
    let channel = context.channel
    let giveUp = context.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
    channel.closeFuture.whenComplete { _ in giveUp.cancel() }
  }

  /// Sends RST after the client's kernel has acknowledged every byte. Calls `whenSent` immediately before sending RST.
  ///
  /// An earlier RST would discard bytes that the server's kernel still holds, so the number of received bytes would vary.
  static func reset(_ context: ChannelHandlerContext, whenSent: @escaping () -> Void) {
    guard context.channel.isActive else { return }
    guard unacknowledgedBytes(context) == 0 else {
      // The kernel does not notify about acknowledgements, so poll for them.
      context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(1)) { reset(context, whenSent: whenSent) }
      return
    }
    whenSent()
    guard let options = context.channel as? any SocketOptionProvider else { return context.close(promise: nil) }
    options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenComplete { _ in
      context.close(promise: nil)
    }
  }

  private static func unacknowledgedBytes(_ context: ChannelHandlerContext) -> CInt {
    let count = try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { socket in
      var count: CInt = 0
      #if canImport(Darwin)
        var size = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(socket, SOL_SOCKET, SO_NWRITE, &count, &size) == 0 ? count : 0
      #else
        return ioctl(socket, UInt(TIOCOUTQ), &count) == 0 ? count : 0
      #endif
    }
    return (count ?? nil) ?? 0
  }
}
