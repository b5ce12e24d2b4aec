import { MustWait } from '@draftshelf/core/work/complete-chunk';
import type { TallyName } from '@draftshelf/domain/operate/tallies';

/** A chunk's network, quota or storage is unavailable or busy: it waits and is retried; no attempt is counted. */
export class RetryLater extends MustWait {
  override readonly name = 'RetryLater';
  /** Pause, if known; else a pause that doubles. */
  readonly waitMs: number | undefined;
  readonly tally: TallyName | undefined;

  /** `message`: the reason for the wait, a plain sentence for the operator. */
  constructor(message: string, options: { waitMs?: number; cause?: unknown; tally?: TallyName } = {}) {
    super(message, options);
    this.waitMs = options.waitMs;
    this.tally = options.tally;
  }
}

/** A chunk that can never succeed: it is dead at once. `message` is its true cause, a plain sentence. */
export class CannotSucceed extends Error {
  override readonly name = 'CannotSucceed';
}

/** The whole stage cannot continue (the store rejects our token, for example): the import fails with this cause. */
export class StageFailed extends Error {
  override readonly name = 'StageFailed';
}

/** Releases the chunk unfinished: the process was asked to stop, or finalize has had its turn. */
export class ReleaseChunk extends Error {
  constructor() {
    super('The chunk is released unfinished');
    this.name = 'ReleaseChunk';
  }
}

/** Ends a job as failed. Postgres keeps the cause. */
export class JobDead extends Error {
  /** BullMQ asks for this name: it does not repeat such a job. */
  override readonly name = 'UnrecoverableError';
}
