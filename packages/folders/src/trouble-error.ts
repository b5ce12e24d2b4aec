type Facts = {
  detail?: string | null;
  /** Pause in ms that the folder's or list's server requests. Null: the usual pause. */
  waitMs?: number | null;
};

/** Thrown if a folder or list cannot be used. The message is a sentence. Message and `detail` contain no secrets. */
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
