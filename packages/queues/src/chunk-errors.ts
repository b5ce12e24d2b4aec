/** What a chunk needs is away or not free now (network, quota, storage): it waits and tries again, uncounted. */
export class WaitForIt extends Error {
  /** Until when to wait, if the one waited for said so; else a pause that doubles. */
  readonly waitMs: number | undefined;

  /** `message`: what is waited for, a plain sentence that the operator reads. */
  constructor(message: string, options: { waitMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'WaitForIt';
    this.waitMs = options.waitMs;
  }
}

/** A chunk that can never succeed: it is dead at once. `message` is its true cause, a plain sentence. */
export class CannotSucceed extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'CannotSucceed';
  }
}

/** The whole stage cannot go on (the store refuses our token, say): the import fails with this cause. */
export class StageCannotGoOn extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'StageCannotGoOn';
  }
}

/** The process is asked to stop: what is not begun goes back undone. */
export class Stopping extends Error {
  constructor() {
    super('The process is stopping');
    this.name = 'Stopping';
  }
}
