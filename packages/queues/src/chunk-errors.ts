import { MustWait } from '@draftshelf/core/work/complete-chunk';
import type { TallyName } from '@draftshelf/domain/operate/tallies';

/** The network, a quota or a storage is unavailable or busy. The chunk waits and is retried; no attempt counts. */
export class RetryLater extends MustWait {
  override readonly name = 'RetryLater';
  /** Duration of the pause. If undefined, the pause doubles each time. */
  readonly waitMs: number | undefined;
  readonly tally: TallyName | undefined;

  /** `message`: the cause of the wait, a plain sentence for the operator. */
  constructor(message: string, options: { waitMs?: number; cause?: unknown; tally?: TallyName } = {}) {
    super(message, options);
    this.waitMs = options.waitMs;
    this.tally = options.tally;
  }
}

/** A chunk that can never succeed and is therefore dead at once. `message`: the cause, as a plain sentence. */
export class CannotSucceed extends Error {
  override readonly name = 'CannotSucceed';
}

/** The whole stage cannot continue, for example because the store rejects our token. The import fails. */
export class StageFailed extends Error {
  override readonly name = 'StageFailed';
}

/** Releases a chunk unfinished, because the process is to stop, or because a finalize has used up its time. */
export class ReleaseChunk extends Error {
  constructor() {
    super('The chunk is released unfinished');
    this.name = 'ReleaseChunk';
  }
}

/** Ends a job as failed. The cause is in Postgres. */
export class JobDead extends Error {
  /** BullMQ does not repeat a job whose error has this name. */
  override readonly name = 'UnrecoverableError';
}
