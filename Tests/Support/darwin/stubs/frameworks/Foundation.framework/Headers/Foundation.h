// The part of Apple's Foundation that the package uses, declared as Apple's public documentation describes it. Names, nullability,
// sendability and availability matter, because they determine how Swift imports a declaration.
@import Darwin;
@import ObjectiveC;
#import <os/availability.h>

#define NS_SWIFT_NAME(name) __attribute__((swift_name(#name)))
#define NS_SWIFT_SENDABLE __attribute__((swift_attr("@Sendable")))
#define NS_REFINED_FOR_SWIFT __attribute__((swift_private))
#define NS_SWIFT_BRIDGE(name) __attribute__((swift_bridge(name)))
#define NS_SWIFT_DISABLE_ASYNC __attribute__((swift_async(none)))
#define NS_SWIFT_UNAVAILABLE_FROM_ASYNC(text) __attribute__((swift_attr("@_unavailableFromAsync(message: \"" text "\")")))
#define NS_ENUM(type, name) enum __attribute__((enum_extensibility(open))) name : type name; enum name : type
#define NS_OPTIONS(type, name) enum __attribute__((flag_enum, enum_extensibility(open))) name : type name; enum name : type
#define NS_NOESCAPE __attribute__((noescape))
#define NS_STRING_ENUM __attribute__((swift_newtype(enum)))
#define NS_EXPORT extern

#pragma clang assume_nonnull begin

typedef double NSTimeInterval;
typedef struct _NSZone NSZone;
typedef unsigned short unichar;

@class NSString, NSData, NSDate, NSURL, NSError, NSNumber, NSOperationQueue, NSURLRequest, NSURLResponse, NSHTTPURLResponse,
  NSURLSession, NSURLSessionTask, NSURLSessionDataTask, NSURLSessionUploadTask, NSURLSessionDownloadTask,
  NSURLSessionStreamTask, NSURLSessionTaskMetrics, NSURLAuthenticationChallenge, NSURLCredential, NSCachedURLResponse,
  NSInputStream, NSDateInterval;

@protocol NSCopying
- (id)copyWithZone:(nullable NSZone *)zone;
@end
@protocol NSMutableCopying
- (id)mutableCopyWithZone:(nullable NSZone *)zone;
@end
@protocol NSSecureCoding
@end
@protocol NSLocking
- (void)lock;
- (void)unlock;
@end

NS_EXPORT SEL NSSelectorFromString(NSString *aSelectorName);
NS_EXPORT NSString *NSStringFromSelector(SEL aSelector);
NS_EXPORT NSString *NSHomeDirectory(void);
NS_EXPORT NSString *NSTemporaryDirectory(void);

// MARK: Values and collections

NS_SWIFT_BRIDGE("Swift.String") @interface NSString : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (readonly) NSUInteger length;
@end
@interface NSNumber : NSObject <NSCopying, NSSecureCoding>
@end
NS_SWIFT_BRIDGE("Data") @interface NSData : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (readonly) NSUInteger length;
@end
NS_SWIFT_BRIDGE("Date") @interface NSDate : NSObject <NSCopying, NSSecureCoding>
@end
NS_SWIFT_BRIDGE("DateInterval") @interface NSDateInterval : NSObject <NSCopying, NSSecureCoding>
@end
NS_SWIFT_BRIDGE("URL") @interface NSURL : NSObject <NSCopying, NSSecureCoding>
@end
NS_SWIFT_BRIDGE("UUID") @interface NSUUID : NSObject <NSCopying, NSSecureCoding>
@end
NS_SWIFT_BRIDGE("Swift.Array") @interface NSArray<__covariant ObjectType> : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (readonly) NSUInteger count;
@end
NS_SWIFT_BRIDGE("Swift.Set") @interface NSSet<__covariant ObjectType> : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (readonly) NSUInteger count;
@end
NS_SWIFT_BRIDGE("Swift.Dictionary") @interface NSDictionary<__covariant KeyType, __covariant ObjectType> : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (readonly) NSUInteger count;
@end

// MARK: Errors

