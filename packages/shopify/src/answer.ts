import { z } from 'zod';
import { StoreRefused, StoreUnavailable } from './errors.ts';

/** What the store's bucket of points holds, as it reports with nearly every answer. */
export type Throttle = { currentlyAvailable: number; maximumAvailable: number; restoreRate: number };

const Cost = z.object({
  requestedQueryCost: z.number(),
  throttleStatus: z.object({
    currentlyAvailable: z.number(),
    maximumAvailable: z.number(),
    restoreRate: z.number(),
  }),
});
const GraphqlError = z.object({
  message: z.string(),
  extensions: z
    .looseObject({ code: z.string().optional(), requiredAccess: z.string().optional() })
    .optional(),
});
type GraphqlError = z.infer<typeof GraphqlError>;

/** `errors` is a string on HTTP-level failures and an array on GraphQL ones (facts 3.3). */
const Envelope = z.object({
  data: z.unknown().optional(),
  errors: z.union([z.string(), z.array(GraphqlError)]).optional(),
  extensions: z.object({ cost: Cost.optional() }).optional(),
});

/** A parsed answer: the data or the error it stands for, and the bucket if the store told of it. */
export type Answer = {
  data: unknown;
  error: StoreRefused | StoreUnavailable | null;
  throttle: Throttle | null;
};

/** Reads an HTTP answer of the Admin API. Never throws: everything that can come back is an Answer. */
export function readAnswer(status: number, retryAfter: string | null, text: string): Answer {
  const envelope = Envelope.safeParse(parseJson(text));
  const cost = envelope.data?.extensions?.cost;
  const throttle = cost?.throttleStatus ?? null;
  const errors = envelope.data?.errors;
  if (status !== 200) {
    const said = typeof errors === 'string' ? errors : (errors?.[0]?.message ?? text.slice(0, 200));
    return { data: null, error: httpError(status, retryAfter, said), throttle };
  }
  if (!envelope.success || (errors === undefined && envelope.data.data === undefined)) {
    const error = new StoreUnavailable('The store’s answer could not be read.', {
      reason: 'server',
      cause: text.slice(0, 200),
    });
    return { data: null, error, throttle };
  }
  if (typeof errors === 'string') {
    return { data: null, error: httpError(status, retryAfter, errors), throttle };
  }
  const { data } = envelope.data;
  const error = errors?.[0] ? graphqlError(errors[0], cost, data) : null;
  return { data: data ?? null, error, throttle };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function httpError(status: number, retryAfter: string | null, said: string): StoreRefused | StoreUnavailable {
  const detail = `HTTP ${status}: ${said}`;
  const refused = (message: string, code: string) =>
    new StoreRefused(message, { scope: 'store', code, detail, hadNoEffect: true });
  const unavailable = (message: string, reason: 'server' | 'throttled' | 'locked') =>
    new StoreUnavailable(message, { reason, waitMs: retryAfterMs(retryAfter), cause: detail });
  if (status === 401) return refused('The store does not accept the access token.', 'UNAUTHORIZED');
  if (status === 402 || status === 423)
    return unavailable('The store is frozen or locked just now.', 'locked');
  if (status === 403) return refused('The store refuses this app.', 'FORBIDDEN');
  if (status === 404) {
    return refused(
      'There is no Admin API at the store’s address; check the store URL and API version.',
      'NOT_FOUND',
    );
  }
  if (status === 429) return unavailable('The store asks for fewer requests.', 'throttled');
  if (status === 408 || status >= 500)
    return unavailable(`The store answers with an error (${status}).`, 'server');
  if (status >= 300 && status < 400) {
    return refused('The store’s address leads to another one; enter its myshopify.com address.', 'REDIRECT');
  }
  return new StoreRefused(`The store refused the request (${status}).`, {
    scope: 'request',
    code: `HTTP_${status}`,
    detail,
    hadNoEffect: true,
  });
}

/** Retry-After comes in decimal seconds ("2.0"); read as an integer of milliseconds it would be no wait at all. */
function retryAfterMs(retryAfter: string | null): number | null {
  const seconds = Number.parseFloat(retryAfter ?? '');
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds * 1000) : null;
}

function graphqlError(
  error: GraphqlError,
  cost: z.infer<typeof Cost> | undefined,
  data: unknown,
): StoreRefused | StoreUnavailable {
  const code = error.extensions?.code ?? null;
  const detail = `${code ?? 'no code'}: ${error.message}`;
  // Without `data` the request was never begun (GraphQL spec 7.1); these refusals come before a field does its work.
  const hadNoEffect = data === undefined;
  const refusedBeforehand = hadNoEffect || isBare(data);
  if (code === 'THROTTLED') {
    return new StoreUnavailable('The store’s quota is used up for the moment.', {
      reason: 'throttled',
      waitMs: cost ? throttledWaitMs(cost) : null,
      cause: detail,
    });
  }
  if (code === 'INTERNAL_SERVER_ERROR' || code === 'TIMEOUT') {
    return new StoreUnavailable('The store had an error of its own.', { reason: 'fault', cause: detail });
  }
  if (code === 'ACCESS_DENIED') {
    const access = error.extensions?.requiredAccess;
    const message = access
      ? `The access token lacks a permission; needed: ${access.replaceAll('`', '')}`
      : 'The access token lacks a permission.';
    return new StoreRefused(message, { scope: 'store', code, detail, hadNoEffect: refusedBeforehand });
  }
  if (code === 'SHOP_INACTIVE') {
    return new StoreRefused('The store is not active.', {
      scope: 'store',
      code,
      detail,
      hadNoEffect: refusedBeforehand,
    });
  }
  if (code === 'NOT_FOUND' && /metafield definition/i.test(error.message)) {
    const message = 'The store lacks the metafield definition that carries our product ids.';
    return new StoreRefused(message, {
      scope: 'store',
      code: 'DEFINITION_MISSING',
      detail,
      hadNoEffect: refusedBeforehand,
    });
  }
  return new StoreRefused(`The store refused the request: ${error.message}`, {
    scope: 'request',
    code,
    detail,
    hadNoEffect,
  });
}

/** No field was answered at all. */
function isBare(data: unknown): boolean {
  return data === null || (typeof data === 'object' && Object.values(data).every((field) => field === null));
}

function throttledWaitMs(cost: z.infer<typeof Cost>): number {
  const { currentlyAvailable, restoreRate } = cost.throttleStatus;
  return Math.max(0, Math.ceil(((cost.requestedQueryCost - currentlyAvailable) / restoreRate) * 1000));
}
