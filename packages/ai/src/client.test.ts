import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type AiRequest,
  answerJsonSchema,
  buildSystemMessage,
  buildUserMessage,
  countRequestBytes,
} from '@draftshelf/domain/enrich/ai/prompt';
import { type AiReply, firstRequestFormat, type RequestFormat } from '@draftshelf/domain/enrich/ai/reply';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { askModel } from './client.ts';

/** A service that keeps what it gets and answers as the test says. */
let got: { headers: Record<string, unknown>; body: Record<string, unknown>; url: string }[] = [];
let reply: { status: number; headers?: Record<string, string>; body: string } = { status: 200, body: '' };
const server = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  request.on('end', () => {
    got.push({ headers: request.headers, body: JSON.parse(text || '{}'), url: request.url ?? '' });
    if (reply.status === 0) return;
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.body);
  });
});
let origin = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
afterEach(() => {
  got = [];
  vi.unstubAllEnvs();
});

const request: AiRequest = {
  system: buildSystemMessage({ language: null, tone: null }),
  user: buildUserMessage([{ id: 'a', asked: ['type'], product: { title: 'Blue Vase' } }], {
    types: [],
    vendors: [],
  }),
  schema: answerJsonSchema,
};
const ask = (
  over: {
    manner?: RequestFormat;
    key?: string | null;
    signal?: AbortSignal;
    msMax?: number;
    origins?: string[];
  } = {},
) =>
  askModel(
    {
      ...{ baseUrl: `${origin}/v1`, model: 'm', key: over.key ?? null },
      allowedOrigins: over.origins ?? [origin],
    },
    request,
    {
      manner: over.manner ?? firstRequestFormat,
      ...{ tokensMax: 500, msMax: over.msMax ?? 5_000, now: Date.now },
      signal: over.signal ?? new AbortController().signal,
    },
  );
const completion = (content: string | null, rest: object = {}, finish = 'stop') =>
  JSON.stringify({
    choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', content, ...rest } }],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
  });
const answering = (set: typeof reply) => {
  reply = set;
};
const failing = (status: number, error: object, headers: Record<string, string> = {}) => {
  reply = { status, headers, body: JSON.stringify({ error }) };
};

describe('a request', () => {
  it('has the model, the schema and the limit, and nothing of the environment', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'key-of-the-shell');
    vi.stubEnv('OPENAI_ORG_ID', 'org-of-the-shell');
    vi.stubEnv('OPENAI_PROJECT_ID', 'project-of-the-shell');
    vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:9');
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'x-of-the-shell: 1');
    vi.stubEnv('OPENAI_LOG', 'debug');
    const debug = vi.spyOn(console, 'debug');
    reply = { status: 200, body: completion('{}') };
    expect(await ask({ key: 'our-key' })).toMatchObject({
      kind: 'answer',
      text: '{}',
      usage: { in: 11, out: 7 },
    });
    const [{ headers, body, url }] = got as [(typeof got)[number]];
    expect(url).toBe('/v1/chat/completions');
    expect(headers.authorization).toBe('Bearer our-key');
    expect(JSON.stringify(headers)).not.toContain('of-the-shell');
    expect(Object.keys(body).sort()).toEqual([
      'max_tokens',
      'messages',
      'model',
      'response_format',
      'stream',
    ]);
    expect(body.response_format).toMatchObject({ type: 'json_schema', json_schema: { strict: true } });
    expect(debug).not.toHaveBeenCalled();
  });

  it('without a schema has it in words', async () => {
    reply = { status: 200, body: completion('{}') };
    await ask({ manner: { structure: 'object', tokenParameter: 'max_completion_tokens' } });
    await ask({ manner: { structure: 'text', tokenParameter: 'max_tokens' } });
    const [object, text] = got.map(({ body }) => body);
    expect(object).toMatchObject({ response_format: { type: 'json_object' }, max_completion_tokens: 500 });
    expect(text).not.toHaveProperty('response_format');
    expect(JSON.stringify(text?.messages)).toContain('additionalProperties');
    const sent = ((text?.messages ?? []) as { content: string }[]).map(({ content }) => content).join('');
    expect(countRequestBytes(request)).toBe(Buffer.byteLength(sent));
  });

  it('is made once, whatever comes back', async () => {
    for (const status of [408, 409, 429, 500, 503]) {
      got = [];
      failing(status, { message: 'no' }, { 'x-should-retry': 'true', 'retry-after': '0' });
      await ask();
      expect(got).toHaveLength(1);
    }
  });

  it('is not made to an address that is not public', async () => {
    expect(await ask({ origins: [] })).toMatchObject({
      kind: 'trouble',
      sentence: expect.stringContaining('can’t be used'),
    });
    expect(got).toEqual([]);
  });

  it('ends when its time is over or it is stopped', async () => {
    reply = { status: 0, body: '' };
    expect(await ask({ msMax: 100 })).toMatchObject({
      kind: 'failure',
      sentence: expect.stringContaining('within 0.1'),
    });
    const stop = new AbortController();
    const asked = ask({ signal: stop.signal });
    stop.abort();
    expect(await asked).toEqual({ kind: 'stopped' });
  });
});