typedef NSString *NSErrorDomain __attribute__((swift_bridged_typedef));
typedef NSString *NSErrorUserInfoKey __attribute__((swift_bridged_typedef));
NS_EXPORT NSErrorDomain const NSCocoaErrorDomain;
NS_EXPORT NSErrorDomain const NSPOSIXErrorDomain;
NS_EXPORT NSErrorDomain const NSURLErrorDomain;
NS_EXPORT NSErrorUserInfoKey const NSUnderlyingErrorKey;
NS_EXPORT NSErrorUserInfoKey const NSLocalizedDescriptionKey;
NS_EXPORT NSString *const NSURLErrorBackgroundTaskCancelledReasonKey;

NS_SWIFT_BRIDGE("Swift.Error") @interface NSError : NSObject <NSCopying, NSSecureCoding>
- (instancetype)initWithDomain:(NSErrorDomain)domain code:(NSInteger)code
                      userInfo:(nullable NSDictionary<NSErrorUserInfoKey, id> *)dict NS_DESIGNATED_INITIALIZER;
@property (readonly, copy) NSErrorDomain domain;
@property (readonly) NSInteger code;
@property (readonly, copy) NSDictionary<NSErrorUserInfoKey, id> *userInfo;
@property (readonly, copy) NSString *localizedDescription;
@end

// MARK: Threads, locks, queues, files

NS_SWIFT_NAME(Thread) NS_SWIFT_SENDABLE @interface NSThread : NSObject
@property (class, readonly, strong) NSThread *currentThread NS_SWIFT_UNAVAILABLE_FROM_ASYNC("Thread.current cannot be used");
@property (class, readonly) BOOL isMainThread NS_SWIFT_UNAVAILABLE_FROM_ASYNC("use @MainActor");
@property (nullable, copy) NSString *name;
@end

NS_SWIFT_SENDABLE @interface NSLock : NSObject <NSLocking>
- (BOOL)tryLock NS_SWIFT_NAME(try()) NS_SWIFT_UNAVAILABLE_FROM_ASYNC("use async-safe scoped locking instead");
@property (nullable, copy) NSString *name;
@end

NS_SWIFT_NAME(OperationQueue) NS_SWIFT_SENDABLE @interface NSOperationQueue : NSObject
@property (nullable, copy) NSString *name;
@property (class, readonly, strong) NSOperationQueue *mainQueue NS_SWIFT_NAME(main);
@property NSInteger maxConcurrentOperationCount;
- (void)addOperationWithBlock:(void (NS_SWIFT_SENDABLE ^)(void))block;
@end

typedef NSString *NSFileAttributeKey NS_STRING_ENUM NS_SWIFT_NAME(FileAttributeKey);
typedef NSString *NSFileProtectionType NS_STRING_ENUM NS_SWIFT_NAME(FileProtectionType);
NS_EXPORT NSFileAttributeKey const NSFileProtectionKey NS_SWIFT_NAME(FileAttributeKey.protectionKey);
NS_EXPORT NSFileProtectionType const NSFileProtectionCompleteUntilFirstUserAuthentication
  NS_SWIFT_NAME(FileProtectionType.completeUntilFirstUserAuthentication);

NS_SWIFT_NAME(FileManager) NS_SWIFT_SENDABLE @interface NSFileManager : NSObject
@property (class, readonly, strong) NSFileManager *defaultManager NS_SWIFT_NAME(default);
- (BOOL)createDirectoryAtURL:(NSURL *)url withIntermediateDirectories:(BOOL)createIntermediates
                  attributes:(nullable NSDictionary<NSFileAttributeKey, id> *)attributes error:(NSError **)error;
- (nullable NSURL *)containerURLForSecurityApplicationGroupIdentifier:(NSString *)groupIdentifier
  API_AVAILABLE(macos(10.8), ios(7.0));
- (BOOL)moveItemAtURL:(NSURL *)srcURL toURL:(NSURL *)dstURL error:(NSError **)error;
- (BOOL)copyItemAtURL:(NSURL *)srcURL toURL:(NSURL *)dstURL error:(NSError **)error;
- (BOOL)createDirectoryAtPath:(NSString *)path withIntermediateDirectories:(BOOL)createIntermediates
                   attributes:(nullable NSDictionary<NSFileAttributeKey, id> *)attributes error:(NSError **)error;
- (nullable NSData *)contentsAtPath:(NSString *)path;
@property (readonly, copy) NSString *currentDirectoryPath;
- (BOOL)removeItemAtURL:(NSURL *)URL error:(NSError **)error;
- (BOOL)removeItemAtPath:(NSString *)path error:(NSError **)error;
- (BOOL)moveItemAtPath:(NSString *)srcPath toPath:(NSString *)dstPath error:(NSError **)error;
- (BOOL)fileExistsAtPath:(NSString *)path;
- (nullable NSArray<NSString *> *)contentsOfDirectoryAtPath:(NSString *)path error:(NSError **)error;
@property (readonly, copy) NSURL *temporaryDirectory;
@end

