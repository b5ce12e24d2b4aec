import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { closeServer, listenOn } from '@draftshelf/runtime/http-listener';
import { readBody } from '@draftshelf/runtime/read-body';
import { type Arrival, Behavior, type CallKind, type Fault } from './behavior.ts';
import { control } from './control.ts';
import { createDrive, type Drive } from './drive.ts';
import { findCall, type GraphReply } from './graph-calls.ts';
import { codePage, createLogin, type Login } from './login.ts';

export type GraphSimulator = { listen(port: number): Promise<string>; close(): Promise<void> };

const bodyBytesMax = 64 * 1024 * 1024;
const arrivalsMax = 200_000;

type State = {
  url: string;
  drive: Drive;
  login: Login;
  behavior: Behavior;
  arrivals: Arrival[];
  contents: Map<string, { id: string; until: number }>;
};

/** A folder to begin with, so that the default path of the screens exists. */
const firstFolder = '/SCD CSV Processing';

/**
 * Microsoft's login server and Graph's files in one, with memory: one account with one drive. Its address replaces
 * both hosts. POST /__files puts, changes and removes files, POST /__behavior makes it answer badly, GET /__journal
 * lists all calls, GET /device is the page for codes. It listens on loopback only and is for the demo and tests.
 */
export function createGraphSimulator(): GraphSimulator {
  const state: State = {
    url: '',
    drive: createDrive(),
    login: createLogin(() => state.behavior),
    behavior: Behavior.parse({}),
    arrivals: [],
    contents: new Map(),
  };
  state.drive.makeFolder(state.drive.root.id, firstFolder.slice(1));
  const server = createServer((request, response) => {
    answer(request, response, state).catch(() => response.destroy());
  });
  return {
    async listen(port) {
      state.url = `http://127.0.0.1:${await listenOn(server, port)}`;
      return state.url;
    },
    close: () => closeServer(server),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const url = new URL(request.url ?? '/', state.url);
  if (url.pathname.startsWith('/__')) return answerControl(request, response, url.pathname, state);
  if (url.pathname === '/device') return answerCodePage(request, response, state);
  if (url.pathname.startsWith('/contents/')) return answerContents(request, response, url, state);
  if (url.pathname.startsWith('/v1.0/')) return answerGraph(request, response, url, state);
  return answerLogin(request, response, url, state);
}

const sendJson = (response: ServerResponse, { status, body, headers = {} }: GraphReply) =>
  response
    .writeHead(status, { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) })
    .end(body === undefined ? undefined : JSON.stringify(body));

/** Notes a call. Its path has no query: tokens and signatures are in queries. */
function note(state: State, kind: CallKind, request: IncomingMessage, url: URL): Arrival {
  const authorized = request.headers.authorization !== undefined;
  const arrival = { kind, method: request.method ?? '', path: url.pathname, authorized, answered: 0 };
  if (state.arrivals.length < arrivalsMax) state.arrivals.push(arrival);
  return arrival;
}

/** Takes the fault for the next call of a kind, if there is one. */
function takeFault(state: State, kind: CallKind, name?: string): Fault | undefined {
  const { faults } = state.behavior;
  const fault = faults.find((one) => one.on === kind && (one.name === undefined || one.name === name));
  if (!fault) return undefined;
  fault.times -= 1;
  if (fault.times === 0) faults.splice(faults.indexOf(fault), 1);
  return fault;
}

function faultReply({ status, code = 'simulated', retryAfter, location }: Fault, next: string): GraphReply {
  const headers: Record<string, string> = {};
  if (retryAfter) {
    const { seconds, as } = retryAfter;
    const date = new Date(Date.now() + seconds * 1_000).toUTCString();
    headers['retry-after'] = as === 'date' ? date : String(seconds);
  }
  if (location) headers.location = next;
  return { status, headers, body: { error: { code, message: `${code}.` } } };
}

