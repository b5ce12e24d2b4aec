import { type PlainFetch, plainFetch } from '@draftshelf/runtime/plain-fetch';
import { type Answer, parseAnswer, readReplyText, type Throttle } from './answer.ts';
import { requestCost } from './cost.ts';
import { barcodesSelection, type DocumentName, type DocumentVariables, documents } from './documents.ts';
import { type DocumentReply, replySchemas } from './replies.ts';
import { StoreRefused, StoreUnavailable, unexpectedReplyError } from './store-errors.ts';
import { type Credentials, createTokenSource } from './token.ts';

/** A store. `url` is https://<name>.myshopify.com. Only the simulator may use http, locally or between containers. */
export type Store = { url: string; apiVersion: string; credentials: Credentials };

/** Points reserved for a request. A budget may add fields; the client only passes the object back. */
export type Reservation = { points: number };

/**
 * The store's bucket of points, shared by all processes; its SQL is in packages/core. `reserve` waits until the points
 * are available. `report` is called exactly once per reservation: with the state of the bucket from the response, or
 * with null if the response had none or there was no response. With null, the points count as spent.
 */
export type Budget = {
  reserve(points: number, signal?: AbortSignal): Promise<Reservation>;
  report(throttle: Throttle | null, reservation: Reservation): Promise<void>;
};

export type ShopifyClientLogger = { warn(fields: Record<string, unknown>, message: string): void };

/** `refused`: the store would refuse any call, because of the token, the plan or a lock. `failed`: other failures. */
export type CallOutcome = 'answered' | 'throttled' | 'refused' | 'failed';

export type ShopifyClientDeps = {
  budget: Budget;
  fetch?: PlainFetch;
  logger?: ShopifyClientLogger;
  /** Called with the outcome of each call and whether the store replied with another API version. */
  onCall?: (outcome: CallOutcome, isOtherVersion: boolean) => void;
  /** The clock for token expiry and daily limits. Default: Date.now. */
  now?: () => number;
};

/**
 * `reservation`: points that were already reserved; if absent, the request reserves them. Before each send, the client
 * awaits `beforeSend` and rethrows its errors. Nothing is sent after `signal` has aborted.
 */
export type RequestOptions = {
  signal?: AbortSignal;
  timeoutMs?: number;
  reservation?: Reservation;
  beforeSend?: () => Promise<void>;
};

export type ShopifyClient = {
  readonly store: { readonly url: string; readonly apiVersion: string };
  now(): number;
  /**
   * Sends a document and returns its parsed data, which may contain userErrors. Throws StoreUnavailable if a retry may
   * succeed, StoreRefused if it cannot, or the reason of `signal`. A THROTTLED request had no effect and is repeated
   * up to three times.
   */
  request<Name extends DocumentName>(
    name: Name,
    variables: DocumentVariables[Name],
    options?: RequestOptions,
  ): Promise<DocumentReply<Name>>;
};

type Sent = Answer & { isOtherVersion: boolean };

const headersOfAll = { 'content-type': 'application/json', accept: 'application/json' };
const requestMsMax = 30_000;
const throttledTriesMax = 4;
/** Maximum number of tokens tried per call. If the app's tokens are being revoked, even a new token may be refused. */
const tokensTriedMax = 4;