typedef NS_OPTIONS(NSUInteger, NSFileCoordinatorReadingOptions) {
  NSFileCoordinatorReadingWithoutChanges = 1 << 0,
  NSFileCoordinatorReadingResolvesSymbolicLink = 1 << 1,
  NSFileCoordinatorReadingImmediatelyAvailableMetadataOnly API_AVAILABLE(macos(10.10), ios(8.0)) = 1 << 2,
  NSFileCoordinatorReadingForUploading API_AVAILABLE(macos(10.10), ios(8.0)) = 1 << 3,
} NS_SWIFT_NAME(NSFileCoordinator.ReadingOptions);
@interface NSFileCoordinator : NSObject
- (void)coordinateReadingItemAtURL:(NSURL *)url options:(NSFileCoordinatorReadingOptions)options error:(NSError **)outError
                        byAccessor:(void (NS_NOESCAPE ^)(NSURL *newURL))reader
    NS_SWIFT_NAME(coordinate(readingItemAt:options:error:byAccessor:));
@end

NS_SWIFT_NAME(FileHandle) NS_SWIFT_SENDABLE @interface NSFileHandle : NSObject <NSSecureCoding>
@property (class, readonly, strong) NSFileHandle *fileHandleWithStandardError NS_SWIFT_NAME(standardError);
+ (nullable instancetype)fileHandleForReadingFromURL:(NSURL *)url error:(NSError **)error;
@property (readonly) int fileDescriptor;
- (void)writeData:(NSData *)data;
@end

NS_SWIFT_NAME(ProcessInfo) NS_SWIFT_SENDABLE @interface NSProcessInfo : NSObject
@property (class, readonly, strong) NSProcessInfo *processInfo;
@property (readonly, copy) NSDictionary<NSString *, NSString *> *environment;
@property (readonly, copy) NSArray<NSString *> *arguments;
@property (readonly, copy) NSString *processName;
@property (readonly) int processIdentifier;
@end

// MARK: Requests and responses

NS_SWIFT_BRIDGE("URLRequest") NS_SWIFT_SENDABLE @interface NSURLRequest : NSObject <NSSecureCoding, NSCopying, NSMutableCopying>
@end
typedef NS_ENUM(NSUInteger, NSURLRequestCachePolicy) {
  NSURLRequestUseProtocolCachePolicy = 0,
  NSURLRequestReloadIgnoringLocalCacheData = 1,
} NS_SWIFT_NAME(NSURLRequest.CachePolicy);
typedef NS_ENUM(NSUInteger, NSURLRequestNetworkServiceType) {
  NSURLNetworkServiceTypeDefault = 0,
  NSURLNetworkServiceTypeBackground = 3,
} NS_SWIFT_NAME(NSURLRequest.NetworkServiceType);

NS_SWIFT_NAME(URLResponse) NS_SWIFT_SENDABLE @interface NSURLResponse : NSObject <NSSecureCoding, NSCopying>
@property (nullable, readonly, copy) NSURL *URL;
@property (nullable, readonly, copy) NSString *MIMEType;
@property (readonly) long long expectedContentLength;
@property (nullable, readonly, copy) NSString *textEncodingName;
@property (nullable, readonly, copy) NSString *suggestedFilename;
@end
NS_SWIFT_NAME(HTTPURLResponse) NS_SWIFT_SENDABLE @interface NSHTTPURLResponse : NSURLResponse
@property (readonly) NSInteger statusCode;
@property (readonly, copy) NSDictionary *allHeaderFields;
- (nullable NSString *)valueForHTTPHeaderField:(NSString *)field API_AVAILABLE(macos(10.15), ios(13.0));
@end

