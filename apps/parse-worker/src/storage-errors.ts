import { isObjectMissing, isStorageUnavailable } from '@draftshelf/object-storage/object-errors';
import { CannotSucceed, RetryLater } from '@draftshelf/queues/chunk-errors';

/** Turns an error of object storage into what it means for a chunk; other errors do not change. */
export function asChunkError(cause: unknown): unknown {
  if (isStorageUnavailable(cause)) {
    return new RetryLater('Object storage is unavailable.', { cause, tally: 'storage-errors' });
  }
  if (isObjectMissing(cause)) {
    return new CannotSucceed('The uploaded file is gone from storage. Upload it again.', { cause });
  }
  return cause;
}
