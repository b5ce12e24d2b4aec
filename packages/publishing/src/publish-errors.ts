/** Thrown if the product cannot be published now. Retry after `waitMs`, if known. `message` is for the operator. */
export class PublishLater extends Error {
  override name = 'PublishLater';
  readonly waitMs: number | undefined;

  constructor(message: string, options: { waitMs?: number } = {}) {
    super(message);
    this.waitMs = options.waitMs;
  }
}

/** Thrown if nothing more may be sent, because the sender has lost its claim or its import is no longer running. */
export class PublishStopped extends Error {
  override name = 'PublishStopped';

  constructor() {
    super('The sender may no longer send');
  }
}
