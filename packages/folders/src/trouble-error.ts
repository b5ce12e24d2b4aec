type Facts = {
  detail?: string | null;
  /** Pause in ms that the place requests. Null: the usual pause. */
  waitMs?: number | null;
};

/** Thrown if a place or list cannot be used. The message is a sentence. Message and `detail` contain no secrets. */
export class TroubleError<Kind extends string> extends Error {
  readonly kind: Kind;
  readonly detail: string | null;
  readonly waitMs: number | null;

  constructor(kind: Kind, sentence: string, { detail = null, waitMs = null }: Facts = {}) {
    super(sentence);
    this.kind = kind;
    this.detail = detail;
    this.waitMs = waitMs;
  }
}