/** Creates a client. Throws if the URL is neither https nor local: the access token would be sent unencrypted. */
export function createShopifyClient(store: Store, deps: ShopifyClientDeps): ShopifyClient {
  const url = parseStoreOrigin(store.url);
  const endpoint = `${url}/admin/api/${store.apiVersion}/graphql.json`;
  const send = deps.fetch ?? plainFetch;
  const now = deps.now ?? Date.now;
  const tokens = createTokenSource(store.credentials, { url, fetch: send, now });

  let hasBarcodes = true;

  async function sendOnce(body: string, options: RequestOptions): Promise<Sent> {
    const timeout = AbortSignal.timeout(options.timeoutMs ?? requestMsMax);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    let refused: { error: unknown } | undefined;
    try {
      for (let tryNumber = 1; ; tryNumber += 1) {
        const token = await tokens.current(signal);
        await options.beforeSend?.().catch((error: unknown) => {
          refused = { error };
          throw error;
        });
        signal.throwIfAborted();
        const headers = { ...headersOfAll, 'x-shopify-access-token': token };
        // Following a redirect would send the access token to an address that the operator did not enter.
        const response = await send(endpoint, { method: 'POST', headers, body, redirect: 'manual', signal });
        const text = await readReplyText(response);
        const isRefused = response.status === 401 && tokens.renew(token);
        if (isRefused && tryNumber < tokensTriedMax) continue;
        const answer = parseAnswer(response.status, response.headers.get('retry-after'), text);
        // For a retired version, Shopify answers with the oldest supported version; only this header shows the change.
        const version = response.headers.get('x-shopify-api-version');
        return { ...answer, isOtherVersion: version !== null && version !== store.apiVersion };
      }
    } catch (cause) {
      if (refused) throw refused.error;
      options.signal?.throwIfAborted();
      if (cause instanceof StoreRefused || cause instanceof StoreUnavailable) throw cause;
      if (timeout.aborted) {
        throw new StoreUnavailable('The store took too long to respond.', { reason: 'timeout', cause });
      }
      throw new StoreUnavailable('Couldn’t reach the store.', { reason: 'network', cause });
    }
  }

  async function paced(name: DocumentName, points: number, body: string, options: RequestOptions) {
    for (let tryNumber = 1; ; tryNumber += 1) {
      const reserved = tryNumber === 1 ? options.reservation : undefined;
      const reservation = reserved ?? (await deps.budget.reserve(points, options.signal));
      let answer: Sent;
      try {
        answer = await sendOnce(body, options);
      } catch (error) {
        deps.onCall?.(outcomeOf(error), false);
        await deps.budget.report(null, reservation);
        throw error;
      }
      deps.onCall?.(outcomeOf(answer.error), answer.isOtherVersion);
      await deps.budget.report(answer.throttle, reservation);
      const { error } = answer;
      if (!error) return answer.data;
      const isThrottled = error instanceof StoreUnavailable && error.reason === 'throttled';
      if (!isThrottled || tryNumber === throttledTriesMax) throw error;
      const said = { document: name, tryNumber, waitMs: error.waitMs };
      deps.logger?.warn(said, 'waiting for the rate limit of the store');
    }
  }

  async function sendDocument<Name extends DocumentName>(
    name: Name,
    variables: DocumentVariables[Name],
    options: RequestOptions,
  ): Promise<unknown> {
    const query = hasBarcodes ? documents[name] : documents[name].replaceAll(barcodesSelection, '');
    const body = JSON.stringify({ query, variables });
    try {
      return await paced(name, requestCost(name, variables), body, options);
    } catch (error) {
      if (!isUnknownField(error) || !query.includes(barcodesSelection)) throw error;
      hasBarcodes = false;
      const { reservation: _, ...again } = options;
      return sendDocument(name, variables, again);
    }
  }

  return {
    store: { url, apiVersion: store.apiVersion },
    now,
    async request(name, variables, options = {}) {
      const data = await sendDocument(name, variables, options);
      const parsed = replySchemas[name].safeParse(data);
      if (parsed.success) return parsed.data as DocumentReply<typeof name>;
      const places = parsed.error.issues.map((issue) => issue.path.join('.'));
      throw unexpectedReplyError(`${name}: ${places.join(', ')}`);
    },
  };
}

function outcomeOf(error: unknown): CallOutcome {
  if (!error) return 'answered';
  if (error instanceof StoreRefused) return error.scope === 'store' ? 'refused' : 'answered';
  if (!(error instanceof StoreUnavailable)) return 'failed';
  if (error.reason === 'throttled') return 'throttled';
  return error.reason === 'locked' ? 'refused' : 'failed';
}

const isUnknownField = (error: unknown) => error instanceof StoreRefused && error.code === 'undefinedField';

/** Returns whether a store is the simulator, the only one that is reached without TLS. */
export const isSimulatedStore = ({ url }: Pick<Store, 'url'>): boolean => url.startsWith('http:');

/** Returns the origin of a store URL. Throws for http, unless the host is loopback or a name without a dot. */
export function parseStoreOrigin(text: string): string {
  const url = new URL(text);
  // A name without a dot is localhost or a container in the same network, where the simulator may run.
  const isLocal = ['127.0.0.1', '[::1]'].includes(url.hostname) || /^[a-z\d-]+$/.test(url.hostname);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)) return url.origin;
  throw new Error('The store URL must start with https:// (http:// only works for local addresses).');
}

/** Returns the URL of a product in the store's admin: `https://…/admin/products/<number>`. */
export function productAdminUrl(storeUrl: string, productId: string): string {
  return `${parseStoreOrigin(storeUrl)}/admin/products/${productId.slice(productId.lastIndexOf('/') + 1)}`;
}

/** Allowed difference between the clocks of the store and the server. */
const clocksMs = 60_000;

/** Returns the URL at which the store's admin lists the drafts that were created between two times. */
export function draftsAdminUrl(storeUrl: string, from: Date, to: Date): string {
  const at = (time: Date, byMs: number) => new Date(time.getTime() + byMs).toISOString();
  const query = `status:draft created_at:>='${at(from, -clocksMs)}' created_at:<='${at(to, clocksMs)}'`;
  return `${parseStoreOrigin(storeUrl)}/admin/products?${new URLSearchParams({ selectedView: 'all', query })}`;
}
