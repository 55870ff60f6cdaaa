/// A task whose body goes to memory or to the delegate, as it comes.
// @unchecked Sendable: adds nothing to `TransferTask`; so do the others.
public class DataTask: TransferTask, @unchecked Sendable {}

/// A data task whose request carries a body.
public final class UploadTask: DataTask, @unchecked Sendable {}

/// A task whose body goes to a temporary file.
public final class DownloadTask: TransferTask, @unchecked Sendable {}
