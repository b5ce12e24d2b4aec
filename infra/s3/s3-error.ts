/** An error of the S3 protocol with its code and status. */
export class S3Error extends Error {
  readonly code: string;
  readonly status: number;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'S3Error';
    this.code = code;
    this.status = status;
  }
}

export const noSuchKey = () => new S3Error(404, 'NoSuchKey', 'The specified key does not exist.');
export const noSuchBucket = () => new S3Error(404, 'NoSuchBucket', 'The specified bucket does not exist.');
export const noSuchUpload = () =>
  new S3Error(404, 'NoSuchUpload', 'The specified multipart upload does not exist.');
export const accessDenied = (message: string) => new S3Error(403, 'AccessDenied', message);
export const invalidArgument = (message: string) => new S3Error(400, 'InvalidArgument', message);
export const notImplemented = (what: string) =>
  new S3Error(501, 'NotImplemented', `This small S3 server does not support ${what}.`);

/** Any error as an S3 error: a full disk is named, internal errors are hidden. */
export function asS3Error(error: unknown): S3Error {
  if (error instanceof S3Error) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new S3Error(507, 'XMinioStorageFull', 'The disk is full.');
  return new S3Error(500, 'InternalError', 'The server met an unexpected error.');
}
