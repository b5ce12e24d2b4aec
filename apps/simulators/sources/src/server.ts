import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenOn } from '@draftshelf/runtime/http-listener';
import { readBody } from '@draftshelf/runtime/read-body';
import { z } from 'zod';
import { answersOf, type KnownProduct } from './answers.ts';
import { type Arrival, Behavior, hasRoom, type SimulatedName, sentinelOf, simulated } from './behavior.ts';
import { demoProducts } from './demo-products.ts';
import { pictureOf } from './pictures.ts';

export type SourceSimulator = { listen(port: number): Promise<string>; close(): Promise<void> };

/** A product to add; without `pictures` it has one of ours. */
const NewProducts = z.array(
  z.object({
    gtin: z.string().regex(/^\d{14}$/),
    title: z.string(),
    brand: z.string().nullable().default(null),
    category: z.string().nullable().default(null),
    pictures: z.array(z.string()).optional(),
  }),
);
const NewBehavior = z.object({ source: z.enum(simulated), behavior: Behavior });

const bodyBytesMax = 16 * 1024 * 1024;
const arrivalsMax = 200_000;

type State = {
  url: string;
  products: Map<string, KnownProduct>;
  behaviors: Map<SimulatedName, Behavior>;
  arrivals: Arrival[];
};

/**
 * Three sources of product data with memory, and pictures. They know the products of the sample file and those of POST
 * /__products. GET /__journal lists all calls. It listens on loopback only and is for the demo and tests.
 */
export function createSourceSimulator(): SourceSimulator {
  const state: State = { url: '', products: new Map(), behaviors: new Map(), arrivals: [] };
  const server = createServer((request, response) => {
    answer(request, response, state).catch(() => response.destroy());
  });
  return {
    async listen(port) {
      state.url = `http://127.0.0.1:${await listenOn(server, port)}`;
      for (const [code, title, brand, category] of demoProducts) {
        const gtin = code.padStart(14, '0');
        state.products.set(gtin, { title, brand, category, pictures: [`${state.url}/pictures/${gtin}.png`] });
      }
      return state.url;
    },
    close: () => closeServer(server),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', state.url);
  if (pathname.startsWith('/__')) return answerControl(request, response, pathname, state);
  const [, picture] = /^\/pictures\/(\d{14})\.png$/.exec(pathname) ?? [];
  if (picture !== undefined) {
    response.writeHead(200, { 'content-type': 'image/png' }).end(pictureOf(picture));
    return;
  }
  if (pathname === '/v3/rate-limits') return answerLimits(response, searchParams.get('key'), state);
  const call = callOf(pathname, searchParams, request);
  if (call) return answerCall(response, call, state);
  response.writeHead(404).end();
}

type Call = { source: SimulatedName; code: string; key: string | null };

function callOf(path: string, query: URLSearchParams, { headers }: IncomingMessage): Call | null {
  if (/^\/prod\/(?:trial|v1)\/lookup$/.test(path)) {
    const key = headers.user_key;
    return { source: 'upcitemdb', code: query.get('upc') ?? '', key: typeof key === 'string' ? key : null };
  }
  if (path === '/v3/products') {
    return { source: 'barcode-lookup', code: query.get('barcode') ?? '', key: query.get('key') };
  }
  const [, code] = /^\/api\/v2\/product\/(\d+)\.json$/.exec(path) ?? [];
  return code === undefined ? null : { source: 'open-products-facts', code, key: null };
}

const isRefused = ({ keys }: Behavior, key: string | null): boolean =>
  keys !== undefined && key !== null && !keys.includes(key);

/** Replies with the remaining quota of a key of Barcode Lookup. It uses up no call. */
function answerLimits(response: ServerResponse, key: string | null, state: State): void {
  const behavior = state.behaviors.get('barcode-lookup') ?? Behavior.parse({});
  response.writeHead(isRefused(behavior, key) ? 403 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ remaining_calls_per_minute: String(behavior.perWindow) }));
}

