import type { UserError } from './replies.ts';

/**
 * `fault`: an internal error for one request (GENERIC_ERROR, INTERNAL_SERVER_ERROR). A fault may occur on every try,
 * so it counts as an attempt. The other reasons concern the connection or a quota: wait without counting an attempt.
 */
export type UnavailableReason =
  | 'network'
  | 'timeout'
  | 'server'
  | 'throttled'
  | 'locked'
  | 'daily-limit'
  | 'fault';

/** Thrown if a retry may succeed. After `network`, `timeout` or `server`, the call may have arrived: look up our id. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
  readonly reason: UnavailableReason;
  /** Pause in milliseconds that the store requires. Null if unknown. */
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

/** Thrown if a request can never succeed. `scope` 'store': the store refuses all requests (token, address, set-up). */
export class StoreRefused extends Error {
  override name = 'StoreRefused';
  readonly scope: 'request' | 'store';
  /** The store's own code, such as INVALID_VARIANT or ACCESS_DENIED. Null if it gave none. */
  readonly code: string | null;
  /** The store's own message, for technical details. `message` is the sentence for the operator. */
  readonly detail: string;
  /** True if the response proves that nothing changed. If false, read the product by our id before sending again. */
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

/** Creates an error for a refusal of all requests. */
export const createStoreRefusal = (message: string, code: string, detail: string, hadNoEffect = true) =>
  new StoreRefused(message, { scope: 'store', code, detail, hadNoEffect });

/** Creates an error for an unexpected reply to a call that may have had an effect. */
export const unexpectedReplyError = (detail: string, code = 'UNKNOWN_SHAPE', hadNoEffect = false) =>
  createStoreRefusal('Unexpected response from the store.', code, detail, hadNoEffect);

/** The two productSet codes after which a retry may succeed. All other codes concern the content of the request. */
const transientUserErrorCodes: readonly string[] = ['GENERIC_ERROR', 'JOB_ERROR'];

/** Another request created our id between the store's look-up and its write, so a retry becomes an update. */
const takenUserErrorCodes: readonly string[] = ['DUPLICATED_VALUE', 'CAPABILITY_VIOLATION', 'TAKEN'];

/** Returns whether the store refused the request because another request created the same id at the same time. */
export function isIdTaken(error: unknown): boolean {
  return error instanceof StoreRefused && error.code !== null && takenUserErrorCodes.includes(error.code);
}

/** Returns whether productSet was refused because the product has been deleted. */
export const isDeletedProductError = (error: unknown): boolean =>
  error instanceof StoreRefused && error.code === 'PRODUCT_DOES_NOT_EXIST';

const dayMs = 86_400_000;

/**
 * Throws the userErrors of a reply, if there are any. `now`: the clock for the wait until 00:00 UTC, when the daily
 * limit on new variants resets. `hadNoEffect`: the mutation returned no object. `of`: kind of the refused object.
 */
export function throwUserErrors(
  { now }: { now(): number },
  userErrors: readonly UserError[],
  { hadNoEffect, of = 'product' }: { hadNoEffect: boolean; of?: 'product' | 'quantity' | 'metafield' },
): void {
  const first = userErrors[0];
  if (!first) return;
  const sentences = userErrors.map(userErrorSentence);
  const detail = userErrors
    .map((error) => `${error.code ?? 'no code'} ${(error.field ?? []).join('.')}: ${error.message}`)
    .join('; ');
  if (/daily variant creation limit/i.test(first.message)) {
    const sentence = 'Daily limit for new variants reached; it resets at 00:00 UTC.';
    const waitMs = dayMs - (now() % dayMs);
    throw new StoreUnavailable(sentence, { reason: 'daily-limit', waitMs, cause: detail });
  }
  if (userErrors.every((error) => transientUserErrorCodes.includes(error.code ?? ''))) {
    const sentence = 'Shopify had an error while saving the product.';
    throw new StoreUnavailable(sentence, { reason: 'fault', cause: detail });
  }
  const message = `Shopify rejected the ${of}: ${sentences.join(' ')}`;
  throw new StoreRefused(message, { scope: 'request', code: first.code ?? null, detail, hadNoEffect });
}

/** Puts the field before messages such as "is too long (maximum is 255 characters)" and ends them with a period. */
function userErrorSentence(error: UserError): string {
  const field = (error.field ?? []).filter((part) => part !== 'input').join(' › ');
  const text = /^[a-z]/.test(error.message) && field ? `${field} ${error.message}` : error.message;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