NS_SWIFT_NAME(URLCache) NS_SWIFT_SENDABLE @interface NSURLCache : NSObject
@property (class, strong) NSURLCache *sharedURLCache NS_SWIFT_NAME(shared);
@end
NS_SWIFT_NAME(HTTPCookieStorage) NS_SWIFT_SENDABLE @interface NSHTTPCookieStorage : NSObject
@property (class, readonly, strong) NSHTTPCookieStorage *sharedHTTPCookieStorage NS_SWIFT_NAME(shared);
@end
typedef NS_ENUM(NSUInteger, NSHTTPCookieAcceptPolicy) {
  NSHTTPCookieAcceptPolicyAlways,
  NSHTTPCookieAcceptPolicyNever,
  NSHTTPCookieAcceptPolicyOnlyFromMainDocumentDomain
} NS_SWIFT_NAME(HTTPCookie.AcceptPolicy);
NS_SWIFT_NAME(HTTPCookie) NS_SWIFT_SENDABLE @interface NSHTTPCookie : NSObject
@end

NS_SWIFT_NAME(URLCredential) NS_SWIFT_SENDABLE @interface NSURLCredential : NSObject <NSSecureCoding, NSCopying>
@end
NS_SWIFT_NAME(URLCredentialStorage) NS_SWIFT_SENDABLE @interface NSURLCredentialStorage : NSObject
@property (class, readonly, strong) NSURLCredentialStorage *sharedCredentialStorage NS_SWIFT_NAME(shared);
@end
NS_SWIFT_NAME(URLProtectionSpace) NS_SWIFT_SENDABLE @interface NSURLProtectionSpace : NSObject <NSSecureCoding, NSCopying>
@property (readonly, copy) NSString *authenticationMethod;
@property (readonly, copy) NSString *host;
@end
NS_SWIFT_NAME(URLAuthenticationChallenge) NS_SWIFT_SENDABLE @interface NSURLAuthenticationChallenge : NSObject <NSSecureCoding>
@property (readonly, copy) NSURLProtectionSpace *protectionSpace;
@property (readonly) NSInteger previousFailureCount;
@end

// MARK: URLSession

@protocol NSURLSessionDelegate, NSURLSessionTaskDelegate;
@class NSURLSessionConfiguration;

NS_SWIFT_NAME(URLSession) NS_SWIFT_SENDABLE API_AVAILABLE(macos(10.9), ios(7.0)) @interface NSURLSession : NSObject
@property (class, readonly, strong) NSURLSession *sharedSession NS_SWIFT_NAME(shared);
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration;
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration
                                  delegate:(nullable id<NSURLSessionDelegate>)delegate
                             delegateQueue:(nullable NSOperationQueue *)queue;
@property (readonly, retain) NSOperationQueue *delegateQueue;
@property (nullable, readonly, retain) id<NSURLSessionDelegate> delegate;
@property (readonly, copy) NSURLSessionConfiguration *configuration;
@property (nullable, copy) NSString *sessionDescription;
- (void)finishTasksAndInvalidate;
- (void)invalidateAndCancel;
- (void)getAllTasksWithCompletionHandler:(void (NS_SWIFT_SENDABLE ^)(NSArray<__kindof NSURLSessionTask *> *tasks))completionHandler
  NS_SWIFT_NAME(getAllTasks(completionHandler:)) API_AVAILABLE(macos(10.11), ios(9.0));
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request;
- (NSURLSessionDataTask *)dataTaskWithURL:(NSURL *)url;
- (NSURLSessionUploadTask *)uploadTaskWithRequest:(NSURLRequest *)request fromFile:(NSURL *)fileURL;
- (NSURLSessionUploadTask *)uploadTaskWithRequest:(NSURLRequest *)request fromData:(NSData *)bodyData;
- (NSURLSessionUploadTask *)uploadTaskWithStreamedRequest:(NSURLRequest *)request;
- (NSURLSessionDownloadTask *)downloadTaskWithRequest:(NSURLRequest *)request;
- (NSURLSessionDownloadTask *)downloadTaskWithURL:(NSURL *)url;
- (NSURLSessionDownloadTask *)downloadTaskWithResumeData:(NSData *)resumeData;
- (instancetype)init API_DEPRECATED("Please use +[NSURLSession sessionWithConfiguration:]", macos(10.9, 10.15), ios(7.0, 13.0));
@end
@interface NSURLSession (NSURLSessionAsynchronousConvenience)
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request
  completionHandler:(void (NS_SWIFT_SENDABLE ^)(NSData *_Nullable data, NSURLResponse *_Nullable response, NSError *_Nullable error))completionHandler;