async function answerGraph(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  state: State,
): Promise<void> {
  const path = url.pathname.slice('/v1.0'.length);
  const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
  const call = {
    method: request.method ?? 'GET',
    path,
    query: url.searchParams,
    ifMatch: request.headers['if-match'],
    body:
      request.method === 'POST' || request.method === 'PATCH'
        ? JSON.parse(await readBody(request, bodyBytesMax))
        : null,
  };
  const found = findCall(call, state);
  const arrival = note(state, found.kind, request, url);
  const fault = takeFault(state, found.kind, found.item?.name);
  const reply = fault
    ? faultReply(fault, `${state.url}${url.pathname}`)
    : state.login.scopeOf(token) === null
      ? { status: 401, body: { error: { code: 'InvalidAuthenticationToken', message: 'Expired.' } } }
      : found.reply();
  arrival.answered = reply.status;
  sendJson(response, reply);
}

async function answerLogin(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  state: State,
): Promise<void> {
  const [, end] = /^\/[^/]+\/oauth2\/v2\.0\/(devicecode|token)$/.exec(url.pathname) ?? [];
  const kind: CallKind = end === 'devicecode' || end === 'token' ? end : 'discovery';
  const arrival = note(state, kind, request, url);
  const fault = takeFault(state, kind);
  const form = new URLSearchParams(request.method === 'POST' ? await readBody(request, bodyBytesMax) : '');
  const reply = fault
    ? {
        ...faultReply(fault, ''),
        body: { error: fault.code ?? 'server_error', error_description: 'AADSTS1: Simulated.' },
      }
    : end === 'devicecode'
      ? state.login.begin(form, state.url)
      : end === 'token'
        ? state.login.token(form)
        : { status: 404, body: { error: 'not_found' } };
  arrival.answered = reply.status;
  sendJson(response, reply);
}

/** Contents: the address alone is the permission, and an Authorization header is refused. */
async function answerContents(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  state: State,
): Promise<void> {
  const arrival = note(state, 'download', request, url);
  const found = state.contents.get(url.pathname.slice('/contents/'.length));
  const item = found && state.drive.items.get(found.id);
  const fault = takeFault(state, 'download', item?.name);
  const { breaksAfterBytes = Number.POSITIVE_INFINITY, pieceBytes, pieceDelayMs } = state.behavior;
  const status = fault?.status ?? contentsStatus(request, found, item !== undefined);
  arrival.answered = status;
  if (status !== 200 || !item) return void response.writeHead(status).end();
  const { bytes } = item;
  response.writeHead(200, { 'content-type': 'text/csv', 'content-length': bytes.length });
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    if (from >= breaksAfterBytes) return void response.destroy();
    if (pieceDelayMs > 0) await pause(pieceDelayMs);
    if (response.destroyed) return;
    await new Promise((resolve) => response.write(bytes.subarray(from, from + pieceBytes), resolve));
  }
  response.end();
}

function contentsStatus(
  { headers }: IncomingMessage,
  found: { until: number } | undefined,
  isThere: boolean,
): number {
  if (headers.authorization !== undefined) return 403;
  if (!found || found.until <= Date.now()) return 401;
  return isThere ? 200 : 404;
}

async function answerCodePage(
  request: IncomingMessage,
  response: ServerResponse,
  state: State,
): Promise<void> {
  let message: string | null = null;
  if (request.method === 'POST') {
    const form = new URLSearchParams(await readBody(request, bodyBytesMax));
    const allowed = form.get('answer') === 'allow';
    const taken = state.login.answer(form.get('code') ?? '', allowed);
    message = taken
      ? `${allowed ? 'Allowed' : 'Declined'}. You can close this page.`
      : 'This code is not known, or it is not allowed here.';
  }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(codePage(message));
}

async function answerControl(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  state: State,
): Promise<void> {
  // A website that is open in a browser cannot send this type to another origin.
  if (request.method !== 'GET' && request.headers['content-type'] !== 'application/json') {
    return void response.writeHead(415).end();
  }
  const text = request.method === 'POST' ? await readBody(request, bodyBytesMax) : '';
  const body = control(`${request.method} ${path}`, () => JSON.parse(text), state);
  if (body === null) return void response.writeHead(404).end();
  sendJson(response, { status: 200, body });
}
