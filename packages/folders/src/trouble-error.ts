type Facts = {
  detail?: string | null;
  /** No requests within this time; null: the usual pause. */
  waitMs?: number | null;
};

/** A place or list that cannot be used. The message is a sentence; neither it nor `detail` has anything secret. */
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