- (NSURLSessionDataTask *)dataTaskWithURL:(NSURL *)url
  completionHandler:(void (NS_SWIFT_SENDABLE ^)(NSData *_Nullable data, NSURLResponse *_Nullable response, NSError *_Nullable error))completionHandler;
- (NSURLSessionUploadTask *)uploadTaskWithRequest:(NSURLRequest *)request fromFile:(NSURL *)fileURL
  completionHandler:(void (NS_SWIFT_SENDABLE ^)(NSData *_Nullable data, NSURLResponse *_Nullable response, NSError *_Nullable error))completionHandler;
- (NSURLSessionUploadTask *)uploadTaskWithRequest:(NSURLRequest *)request fromData:(nullable NSData *)bodyData
  completionHandler:(void (NS_SWIFT_SENDABLE ^)(NSData *_Nullable data, NSURLResponse *_Nullable response, NSError *_Nullable error))completionHandler;
- (NSURLSessionDownloadTask *)downloadTaskWithRequest:(NSURLRequest *)request
  completionHandler:(void (NS_SWIFT_SENDABLE ^)(NSURL *_Nullable location, NSURLResponse *_Nullable response, NSError *_Nullable error))completionHandler;
- (NSURLSessionDownloadTask *)downloadTaskWithURL:(NSURL *)url
  completionHandler:(void (NS_SWIFT_SENDABLE ^)(NSURL *_Nullable location, NSURLResponse *_Nullable response, NSError *_Nullable error))completionHandler;
@end

typedef NS_ENUM(NSInteger, NSURLSessionTaskState) {
  NSURLSessionTaskStateRunning = 0,
  NSURLSessionTaskStateSuspended = 1,
  NSURLSessionTaskStateCanceling = 2,
  NSURLSessionTaskStateCompleted = 3,
} NS_SWIFT_NAME(URLSessionTask.State);
NS_EXPORT const int64_t NSURLSessionTransferSizeUnknown;

NS_SWIFT_NAME(URLSessionTask) NS_SWIFT_SENDABLE API_AVAILABLE(macos(10.9), ios(7.0)) @interface NSURLSessionTask : NSObject <NSCopying>
@property (readonly) NSUInteger taskIdentifier;
@property (nullable, readonly, copy) NSURLRequest *originalRequest;
@property (nullable, readonly, copy) NSURLRequest *currentRequest;
@property (nullable, readonly, copy) NSURLResponse *response;
@property (nullable, retain) id<NSURLSessionTaskDelegate> delegate API_AVAILABLE(macos(12.0), ios(15.0));
@property (nullable, copy) NSDate *earliestBeginDate API_AVAILABLE(macos(10.13), ios(11.0));
@property int64_t countOfBytesClientExpectsToSend API_AVAILABLE(macos(10.13), ios(11.0));
@property int64_t countOfBytesClientExpectsToReceive API_AVAILABLE(macos(10.13), ios(11.0));
@property (readonly) int64_t countOfBytesSent;
@property (readonly) int64_t countOfBytesReceived;
@property (readonly) int64_t countOfBytesExpectedToSend;
@property (readonly) int64_t countOfBytesExpectedToReceive;
@property (nullable, copy) NSString *taskDescription;
@property (readonly) NSURLSessionTaskState state;
@property (nullable, readonly, copy) NSError *error;
@property float priority API_AVAILABLE(macos(10.10), ios(8.0));
- (void)cancel;
- (void)suspend;
- (void)resume;
@end
NS_SWIFT_NAME(URLSessionDataTask) NS_SWIFT_SENDABLE @interface NSURLSessionDataTask : NSURLSessionTask
@end
NS_SWIFT_NAME(URLSessionUploadTask) NS_SWIFT_SENDABLE @interface NSURLSessionUploadTask : NSURLSessionDataTask
- (void)cancelByProducingResumeData:(void (NS_SWIFT_SENDABLE ^)(NSData *_Nullable resumeData))completionHandler
  API_AVAILABLE(macos(14.0), ios(17.0));
@end
NS_SWIFT_NAME(URLSessionDownloadTask) NS_SWIFT_SENDABLE @interface NSURLSessionDownloadTask : NSURLSessionTask
- (void)cancelByProducingResumeData:(void (NS_SWIFT_SENDABLE ^)(NSData *_Nullable resumeData))completionHandler;
@end
NS_SWIFT_NAME(URLSessionStreamTask) NS_SWIFT_SENDABLE @interface NSURLSessionStreamTask : NSURLSessionTask
@end

