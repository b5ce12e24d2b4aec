import { parseJson } from '@draftshelf/domain/base/parse-json';
import { BodyTooLarge, readBody } from '@draftshelf/runtime/read-body';
import { readRetryAfterMs } from '@draftshelf/runtime/retry-after';
import { z } from 'zod';
import { createStoreRefusal, StoreRefused, StoreUnavailable, unexpectedReplyError } from './store-errors.ts';

/** The state of the store's bucket of points, which nearly every response contains. */
const Throttle = z.object({
  currentlyAvailable: z.number(),
  maximumAvailable: z.number(),
  restoreRate: z.number(),
});
export type Throttle = z.infer<typeof Throttle>;

const Cost = z.object({ requestedQueryCost: z.number(), throttleStatus: Throttle });
const GraphqlError = z.object({
  message: z.string(),
  extensions: z
    .looseObject({ code: z.string().optional(), requiredAccess: z.string().optional() })
    .optional(),
});
type GraphqlError = z.infer<typeof GraphqlError>;

/** `errors` is a string in HTTP-level failures and an array in GraphQL failures. */
const Envelope = z.object({
  data: z.unknown().optional(),
  errors: z.union([z.string(), z.array(GraphqlError)]).optional(),
  extensions: z.object({ cost: Cost.optional() }).optional(),
});

export type Answer = {
  data: unknown;
  error: StoreRefused | StoreUnavailable | null;
  throttle: Throttle | null;
};

/** Parses an HTTP response of the Admin API: status, Retry-After header and body. Never throws. */
export function parseAnswer(status: number, retryAfter: string | null, text: string): Answer {
  const envelope = Envelope.safeParse(parseJson(text));
  const cost = envelope.data?.extensions?.cost;
  const throttle = cost?.throttleStatus ?? null;
  const errors = envelope.data?.errors;
  if (status !== 200) {
    const reply = typeof errors === 'string' ? errors : (errors?.[0]?.message ?? text.slice(0, 200));
    return { data: null, error: httpError(status, retryAfter, reply), throttle };
  }
  if (!envelope.success || (errors === undefined && envelope.data.data === undefined)) {
    const because = { reason: 'server', cause: text.slice(0, 200) } as const;
    return {
      data: null,
      error: new StoreUnavailable('Couldn’t read the store’s response.', because),
      throttle,
    };
  }
  if (typeof errors === 'string') {
    return { data: null, error: httpError(status, retryAfter, errors), throttle };
  }
  const { data } = envelope.data;
  const error = errors?.[0] ? graphqlError(errors[0], cost, data) : null;
  return { data: data ?? null, error, throttle };
}

/** Shown while a push waits. The screen adds the time at which the push resumes. */
const rateLimited = 'Waiting for Shopify’s rate limit.';

const forbidden =
  'The store refuses this app: it is blocked or uninstalled, or its IP allowlist lacks the address of this server.';

function httpError(
  status: number,
  retryAfter: string | null,
  reply: string,
): StoreRefused | StoreUnavailable {
  const detail = `HTTP ${status}: ${reply}`;
  const refused = (message: string, code: string) => createStoreRefusal(message, code, detail);
  // Shopify's Retry-After header has seconds, never a date.
  const waitMs = readRetryAfterMs(retryAfter, Number.NaN);
  const unavailable = (message: string, reason: 'server' | 'throttled' | 'locked') =>
    new StoreUnavailable(message, { reason, waitMs, cause: detail });
  if (status === 401) return refused('The store doesn’t accept the access token.', 'UNAUTHORIZED');
  if (status === 402 || status === 423) return unavailable('The store is frozen or locked.', 'locked');
  // The body of a 403 for an IP address that is not allowed is undocumented, so one sentence covers all reasons.
  if (status === 403) return refused(forbidden, 'FORBIDDEN');
  if (status === 404) {
    return refused('No Admin API found at that address; check the store URL and API version.', 'NOT_FOUND');
  }
  if (status === 429) return unavailable(rateLimited, 'throttled');
  if (status === 408 || status >= 500) return unavailable(`Shopify returned an error (${status}).`, 'server');
  if (status >= 300 && status < 400) {
    return refused('That address redirects; use the store’s myshopify.com address.', 'REDIRECT');
  }
  const message = `Shopify rejected the request (${status}).`;
  return new StoreRefused(message, { scope: 'request', code: `HTTP_${status}`, detail, hadNoEffect: true });
}

function graphqlError(
  error: GraphqlError,
  cost: z.infer<typeof Cost> | undefined,
  data: unknown,
): StoreRefused | StoreUnavailable {
  const code = error.extensions?.code ?? null;
  const detail = `${code ?? 'no code'}: ${error.message}`;
  // Nothing changed if `data` is absent (GraphQL spec 7.1: execution never began) or if all of its fields are null.
  const hadNoEffect = data === undefined;
  const refused = (message: string, as: string) =>
    createStoreRefusal(message, as, detail, hadNoEffect || isAllNull(data));
  if (code === 'THROTTLED') {
    const waitMs = cost ? throttledWaitMs(cost) : null;
    return new StoreUnavailable(rateLimited, { reason: 'throttled', waitMs, cause: detail });
  }
  if (code === 'INTERNAL_SERVER_ERROR' || code === 'TIMEOUT') {
    return new StoreUnavailable('Shopify had an internal error.', { reason: 'fault', cause: detail });
  }
  if (code === 'ACCESS_DENIED') {
    const access = error.extensions?.requiredAccess;
    const message = access
      ? `The access token is missing a permission: ${access.replaceAll('`', '')}`
      : 'The access token is missing a permission.';
    return refused(message, code);
  }
  if (code === 'SHOP_INACTIVE') return refused('The store is not active.', code);
  if (code === 'NOT_FOUND' && /metafield definition/i.test(error.message)) {
    return refused('The store is missing the metafield definition for product IDs.', 'DEFINITION_MISSING');
  }
  const message = `Shopify rejected the request: ${error.message}`;
  return new StoreRefused(message, { scope: 'request', code, detail, hadNoEffect });
}

/** Returns whether all fields of the data are null. */
function isAllNull(data: unknown): boolean {
  return data === null || (typeof data === 'object' && Object.values(data).every((field) => field === null));
}

function throttledWaitMs(cost: z.infer<typeof Cost>): number {
  const { currentlyAvailable, restoreRate } = cost.throttleStatus;
  return Math.max(0, Math.ceil(((cost.requestedQueryCost - currentlyAvailable) / restoreRate) * 1000));
}

/** Maximum size of a reply in bytes. The longest replies, which list many products, have less than 4 MB. */
const bytesMax = 16 * 1024 * 1024;

/** Returns the body of a reply of the store. Throws StoreRefused if the body has more than 16 MB. */
export const readReplyText = (response: Response): Promise<string> =>
  readBody(response.body, bytesMax).catch((error) => {
    if (!(error instanceof BodyTooLarge)) throw error;
    throw unexpectedReplyError(`The reply has more than ${bytesMax} bytes.`, 'REPLY_TOO_LARGE');
  });
