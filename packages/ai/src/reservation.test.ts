import { askableFields } from '@draftshelf/domain/enrich/ai/answer';
import { tokensToReserve } from '@draftshelf/domain/enrich/ai/limits';
import {
  answerJsonSchema,
  buildSystemMessage,
  buildUserMessage,
  countRequestBytes,
} from '@draftshelf/domain/enrich/ai/prompt';
import { firstRequestFormat, type RequestFormat } from '@draftshelf/domain/enrich/ai/reply';
import { seededRandom } from '@draftshelf/domain/testing/random';
import { expect, it } from 'vitest';
import { buildRequestBody } from './client.ts';

const below = seededRandom(16);

/** Letters, digits, quotes, controls, accents, Chinese, right-to-left, combining marks and emoji. */
const ranges = [
  [0x20, 0x7e],
  [0x00, 0x1f],
  [0xc0, 0x17f],
  [0x4e00, 0x9fff],
  [0x590, 0x5ff],
  [0x300, 0x36f],
  [0x1f300, 0x1faff],
] as const;

function randomText(): string {
  const [from, to] = ranges[below(ranges.length)] ?? [0x20, 0x7e];
  return Array.from({ length: below(120) }, () => String.fromCodePoint(from + below(to - from + 1))).join('');
}

const manners: RequestFormat[] = (['schema', 'object', 'text'] as const).map((structure) => ({
  ...firstRequestFormat,
  structure,
}));
const bytes = (text: string) => Buffer.byteLength(text);
/** Tokens that a service may add to each message for its role and its ends. */
const tokensPerMessage = 8;

/** The most tokens that a tokenizer of bytes can make of a request as it is sent. */
function mostTokens(body: ReturnType<typeof buildRequestBody>): number {
  const format = 'response_format' in body ? JSON.stringify(body.response_format) : '';
  return body.messages.reduce(
    (sum, { role, content }) => sum + bytes(role) + bytes(content) + tokensPerMessage,
    bytes(format),
  );
}

it('a reservation covers what any tokenizer of bytes can make of a request, for 10,000 random texts', () => {
  const products = 5;
  let texts = 0;
  while (texts < 10_000) {
    const asked = Array.from({ length: products }, (_, at) => {
      const [title, description, tag, value] = [randomText(), randomText(), randomText(), randomText()];
      texts += 4;
      const product = { title, description, tags: [tag], columns: [{ name: 'Material', value }] };
      return { id: `id-${at}`, asked: askableFields, product };
    });
    const request = {
      system: buildSystemMessage({ language: randomText(), tone: randomText() }),
      user: buildUserMessage(asked, { types: [randomText()], vendors: [randomText()] }),
      schema: answerJsonSchema,
    };
    const reserved = tokensToReserve(countRequestBytes(request), 100);
    expect(reserved.out).toBe(100);
    for (const manner of manners) {
      const most = mostTokens(buildRequestBody(request, { manner, tokensMax: 100, model: 'any' }));
      if (most > reserved.in) expect.fail(`${manner.structure}: ${most} tokens, ${reserved.in} reserved`);
    }
  }
});
