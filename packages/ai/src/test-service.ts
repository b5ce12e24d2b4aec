import type { AiRequest } from '@draftshelf/domain/enrich/ai/prompt';
import { readJson } from '@draftshelf/domain/enrich/ai/read-json';
import {
  type AiReply,
  firstRequestFormat,
  type RequestFormat,
  simplifyStructure,
} from '@draftshelf/domain/enrich/ai/reply';
import { type AiEndpoint, askModel } from './client.ts';

/** The result of a test. `manner`: the form of request that the service accepted, for later requests. */
export type ServiceTestResult = { ok: true; manner: RequestFormat } | { ok: false; message: string };

/** Counts a request of a test and sends it. Throws if a limit forbids the request. */
export type TestCallCounter = (ask: () => Promise<AiReply>) => Promise<AiReply>;

export const testTokensMax = 20;
const msMax = 30_000;

/** The test asks for only two words, so that it costs almost nothing. */
export const testRequest: AiRequest = {
  system: 'Answer with the JSON object {"ok":true} and nothing else.',
  user: 'Is this service ready?',
  schema: {
    type: 'object',
    properties: { ok: { type: 'boolean' } },
    required: ['ok'],
    additionalProperties: false,
  },
};

/** Maximum number of requests per test. A service that refuses schema, object and token parameter in turn gets four. */
const requestsMax = 5;

/** Tests address, key and model, and finds an accepted manner of request. A refused request costs up to 20 tokens. */
export async function testService(
  address: AiEndpoint,
  count: TestCallCounter,
  options: { signal: AbortSignal; now: () => number },
): Promise<ServiceTestResult> {
  let manner = firstRequestFormat;
  for (let requests = 0; requests < requestsMax; requests += 1) {
    const asked = { ...options, manner, tokensMax: testTokensMax, msMax };
    const reply = await count(() => askModel(address, testRequest, asked));
    if (reply.kind === 'manner') {
      manner = reply.manner;
      continue;
    }
    // The service accepted the manner, although it did not complete the answer.
    if (reply.kind === 'cut' || reply.kind === 'declined') return { ok: true, manner };
    if (reply.kind !== 'answer') return { ok: false, message: sentenceOf(reply) };
    const simpler = simplifyStructure(manner.structure);
    if (simpler === null || readJson(reply.text) !== undefined) return { ok: true, manner };
    manner = { ...manner, structure: simpler };
  }
  return { ok: false, message: 'The AI service refuses every form of request that Draftshelf knows.' };
}

function sentenceOf(reply: Exclude<AiReply, { kind: 'answer' | 'cut' | 'declined' | 'manner' }>): string {
  if (reply.kind === 'quota') return 'The AI service takes no more requests for now. Try again later.';
  if (reply.kind === 'stopped') return 'The test was stopped.';
  return reply.sentence;
}