NS_SWIFT_NAME(URLSessionConfiguration) NS_SWIFT_SENDABLE API_AVAILABLE(macos(10.9), ios(7.0))
@interface NSURLSessionConfiguration : NSObject <NSCopying>
@property (class, readonly, strong) NSURLSessionConfiguration *defaultSessionConfiguration NS_SWIFT_NAME(default);
@property (class, readonly, strong) NSURLSessionConfiguration *ephemeralSessionConfiguration NS_SWIFT_NAME(ephemeral);
+ (NSURLSessionConfiguration *)backgroundSessionConfigurationWithIdentifier:(NSString *)identifier
  NS_SWIFT_NAME(background(withIdentifier:)) API_AVAILABLE(macos(10.10), ios(8.0));
@property (nullable, readonly, copy) NSString *identifier;
@property NSURLRequestCachePolicy requestCachePolicy;
@property NSTimeInterval timeoutIntervalForRequest;
@property NSTimeInterval timeoutIntervalForResource;
@property NSURLRequestNetworkServiceType networkServiceType;
@property BOOL allowsCellularAccess;
@property BOOL allowsExpensiveNetworkAccess API_AVAILABLE(macos(10.15), ios(13.0));
@property BOOL allowsConstrainedNetworkAccess API_AVAILABLE(macos(10.15), ios(13.0));
@property BOOL waitsForConnectivity API_AVAILABLE(macos(10.13), ios(11.0));
@property (getter=isDiscretionary) BOOL discretionary API_AVAILABLE(macos(10.10), ios(7.0));
@property (nullable, copy) NSString *sharedContainerIdentifier API_AVAILABLE(macos(10.10), ios(8.0));
@property BOOL sessionSendsLaunchEvents API_AVAILABLE(macos(11.0), ios(7.0));
@property BOOL HTTPShouldUsePipelining;
@property BOOL HTTPShouldSetCookies;
@property NSHTTPCookieAcceptPolicy HTTPCookieAcceptPolicy;
@property (nullable, copy) NSDictionary *HTTPAdditionalHeaders;
@property NSInteger HTTPMaximumConnectionsPerHost;
@property (nullable, retain) NSHTTPCookieStorage *HTTPCookieStorage;
@property (nullable, retain) NSURLCredentialStorage *URLCredentialStorage;
@property (nullable, retain) NSURLCache *URLCache;
@property BOOL shouldUseExtendedBackgroundIdleMode API_AVAILABLE(macos(10.11), ios(9.0));
@end

typedef NS_ENUM(NSInteger, NSURLSessionAuthChallengeDisposition) {
  NSURLSessionAuthChallengeUseCredential = 0,
  NSURLSessionAuthChallengePerformDefaultHandling = 1,
  NSURLSessionAuthChallengeCancelAuthenticationChallenge = 2,
  NSURLSessionAuthChallengeRejectProtectionSpace = 3,
} NS_SWIFT_NAME(URLSession.AuthChallengeDisposition);
typedef NS_ENUM(NSInteger, NSURLSessionResponseDisposition) {
  NSURLSessionResponseCancel = 0,
  NSURLSessionResponseAllow = 1,
  NSURLSessionResponseBecomeDownload = 2,
  NSURLSessionResponseBecomeStream = 3,
} NS_SWIFT_NAME(URLSession.ResponseDisposition);
typedef NS_ENUM(NSInteger, NSURLSessionDelayedRequestDisposition) {
  NSURLSessionDelayedRequestContinueLoading = 0,
  NSURLSessionDelayedRequestUseNewRequest = 1,
  NSURLSessionDelayedRequestCancel = 2,
} NS_SWIFT_NAME(URLSession.DelayedRequestDisposition);

NS_SWIFT_NAME(URLSessionDelegate) NS_SWIFT_SENDABLE @protocol NSURLSessionDelegate <NSObject>
@optional
- (void)URLSession:(NSURLSession *)session didBecomeInvalidWithError:(nullable NSError *)error;
- (void)URLSession:(NSURLSession *)session didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge
  completionHandler:(void (NS_SWIFT_SENDABLE ^)(NSURLSessionAuthChallengeDisposition disposition, NSURLCredential *_Nullable credential))completionHandler;
