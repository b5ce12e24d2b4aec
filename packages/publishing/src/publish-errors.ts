/** A product cannot be published now: try again after `waitMs`, if known. `message` is for the operator. */
export class PublishLater extends Error {
  override name = 'PublishLater';
  readonly waitMs: number | undefined;

  constructor(message: string, options: { waitMs?: number } = {}) {
    super(message);
    this.waitMs = options.waitMs;
  }
}

/** Nothing more is sent, because the sender may no longer send: its chunk is fenced, or its import does not run. */
export class PublishStopped extends Error {
  override name = 'PublishStopped';

  constructor() {
    super('The sender may no longer send');
  }
}
