import { isObjectMissing, isStorageUnavailable } from '@draftshelf/object-storage/object-errors';
import { CannotSucceed, RetryLater } from '@draftshelf/queues/chunk-errors';

export function asChunkError(cause: unknown): unknown {
  if (isStorageUnavailable(cause)) {
    return new RetryLater('Object storage is unavailable.', { cause, tally: 'storage-errors' });
  }
  if (isObjectMissing(cause)) {
    return new CannotSucceed('The uploaded file is gone from storage. Upload it again.', { cause });
  }
  return cause;
}