async function answerCall(
  response: ServerResponse,
  { source, code, key }: Call,
  state: State,
): Promise<void> {
  const gtin = code.padStart(14, '0');
  const behavior = state.behaviors.get(source) ?? Behavior.parse({});
  const before = state.arrivals.filter((arrival) => arrival.source === source);
  const arrival: Arrival = { source, gtin, key, atMs: Date.now(), answered: 'nothing' };
  if (state.arrivals.length < arrivalsMax) state.arrivals.push(arrival);
  if (behavior.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, behavior.delayMs));
  const sentinel = sentinelOf(gtin);
  if (sentinel === 'silence') return;
  const reply = replyTo({ gtin, source, key, sentinel, behavior, before, nowMs: arrival.atMs }, state);
  arrival.answered = reply.kind;
  response.writeHead(reply.status, {
    'content-type': 'application/json',
    ...quotaHeaders(behavior, before, arrival),
  });
  response.end(reply.text);
}

type Asked = {
  gtin: string;
  source: SimulatedName;
  key: string | null;
  sentinel: ReturnType<typeof sentinelOf>;
  behavior: Behavior;
  before: readonly Arrival[];
  nowMs: number;
};

function replyTo({ gtin, source, key, sentinel, behavior, before, nowMs }: Asked, state: State) {
  if (isRefused(behavior, key)) return { kind: 'refused', status: 401, text: '{"code":"AUTH_ERR"}' };
  if (!hasRoom(before, behavior, nowMs))
    return { kind: 'over', status: 429, text: '{"code":"EXCEED_LIMIT"}' };
  if (sentinel === 'quota') return { kind: 'quota', status: 429, text: '{"code":"EXCEED_LIMIT"}' };
  const isTurn = behavior.failEvery > 0 && (before.length + 1) % behavior.failEvery === 0;
  if (sentinel === 'failure' || isTurn)
    return { kind: 'failure', status: 500, text: '{"code":"SERVER_ERR"}' };
  if (sentinel === 'garbage') return { kind: 'garbage', status: 200, text: '<html>It works!</html>' };
  const product = sentinel === 'miss' ? null : (state.products.get(gtin) ?? null);
  const { status, body } = answersOf[source](gtin, product);
  return { kind: product === null ? 'miss' : 'hit', status, text: JSON.stringify(body) };
}

/** The remaining quota in headers, true or not. Only UPCitemdb has such headers; others send them only with `lie`. */
function quotaHeaders(
  { perDay, dayMs, lie }: Behavior,
  before: readonly Arrival[],
  { atMs, source }: Arrival,
): Record<string, string> {
  if (source !== 'upcitemdb' && lie === 'none') return {};
  const today = before.filter((earlier) => earlier.atMs > atMs - dayMs).length;
  const left = Math.max(0, perDay - today - 1);
  const said = lie === 'more' ? left + 1_000 : lie === 'less' ? Math.floor(left / 2) : left;
  const resetMs = lie === 'less' ? 1_000 : 60_000;
  return {
    'x-ratelimit-limit': String(perDay),
    'x-ratelimit-remaining': String(said),
    'x-ratelimit-reset': String(Math.ceil((atMs + resetMs) / 1000)),
  };
}

async function answerControl(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  state: State,
): Promise<void> {
  const call = `${request.method} ${path}`;
  const json = (body: unknown) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (call === 'GET /__journal') return void json(state.arrivals);
  // A website that is open in a browser cannot send this type to another origin.
  if (request.headers['content-type'] !== 'application/json') return void response.writeHead(415).end();
  if (call === 'POST /__products') {
    for (const { gtin, pictures, ...product } of NewProducts.parse(await readJson(request))) {
      state.products.set(gtin, { ...product, pictures: pictures ?? [`${state.url}/pictures/${gtin}.png`] });
    }
    return void json({});
  }
  if (call === 'POST /__behavior') {
    const { source, behavior } = NewBehavior.parse(await readJson(request));
    state.behaviors.set(source, behavior);
    return void json({});
  }
  response.writeHead(404).end();
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  return JSON.parse(await readBody(request, bodyBytesMax));
}