- (void)URLSessionDidFinishEventsForBackgroundURLSession:(NSURLSession *)session
  API_AVAILABLE(ios(7.0), watchos(2.0), tvos(9.0)) API_UNAVAILABLE(macos);
@end

NS_SWIFT_NAME(URLSessionTaskDelegate) NS_SWIFT_SENDABLE @protocol NSURLSessionTaskDelegate <NSURLSessionDelegate>
@optional
- (void)URLSession:(NSURLSession *)session didCreateTask:(NSURLSessionTask *)task API_AVAILABLE(macos(13.0), ios(16.0));
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task willBeginDelayedRequest:(NSURLRequest *)request
  completionHandler:(void (NS_SWIFT_SENDABLE ^)(NSURLSessionDelayedRequestDisposition disposition, NSURLRequest *_Nullable newRequest))completionHandler
  API_AVAILABLE(macos(10.13), ios(11.0));
- (void)URLSession:(NSURLSession *)session taskIsWaitingForConnectivity:(NSURLSessionTask *)task API_AVAILABLE(macos(10.13), ios(11.0));
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task willPerformHTTPRedirection:(NSHTTPURLResponse *)response
        newRequest:(NSURLRequest *)request
 completionHandler:(void (NS_SWIFT_SENDABLE ^)(NSURLRequest *_Nullable))completionHandler;
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge
 completionHandler:(void (NS_SWIFT_SENDABLE ^)(NSURLSessionAuthChallengeDisposition disposition, NSURLCredential *_Nullable credential))completionHandler;
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task
  needNewBodyStream:(void (NS_SWIFT_SENDABLE ^)(NSInputStream *_Nullable bodyStream))completionHandler;
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task didSendBodyData:(int64_t)bytesSent
    totalBytesSent:(int64_t)totalBytesSent totalBytesExpectedToSend:(int64_t)totalBytesExpectedToSend;
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task didReceiveInformationalResponse:(NSHTTPURLResponse *)response
  API_AVAILABLE(macos(14.0), ios(17.0));
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task didFinishCollectingMetrics:(NSURLSessionTaskMetrics *)metrics
  API_AVAILABLE(macos(10.12), ios(10.0));
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task didCompleteWithError:(nullable NSError *)error;
@end

NS_SWIFT_NAME(URLSessionDataDelegate) NS_SWIFT_SENDABLE @protocol NSURLSessionDataDelegate <NSURLSessionTaskDelegate>
@optional
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)dataTask didReceiveResponse:(NSURLResponse *)response
 completionHandler:(void (NS_SWIFT_SENDABLE ^)(NSURLSessionResponseDisposition disposition))completionHandler;
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)dataTask
  didBecomeDownloadTask:(NSURLSessionDownloadTask *)downloadTask;
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)dataTask
  didBecomeStreamTask:(NSURLSessionStreamTask *)streamTask API_AVAILABLE(macos(10.11), ios(9.0));
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)dataTask didReceiveData:(NSData *)data;
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)dataTask
 willCacheResponse:(NSCachedURLResponse *)proposedResponse
 completionHandler:(void (NS_SWIFT_SENDABLE ^)(NSCachedURLResponse *_Nullable cachedResponse))completionHandler;
@end

NS_SWIFT_NAME(URLSessionDownloadDelegate) NS_SWIFT_SENDABLE @protocol NSURLSessionDownloadDelegate <NSURLSessionTaskDelegate>
- (void)URLSession:(NSURLSession *)session downloadTask:(NSURLSessionDownloadTask *)downloadTask
  didFinishDownloadingToURL:(NSURL *)location;
@optional
- (void)URLSession:(NSURLSession *)session downloadTask:(NSURLSessionDownloadTask *)downloadTask didWriteData:(int64_t)bytesWritten
  totalBytesWritten:(int64_t)totalBytesWritten totalBytesExpectedToWrite:(int64_t)totalBytesExpectedToWrite;
- (void)URLSession:(NSURLSession *)session downloadTask:(NSURLSessionDownloadTask *)downloadTask didResumeAtOffset:(int64_t)fileOffset
  expectedTotalBytes:(int64_t)expectedTotalBytes;
@end

typedef NS_ENUM(NSInteger, NSURLSessionTaskMetricsResourceFetchType) {
  NSURLSessionTaskMetricsResourceFetchTypeUnknown,
  NSURLSessionTaskMetricsResourceFetchTypeNetworkLoad,
  NSURLSessionTaskMetricsResourceFetchTypeServerPush,
  NSURLSessionTaskMetricsResourceFetchTypeLocalCache,
} NS_SWIFT_NAME(URLSessionTaskMetrics.ResourceFetchType);

