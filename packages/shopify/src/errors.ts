import type { UserError } from './replies.ts';

/**
 * Why the store could not be asked just now. `fault` is the store's own "something went wrong" about one request
 * (GENERIC_ERROR, INTERNAL_SERVER_ERROR): it may pass, but it may also come back for ever, so a caller should
 * count it as an attempt; the others are about the connection or the quota and may be waited out.
 */
export type UnavailableReason =
  | 'network'
  | 'timeout'
  | 'server'
  | 'throttled'
  | 'locked'
  | 'daily-limit'
  | 'fault';

/**
 * The store could not answer now and the same request may succeed later. Whether it took effect is unknown for
 * `network`, `timeout` and `server`: read by our id before sending again.
 */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
  readonly reason: UnavailableReason;
  /** How long the store asks us to wait; null if it does not say. */
  readonly waitMs: number | null;

  constructor(
    message: string,
    options: { reason: UnavailableReason; waitMs?: number | null; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.reason = options.reason;
    this.waitMs = options.waitMs ?? null;
  }
}

/**
 * The store understood and said no; the same request can never succeed. `scope` tells whether only this request
 * is wrong (the next product may pass) or every request would be refused (key, permission, address, set-up).
 */
export class StoreRefused extends Error {
  override name = 'StoreRefused';
  readonly scope: 'request' | 'store';
  /** The store's own code, such as INVALID_VARIANT or ACCESS_DENIED; null if it gave none. */
  readonly code: string | null;
  /** What the store said, for the technical details; `message` is the sentence for the operator. */
  readonly detail: string;
  /** Whether the answer proves that nothing was changed; where it does not, read by our id before sending again. */
  readonly hadNoEffect: boolean;

  constructor(
    message: string,
    options: { scope: 'request' | 'store'; code?: string | null; detail: string; hadNoEffect: boolean },
  ) {
    super(message);
    this.hadNoEffect = options.hadNoEffect;
    this.scope = options.scope;
    this.code = options.code ?? null;
    this.detail = options.detail;
  }
}

/** The two productSet codes that may pass by themselves (facts 2.1); all others are about what was sent. */
const passingUserErrorCodes: readonly string[] = ['GENERIC_ERROR', 'JOB_ERROR'];

/** Our id was taken between the store's look-up and its write: sent again, the same request is an update. */
const takenUserErrorCodes: readonly string[] = ['DUPLICATED_VALUE', 'CAPABILITY_VIOLATION', 'TAKEN'];

/** Whether the refusal is about a concurrent first creation with the same id. */
export function isTaken(error: unknown): boolean {
  return error instanceof StoreRefused && error.code !== null && takenUserErrorCodes.includes(error.code);
}

/**
 * The error that a mutation's userErrors stand for; null when there are none. `nowMs` dates the store's daily
 * limit on new variants, which ends at 00:00 UTC (facts 3.4); `hadNoEffect`: nothing came with the errors.
 */
export function userErrorsToError(
  userErrors: readonly UserError[],
  { nowMs, hadNoEffect }: { nowMs: number; hadNoEffect: boolean },
): StoreRefused | StoreUnavailable | null {
  const first = userErrors[0];
  if (!first) return null;
  const sentences = userErrors.map((error) => userErrorSentence(error));
  const detail = userErrors
    .map((error) => `${error.code ?? 'no code'} ${(error.field ?? []).join('.')}: ${error.message}`)
    .join('; ');
  if (/daily variant creation limit/i.test(first.message)) {
    return new StoreUnavailable(
      'The store has reached its daily limit of new variants; it takes more after 00:00 UTC.',
      {
        reason: 'daily-limit',
        waitMs: msUntilMidnightUtc(nowMs),
        cause: detail,
      },
    );
  }
  if (userErrors.every((error) => passingUserErrorCodes.includes(error.code ?? ''))) {
    return new StoreUnavailable('The store had an error of its own while it saved the product.', {
      reason: 'fault',
      cause: detail,
    });
  }
  return new StoreRefused(`The store refused the product: ${sentences.join(' ')}`, {
    scope: 'request',
    code: first.code ?? null,
    detail,
    hadNoEffect,
  });
}

/** "title is too long (maximum is 255 characters)" reads well only with its field in front. */
function userErrorSentence(error: UserError): string {
  const field = (error.field ?? []).filter((part) => part !== 'input').join(' › ');
  const text = /^[a-z]/.test(error.message) && field ? `${field} ${error.message}` : error.message;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function msUntilMidnightUtc(nowMs: number): number {
  const dayMs = 86_400_000;
  return dayMs - (nowMs % dayMs);
}
