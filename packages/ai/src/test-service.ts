import type { AiRequest } from '@draftshelf/domain/enrich/ai/prompt';
import { askModel } from './client.ts';
import { readJson } from './read-json.ts';
import { type AiAddress, type AiReply, firstManner, type Manner, simplerThan, type Usage } from './reply.ts';

/** `manner`: used for later requests. */
export type ServiceTest = { ok: true; manner: Manner } | { ok: false; message: string };

/** One request of a test, which the caller counts before and after; it throws if a limit is against it. */
export type CountCall = (ask: () => Promise<AiReply>) => Promise<AiReply>;

export const testTokensMax = 20;
const msMax = 30_000;

/** A test asks for two words, so that it costs next to nothing. */
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

/** A service that takes no schema, no object and another name for the limit answers the fourth request. */
const requestsMax = 5;

/** Tests address, key and model, and finds the manner; each refused manner takes one more request of 20 tokens. */
export async function testService(
  address: AiAddress,
  count: CountCall,
  options: { signal: AbortSignal; now: () => number },
): Promise<ServiceTest> {
  let manner = firstManner;
  for (let requests = 0; requests < requestsMax; requests += 1) {
    const asked = { ...options, manner, tokensMax: testTokensMax, msMax };
    const reply = await count(() => askModel(address, testRequest, asked));
    if (reply.kind === 'manner') {
      manner = reply.manner;
      continue;
    }
    // Too few tokens for an answer after the model's thoughts: the service took the manner all the same.
    if (reply.kind === 'cut' || reply.kind === 'declined') return { ok: true, manner };
    if (reply.kind !== 'answer') return { ok: false, message: sentenceOf(reply) };
    const simpler = simplerThan(manner.structure);
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

export const usageOf = (reply: AiReply): Usage | null => ('usage' in reply ? reply.usage : null);
