import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { ensureBucket } from '@draftshelf/object-storage/objects';
import type { Logger } from '@draftshelf/runtime/logger';

const retryMsMin = 1_000;
const retryMsMax = 30_000;

/** Creates the bucket and retries while object storage is down. The api does not wait: only uploads need the bucket. */
export function ensureBucketInBackground(storage: ObjectStorage, logger: Logger): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const attempt = async (delayMs: number) => {
    try {
      await ensureBucket(storage);
    } catch (err) {
      if (stopped) return;
      logger.warn({ err, retryMs: delayMs }, 'Object storage is away: uploads are refused until it answers');
      timer = setTimeout(() => void attempt(Math.min(2 * delayMs, retryMsMax)), delayMs);
    }
  };
  void attempt(retryMsMin);
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