const objectManner = { ...firstRequestFormat, structure: 'object' };
const replies: [name: string, set: () => void, expected: Partial<AiReply>][] = [
  [
    'a cut answer',
    () => answering({ status: 200, body: completion('{"pro', {}, 'length') }),
    { kind: 'cut' },
  ],
  [
    'a declined one',
    () => answering({ status: 200, body: completion(null, { refusal: 'No' }) }),
    { kind: 'declined' },
  ],
  ['another form', () => answering({ status: 200, body: '{"ok":1}' }), { kind: 'failure' }],
  [
    'a page',
    () => answering({ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }),
    { kind: 'failure' },
  ],
  ['2 MiB', () => answering({ status: 200, body: completion(' '.repeat(2 ** 21)) }), { kind: 'failure' }],
  [
    'a redirect',
    () => answering({ status: 307, headers: { location: `${origin}/x` }, body: '' }),
    { kind: 'trouble' },
  ],
  [
    '401',
    () => failing(401, { message: 'Bad key sk-123' }),
    { kind: 'trouble', sentence: 'The AI service refused the key.' },
  ],
  [
    '402',
    () => failing(402, { message: 'Pay' }),
    { kind: 'trouble', sentence: 'The credit at the AI service is used up.' },
  ],
  ['a spent credit as 429', () => failing(429, { code: 'insufficient_quota' }), { kind: 'trouble' }],
  ['404', () => failing(404, { code: 'model_not_found' }), { kind: 'trouble' }],
  ['429', () => failing(429, { message: 'slow' }, { 'retry-after': '7' }), { kind: 'quota', waitMs: 7_000 }],
  ['429 without a header', () => failing(429, { message: 'slow' }), { kind: 'quota', waitMs: null }],
  [
    '500',
    () => failing(500, { message: 'oops' }),
    { kind: 'failure', sentence: 'The AI service answered with status 500.' },
  ],
  [
    'no schema',
    () => failing(400, { message: 'response_format is unavailable' }),
    { kind: 'manner', manner: objectManner as RequestFormat },
  ],
  [
    'another limit',
    () => failing(400, { message: "Use 'max_completion_tokens' instead", param: 'max_tokens' }),
    { kind: 'manner', manner: { ...firstRequestFormat, tokenParameter: 'max_completion_tokens' } },
  ],
  ['a request that is too long', () => failing(400, { code: 'context_length_exceeded' }), { kind: 'cut' }],
];
it.each(replies)('understands %s', async (_name, set, expected) => {
  set();
  expect(await ask()).toMatchObject(expected);
  expect(got).toHaveLength(1);
});

it.each([
  [1e12, 2 ** 31 - 1],
  [1e300, 2 ** 31 - 1],
  [1.5, 2],
])('counts %d tokens as %d', async (tokens, counted) => {
  const usage = { prompt_tokens: 1, completion_tokens: tokens };
  answering({ status: 200, body: JSON.stringify({ ...JSON.parse(completion('{}')), usage }) });
  expect(await ask()).toMatchObject({ kind: 'answer', usage: { in: 1, out: counted } });
});

it('reads from headers that nothing is left', async () => {
  const headers = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '4s' };
  reply = { status: 200, headers, body: completion('{}') };
  expect(await ask()).toMatchObject({ kind: 'answer', pauseMs: 4_000 });
});
