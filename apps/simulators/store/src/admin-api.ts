import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Access } from './access.ts';
import type { Fault, Faults } from './faults.ts';
import type { GraphqlEndpoint } from './graphql-endpoint.ts';
import { parseBody, readBody, sendJson, sendText } from './http-body.ts';
import type { Stats } from './stats.ts';

export type AdminApiDeps = { access: Access; endpoint: GraphqlEndpoint; faults: Faults; stats: Stats };

/** Refused before execution, so the reply has no data. */
const shopInactive = {
  errors: [{ message: 'The shop is not active.', extensions: { code: 'SHOP_INACTIVE' } }],
};

/** Shopify answers an older version than the oldest one that it still has with that one. */
const oldestVersion = '2026-01';

const invalidToken = '[API] Invalid API key or access token (unrecognized login or wrong password)';

/** Answers POST /admin/api/<version>/graphql.json, with the faults set for it. */
export async function answerGraphql(
  request: IncomingMessage,
  response: ServerResponse,
  version: string,
  deps: AdminApiDeps,
): Promise<void> {
  const headers = {
    'x-request-id': randomUUID(),
    'x-shopify-api-version': version < oldestVersion ? oldestVersion : version,
  };
  const body = parseBody(await readBody(request), request.headers['content-type'] ?? '');
  const token = request.headers['x-shopify-access-token'];
  const query = typeof body?.query === 'string' ? body.query : null;
  const operation = query === null ? 'invalid' : deps.endpoint.operationName(query);
  deps.stats.requests[operation] = (deps.stats.requests[operation] ?? 0) + 1;

  const struck = deps.faults.strike(operation);
  const fault = <Kind extends Fault['kind']>(kind: Kind) =>
    struck.find((one): one is Extract<Fault, { kind: Kind }> => one.kind === kind);
  const delay = fault('delay');
  if (delay) await pause(delay.delayMs, undefined, { ref: false });
  if (fault('drop-before')) return drop(response, deps.stats);
  const status = fault('status');
  if (status) {
    const wait: Record<string, string> = status.retryAfter ? { 'retry-after': status.retryAfter } : {};
    return sendJson(response, status.status, { errors: statusText(status.status) }, { ...headers, ...wait });
  }
  if (fault('html'))
    return sendText(response, 502, 'text/html', '<html><h1>Bad gateway</h1></html>', headers);
  if (fault('unauthorized')) deps.access.expireAll();
  if (fault('unauthorized') || !deps.access.allows(typeof token === 'string' ? token : undefined)) {
    deps.stats.refused += 1;
    return sendJson(response, 401, { errors: invalidToken }, headers);
  }
  if (query === null)
    return sendJson(response, 400, { errors: { query: 'Required parameter missing or invalid' } }, headers);

  if (fault('inactive')) return sendJson(response, 200, shopInactive, headers);

  const variables = (body?.variables ?? {}) as Record<string, unknown>;
  const reply = await deps.endpoint.run(
    { query, variables },
    { throttled: fault('throttled') !== undefined, origin: `http://${request.headers.host}` },
  );
  const points = reply.extensions?.cost.actualQueryCost ?? 0;
  deps.stats.points[operation] = (deps.stats.points[operation] ?? 0) + points;
  if (reply.errors?.some((error) => error.extensions?.code === 'THROTTLED')) deps.stats.throttled += 1;
  if (fault('drop-after')) return drop(response, deps.stats);
  if (fault('truncated')) {
    const text = JSON.stringify(reply);
    return sendText(response, 200, 'application/json', text.slice(0, text.length / 2), headers);
  }
  if (fault('other-shape')) {
    return sendJson(response, 200, { ...reply, data: { [operation]: { result: 'done' } } }, headers);
  }
  sendJson(response, 200, reply, headers);
}

function drop(response: ServerResponse, stats: Stats): void {
  stats.dropped += 1;
  response.destroy();
}

function statusText(status: number): string {
  const texts: Record<number, string> = {
    402: 'Unavailable Shop',
    403: 'Unavailable Shop',
    404: 'Not Found',
    423: 'This store is unavailable',
    429: 'Exceeded 4 calls per second for api client. Reduce request rates to resume uninterrupted service.',
  };
  return texts[status] ?? 'Internal Server Error';
}
