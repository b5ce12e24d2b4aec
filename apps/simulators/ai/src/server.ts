import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBody } from '@draftshelf/runtime/read-body';
import { type Arrival, Behavior, behaviorDefault, models, type Sentinel, sentinelOf } from './behavior.ts';
import { type Completion, completionOf } from './completions.ts';
import {
  badParameter,
  badStructure,
  type Refusal,
  refusalOf,
  serverError,
  unknownModel,
  wrongKey,
} from './refusals.ts';
import { ChatRequest, dataOf, structureOf, tokensOf } from './request.ts';

export type AiSimulator = { listen(port: number): Promise<string>; close(): Promise<void> };

const bodyBytesMax = 16 * 1024 * 1024;
const arrivalsMax = 200_000;

type State = { behavior: Required<Behavior>; arrivals: Arrival[] };

/**
 * A service with OpenAI's chat completions and a memory: it answers from the words of the products in the request. GET
 * /__journal lists all calls, POST /__behavior changes how it behaves. It listens on loopback only and is for the demo
 * and tests. `listen` returns its base address, with /v1.
 */
export function createAiSimulator(): AiSimulator {
  const state: State = { behavior: { ...behaviorDefault }, arrivals: [] };
  const server = createServer((request, response) => {
    answer(request, response, state).catch(() => response.destroy());
  });
  return {
    async listen(port) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, '127.0.0.1', resolve);
      });
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const call = `${request.method} ${request.url}`;
  if (call === 'GET /__journal') return sendJson(response, 200, state.arrivals);
  // A website that is open in a browser cannot send this type to another origin.
  if (!request.headers['content-type']?.startsWith('application/json'))
    return void response.writeHead(415).end();
  if (call === 'POST /__behavior') {
    state.behavior = { ...state.behavior, ...Behavior.parse(await readJson(request)) };
    return sendJson(response, 200, {});
  }
  if (call === 'POST /v1/chat/completions') return complete(request, response, state);
  response.writeHead(404).end();
}

async function complete(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const asked = ChatRequest.parse(await readJson(request));
  const titles = dataOf(asked)?.products.map(({ title }) => title) ?? [];
  const tokensOutMax = asked.max_tokens ?? asked.max_completion_tokens ?? null;
  const key = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? null;
  const arrival: Arrival = {
    ...{ model: asked.model, key, structure: structureOf(asked), titles, atMs: Date.now(), endedAtMs: null },
    ...{ answered: 'nothing', tokensIn: tokensOf(asked, state.behavior.bytesPerToken) },
    ...{ tokensOut: tokensOutMax ?? 0, tokensOutMax },
  };
  state.arrivals.push(arrival);
  if (state.arrivals.length > arrivalsMax) state.arrivals.shift();
  response.once('close', () => {
    arrival.endedAtMs = Date.now();
    if (!response.writableFinished) arrival.answered = 'aborted';
  });
  const sentinel = sentinelOf(titles);
  await pause(sentinel === 'late' ? state.behavior.lateMs : state.behavior.delayMs, response);
  if (response.destroyed) return;
  const refusal = refusalTo(asked, arrival, sentinel, state);
  if (refusal) return refuse(response, arrival, refusal);
  await send(response, asked, arrival, sentinel, state.behavior);
}

/** Waits, at most until the client goes away. */
function pause(ms: number, response: ServerResponse): Promise<void> {
  if (ms === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      response.off('close', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    response.once('close', end);
  });
}

function refusalTo(asked: ChatRequest, { key, structure }: Arrival, sentinel: Sentinel | null, state: State) {
  const { keys, failEvery } = state.behavior;
  if (keys !== null && (key === null || !keys.includes(key))) return wrongKey;
  if (!(models as readonly string[]).includes(asked.model)) return unknownModel(asked.model);
  if (asked.model === 'object-only' && structure === 'schema') return badStructure('json_schema');
  if (asked.model === 'text-only' && structure !== 'text') return badStructure(structure);
  if (asked.model === 'reasoning' && asked.max_tokens !== undefined) return badParameter;
  if (failEvery > 0 && state.arrivals.length % failEvery === 0) return serverError;
  return refusalOf(sentinel, Date.now());
}

function refuse(response: ServerResponse, arrival: Arrival, { kind, status, headers, body }: Refusal): void {
  arrival.answered = kind;
  arrival.tokensIn = 0;
  arrival.tokensOut = 0;
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function send(
  response: ServerResponse,
  asked: ChatRequest,
  arrival: Arrival,
  sentinel: Sentinel | null,
  { bytesPerToken }: Required<Behavior>,
): Promise<void> {
  if (sentinel === 'endless') return sendForever(response, arrival);
  const completion = completionOf(asked, sentinel, arrival.structure === 'text');
  const bytes = Buffer.byteLength(completion.text ?? completion.refusal ?? '');
  const tokens = Math.ceil(bytes / bytesPerToken);
  arrival.tokensIn = tokensOf(asked, bytesPerToken);
  arrival.tokensOut = tokens;
  const isTooLong = arrival.tokensOutMax !== null && tokens > arrival.tokensOutMax;
  // Tokens beyond the request's limit were neither written nor billed.
  if (isTooLong && completion.usage !== 'above') arrival.tokensOut = arrival.tokensOutMax ?? tokens;
  if (completion.usage === 'above') arrival.tokensOut = 10 * (arrival.tokensOutMax ?? tokens) + 1_000;
  arrival.answered = sentinel ?? 'answer';
  // Padding makes an answer huge without counting as tokens: it breaks only the limit of bytes.
  const sent =
    isTooLong && sentinel !== 'huge'
      ? shortened(completion, (arrival.tokensOutMax ?? 0) * bytesPerToken)
      : completion;
  sendJson(response, 200, {
    id: `chatcmpl-${arrival.atMs}`,
    object: 'chat.completion',
    created: Math.floor(arrival.atMs / 1000),
    model: asked.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: sent.text, refusal: sent.refusal },
        finish_reason: sent.finish,
      },
    ],
    ...(completion.usage === 'absent' ? {} : { usage: usageOf(arrival) }),
  });
}

const shortened = (completion: Completion, bytes: number): Completion => ({
  ...completion,
  text: Buffer.from(completion.text ?? '')
    .subarray(0, bytes)
    .toString('utf8'),
  finish: 'length',
});

const usageOf = ({ tokensIn, tokensOut }: Arrival) => ({
  prompt_tokens: tokensIn,
  completion_tokens: tokensOut,
  total_tokens: tokensIn + tokensOut,
});

/** Blanks without an end, until the client goes away. */
async function sendForever(response: ServerResponse, arrival: Arrival): Promise<void> {
  arrival.answered = 'endless';
  response.writeHead(200, { 'content-type': 'application/json' });
  const blanks = ' '.repeat(16 * 1024);
  while (!response.destroyed) {
    response.write(blanks);
    await pause(5, response);
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  return JSON.parse(await readBody(request, bodyBytesMax));
}
