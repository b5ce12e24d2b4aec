import { MustWait } from '@draftshelf/core/work/complete-chunk';
import type { TallyName } from '@draftshelf/domain/operate/tallies';

/** Thrown if the network, a quota or a storage is unavailable or busy. The chunk waits; no attempt is counted. */
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

/** Thrown for a chunk that can never succeed: it is dead at once. `message`: the cause, as a plain sentence. */
export class CannotSucceed extends Error {
  override readonly name = 'CannotSucceed';
}

/** Thrown if the whole stage cannot continue, for example because the store rejects our token. The import fails. */
export class StageFailed extends Error {
  override readonly name = 'StageFailed';
}

/** Thrown to release a chunk unfinished: the process stops, or a finalize or a task has used up its time. */
export class ReleaseChunk extends Error {
  constructor() {
    super('The chunk is released unfinished');
    this.name = 'ReleaseChunk';
  }
}

/** Thrown to end a job as failed. Postgres has the cause. */
export class JobDead extends Error {
  /** BullMQ does not repeat a job whose error has this name. */
  override readonly name = 'UnrecoverableError';
}