NS_SWIFT_NAME(URLSessionTaskTransactionMetrics) NS_SWIFT_SENDABLE @interface NSURLSessionTaskTransactionMetrics : NSObject
@property (copy, readonly) NSURLRequest *request;
@property (nullable, copy, readonly) NSURLResponse *response;
@property (nullable, copy, readonly) NSDate *fetchStartDate;
@property (nullable, copy, readonly) NSDate *domainLookupStartDate;
@property (nullable, copy, readonly) NSDate *domainLookupEndDate;
@property (nullable, copy, readonly) NSDate *connectStartDate;
@property (nullable, copy, readonly) NSDate *secureConnectionStartDate;
@property (nullable, copy, readonly) NSDate *secureConnectionEndDate;
@property (nullable, copy, readonly) NSDate *connectEndDate;
@property (nullable, copy, readonly) NSDate *requestStartDate;
@property (nullable, copy, readonly) NSDate *requestEndDate;
@property (nullable, copy, readonly) NSDate *responseStartDate;
@property (nullable, copy, readonly) NSDate *responseEndDate;
@property (nullable, copy, readonly) NSString *networkProtocolName;
@property (assign, readonly, getter=isProxyConnection) BOOL proxyConnection;
@property (assign, readonly, getter=isReusedConnection) BOOL reusedConnection;
@property (assign, readonly) NSURLSessionTaskMetricsResourceFetchType resourceFetchType;
@property (nullable, copy, readonly) NSString *localAddress;
@property (nullable, copy, readonly) NSNumber *localPort NS_REFINED_FOR_SWIFT;
@property (nullable, copy, readonly) NSString *remoteAddress;
@property (nullable, copy, readonly) NSNumber *remotePort NS_REFINED_FOR_SWIFT;
@end
NS_SWIFT_NAME(URLSessionTaskMetrics) NS_SWIFT_SENDABLE @interface NSURLSessionTaskMetrics : NSObject
@property (copy, readonly) NSArray<NSURLSessionTaskTransactionMetrics *> *transactionMetrics;
@property (copy, readonly) NSDateInterval *taskInterval;
@property (assign, readonly) NSUInteger redirectCount;
@end

// MARK: Other names in Foundation, which reveal name clashes with the package's own types

NS_SWIFT_NAME(Progress) @interface NSProgress : NSObject
@end
NS_SWIFT_NAME(Operation) @interface NSOperation : NSObject
@end
NS_SWIFT_NAME(Bundle) @interface NSBundle : NSObject
@end
NS_SWIFT_NAME(Timer) @interface NSTimer : NSObject
@end
NS_SWIFT_NAME(RunLoop) @interface NSRunLoop : NSObject
@property (class, readonly, strong) NSRunLoop *mainRunLoop NS_SWIFT_NAME(main);
@property (class, readonly, strong) NSRunLoop *currentRunLoop NS_SWIFT_NAME(current);
- (void)run NS_SWIFT_UNAVAILABLE_FROM_ASYNC("run cannot be used from async contexts.");
@end
NS_SWIFT_NAME(Unit) @interface NSUnit : NSObject
@end
NS_SWIFT_NAME(Scanner) @interface NSScanner : NSObject
@end
NS_SWIFT_NAME(Formatter) @interface NSFormatter : NSObject
@end
NS_SWIFT_NAME(Stream) @interface NSStream : NSObject
@end
NS_SWIFT_NAME(InputStream) @interface NSInputStream : NSStream
@end
NS_SWIFT_NAME(OutputStream) @interface NSOutputStream : NSStream
@end
NS_SWIFT_NAME(Port) @interface NSPort : NSObject
@end
NS_SWIFT_NAME(Pipe) @interface NSPipe : NSObject
@end
NS_SWIFT_NAME(Dimension) @interface NSDimension : NSUnit
@end
NS_SWIFT_NAME(CachedURLResponse) @interface NSCachedURLResponse : NSObject
@end
#if TARGET_OS_OSX
NS_SWIFT_NAME(Process) @interface NSTask : NSObject
@end
NS_SWIFT_NAME(Host) @interface NSHost : NSObject
@end
#endif

#pragma clang assume_nonnull end
