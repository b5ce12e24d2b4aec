import { type Answer, readAnswer, type Throttle } from './answer.ts';
import { requestPoints } from './cost.ts';
import { type DocumentName, type DocumentVariables, documents } from './documents.ts';
import { StoreRefused, StoreUnavailable } from './errors.ts';
import { type DocumentReply, replies } from './replies.ts';
import { type Credentials, createTokenSource } from './token.ts';

/** A store: `url` is https://<name>.myshopify.com, or http on this machine or between containers for the simulator. */
export type Store = { url: string; apiVersion: string; credentials: Credentials };

/** Points set aside for one request. The budget may carry more in it; the client only hands it back. */
export type Reservation = { points: number };

/**
 * The shared bucket of the store's points; its SQL lives in packages/database (decisions P22).
 * `reserve` waits until the points are there. `report` is called exactly once for each reservation: with what the
 * store said, or with null when no answer came or it told nothing, in which case the points count as spent.
 */
export type Budget = {
  reserve(points: number, signal?: AbortSignal): Promise<Reservation>;
  report(throttle: Throttle | null, reservation: Reservation): Promise<void>;
};

export type ShopifyClientLogger = { warn(fields: Record<string, unknown>, message: string): void };

export type ShopifyClientDeps = {
  budget: Budget;
  fetch?: typeof fetch;
  logger?: ShopifyClientLogger;
  /** The clock for token expiry and daily limits; Date.now unless a test says otherwise. */
  now?: () => number;
};

export type RequestOptions = { signal?: AbortSignal; timeoutMs?: number };

export type ShopifyClient = {
  readonly store: { readonly url: string; readonly apiVersion: string };
  now(): number;
  /**
   * Sends one of our documents and answers its parsed data (userErrors included, see `setProduct`).
   * Throws StoreUnavailable (may be tried again), StoreRefused (can never succeed), or the reason of an aborted
   * `signal`. A THROTTLED answer took no effect: it is sent again, through the budget, up to three times.
   */
  request<Name extends DocumentName>(
    name: Name,
    variables: DocumentVariables[Name],
    options?: RequestOptions,
  ): Promise<DocumentReply<Name>>;
};

const requestMsMax = 30_000;
const throttledTriesMax = 4;

/**
 * A client for one store. Throws if the store's URL is not https (http is for loopback only: the access token
 * would travel in the clear).
 */
export function createShopifyClient(store: Store, deps: ShopifyClientDeps): ShopifyClient {
  const url = storeOrigin(store.url);
  const endpoint = `${url}/admin/api/${store.apiVersion}/graphql.json`;
  const send = deps.fetch ?? fetch;
  const now = deps.now ?? Date.now;
  const tokens = createTokenSource(store.credentials, { url, fetch: send, now });

  async function sendOnce(body: string, options: RequestOptions): Promise<Answer> {
    const timeout = AbortSignal.timeout(options.timeoutMs ?? requestMsMax);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    try {
      const token = await tokens.current(signal);
      let response = await post(send, endpoint, token, body, signal);
      if (response.status === 401 && tokens.renew(token)) {
        response = await post(send, endpoint, await tokens.current(signal), body, signal);
      }
      return readAnswer(response.status, response.retryAfter, response.text);
    } catch (cause) {
      options.signal?.throwIfAborted();
      if (cause instanceof StoreRefused || cause instanceof StoreUnavailable) throw cause;
      if (timeout.aborted) {
        throw new StoreUnavailable('The store did not answer in time.', { reason: 'timeout', cause });
      }
      throw new StoreUnavailable('The store could not be reached.', { reason: 'network', cause });
    }
  }

  async function paced(name: DocumentName, points: number, body: string, options: RequestOptions) {
    for (let tryNumber = 1; ; tryNumber += 1) {
      const reservation = await deps.budget.reserve(points, options.signal);
      let answer: Answer;
      try {
        answer = await sendOnce(body, options);
      } catch (error) {
        await deps.budget.report(null, reservation);
        throw error;
      }
      await deps.budget.report(answer.throttle, reservation);
      if (!answer.error) return answer.data;
      if (!isThrottled(answer.error) || tryNumber === throttledTriesMax) throw answer.error;
      deps.logger?.warn({ document: name, tryNumber, waitMs: answer.error.waitMs }, 'store quota used up');
    }
  }

  return {
    store: { url, apiVersion: store.apiVersion },
    now,
    async request(name, variables, options = {}) {
      const body = JSON.stringify({ query: documents[name], variables });
      const data = await paced(name, requestPoints(name, variables), body, options);
      const parsed = replies[name].safeParse(data);
      if (parsed.success) return parsed.data as DocumentReply<typeof name>;
      throw new StoreRefused('The store answers in a shape that this version does not know.', {
        scope: 'store',
        code: 'UNKNOWN_SHAPE',
        detail: `${name}: ${parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')}`,
        hadNoEffect: false,
      });
    },
  };
}

function isThrottled(error: StoreRefused | StoreUnavailable): error is StoreUnavailable {
  return error instanceof StoreUnavailable && error.reason === 'throttled';
}

async function post(send: typeof fetch, endpoint: string, token: string, body: string, signal: AbortSignal) {
  const response = await send(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'x-shopify-access-token': token,
    },
    body,
    // A followed redirect would carry the access token to an address nobody entered.
    redirect: 'manual',
    signal,
  });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    text: await response.text(),
  };
}

/** The origin of a store URL. Throws where it is http and neither of this machine nor of a container's name. */
export function storeOrigin(text: string): string {
  const url = new URL(text);
  // A name without a dot is this machine (localhost) or a container of the same network, where the simulator runs.
  const isNear = ['127.0.0.1', '[::1]'].includes(url.hostname) || /^[a-z\d-]+$/.test(url.hostname);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isNear)) return url.origin;
  throw new Error(
    'The store URL must begin with https:// (http:// is for loopback addresses and names without a dot only).',
  );
}

/** Where a product opens in the store's admin: `https://…/admin/products/<number>`. */
export function productAdminUrl(storeUrl: string, productId: string): string {
  return `${storeOrigin(storeUrl)}/admin/products/${productId.slice(productId.lastIndexOf('/') + 1)}`;
}
