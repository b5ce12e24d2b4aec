import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type AiEndpoint, askModel } from '@draftshelf/ai/client';
import { testService } from '@draftshelf/ai/test-service';
import type { AcceptedValue, AskedProduct } from '@draftshelf/domain/enrich/ai/answer';
import { readAnswer } from '@draftshelf/domain/enrich/ai/answer';
import { listAskedFields, sumAnswerTokens } from '@draftshelf/domain/enrich/ai/asked-fields';
import { answerJsonSchema, buildSystemMessage, buildUserMessage } from '@draftshelf/domain/enrich/ai/prompt';
import { readJson } from '@draftshelf/domain/enrich/ai/read-json';
import { type AiReply, usageOf } from '@draftshelf/domain/enrich/ai/reply';
import { parseCases } from '@draftshelf/domain/enrich/ai/testing/answer-cases';
import { failureName } from '@draftshelf/domain/enrich/ai/testing/failure-name';
import { validateAnswer } from '@draftshelf/domain/enrich/ai/validate-answer';
import { readEnv } from '@draftshelf/runtime/env';
import { createEnvSchema } from '@draftshelf/runtime/env-catalog';
import { median } from './figures.ts';

// A real AI service is asked about the products of the labelled cases, as a worker asks it, and its answers are
// checked. `--sheet` gets up to 50 pairs of descriptions in random order, for a person who does not know which is
// which.
const { values: given } = parseArgs({
  options: {
    products: { type: 'string', default: '40' },
    batch: { type: 'string', default: '5' },
    sheet: { type: 'string' },
  },
});
const batchSize = Number(given.batch);
const pairsMax = 50;
const msMax = 120_000;

const env = readEnv(
  createEnvSchema('enrich-worker').pick({ AI_BASE_URL: true, AI_API_KEY: true, AI_MODEL: true }),
  process.env,
);
if (env.AI_BASE_URL === undefined || env.AI_MODEL === undefined) {
  throw new Error('Set AI_BASE_URL and AI_MODEL, and AI_API_KEY if the service needs a key.');
}
const address: AiEndpoint = {
  baseUrl: env.AI_BASE_URL,
  model: env.AI_MODEL,
  key: env.AI_API_KEY ?? null,
  allowedOrigins: [new URL(env.AI_BASE_URL).origin],
};
const signal = new AbortController().signal;
const test = await testService(address, (ask) => ask(), { signal, now: Date.now });
if (!test.ok) throw new Error(test.message);

const folder = new URL('../fixtures/ai/', import.meta.url);
const cases = ['home.txt', 'trade.txt', 'languages.txt'].flatMap((file) =>
  parseCases(readFileSync(new URL(file, folder), 'utf8')),
);
const products = cases
  .map(({ asked }) => ({ ...asked, asked: listAskedFields(asked.product, asked.asked) }))
  .filter(({ asked }) => asked.length > 0)
  .slice(0, Number(given.products));

type Accepted = { asked: AskedProduct; value: AcceptedValue };
const totals = { asked: 0, answered: 0, in: 0, out: 0, uncounted: 0 };
const accepted: Accepted[] = [];
const refused = new Map<string, number>();
const failures = new Map<string, number>();
const msPerProduct: number[] = [];
const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

for (let from = 0; from < products.length; from += batchSize) {
  const batch = products.slice(from, from + batchSize);
  const asked = batch.map((one, at) => ({ id: `p${from + at}`, asked: one.asked, product: one.product }));
  const types = [...new Set(batch.flatMap((one) => one.types))];
  const request = {
    system: buildSystemMessage({ language: null, tone: null }),
    user: buildUserMessage(asked, { types, vendors: [] }),
    schema: answerJsonSchema,
  };
  const beganMs = performance.now();
  const tokensMax = sumAnswerTokens(batch.map((one) => one.asked));
  const reply = await askModel(address, request, {
    manner: test.manner,
    tokensMax,
    msMax,
    signal,
    now: Date.now,
  });
  msPerProduct.push((performance.now() - beganMs) / batch.length);
  totals.asked += batch.length;
  judge(
    reply,
    batch,
    asked.map(({ id }) => id),
  );
}
report();
if (given.sheet !== undefined) writeSheet(given.sheet);

function judge(reply: AiReply, batch: typeof products, ids: readonly string[]): void {
  const usage = usageOf(reply);
  if (usage === null) totals.uncounted += 1;
  else {
    totals.in += usage.in;
    totals.out += usage.out;
  }
  if (reply.kind !== 'answer') return void count(failures, 'sentence' in reply ? reply.sentence : reply.kind);
  const answers = readAnswer(readJson(reply.text), ids);
  for (const id of ids) if (!answers.has(id)) count(refused, 'malformed');
  batch.forEach((asked, at) => {
    const answer = answers.get(ids[at] ?? '');
    if (answer === undefined) return;
    totals.answered += 1;
    const checked = validateAnswer(asked, answer);
    accepted.push(...checked.accepted.map((value) => ({ asked, value })));
    for (const { failure } of checked.dropped)
      if (failure.cause !== 'unchanged') count(refused, failureName(failure));
  });
}

function report(): void {
  const dropped = [...refused.values()].reduce((sum, one) => sum + one, 0);
  const share = (100 * accepted.length) / Math.max(1, accepted.length + dropped);
  const each = (tokens: number) => Math.round(tokens / Math.max(1, totals.asked));
  console.log(`${address.model} at ${new URL(address.baseUrl).host}, ${test.ok && test.manner.structure}`);
  console.log(`${totals.asked} products in requests of ${batchSize}: ${totals.answered} answered`);
  console.log(`${accepted.length} values accepted, ${dropped} refused: ${share.toFixed(0)} % accepted`);
  for (const [name, times] of [...refused].sort(([, a], [, b]) => b - a)) console.log(`  ${name}: ${times}`);
  for (const [name, times] of failures) console.log(`  requests without an answer, ${name}: ${times}`);
  const uncounted =
    totals.uncounted === 0 ? '' : `, without ${totals.uncounted} requests that were not counted`;
  console.log(`tokens per product: ${each(totals.in)} in, ${each(totals.out)} out${uncounted}`);
  console.log(`time per product: ${(median(msPerProduct) / 1000).toFixed(1)} s`);
}

/** Pairs of the description before and the proposed one, in random order; the key is at the end of the file. */
function writeSheet(file: string): void {
  const pairs = accepted
    .filter(({ asked, value }) => value.field === 'description' && asked.product.description !== undefined)
    .slice(0, pairsMax)
    .map(({ asked, value }) => ({ asked, value, isFirst: Math.random() < 0.5 }));
  const texts = pairs.map(({ asked, value, isFirst }, at) => {
    const [a, b] = isFirst
      ? [value.value, asked.product.description]
      : [asked.product.description, value.value];
    return `${at + 1}. ${asked.product.title}\n\nA: ${a}\n\nB: ${b}\n\nBetter: A / B / same\n`;
  });
  const key = pairs.map(({ isFirst }, at) => `${at + 1}: ${isFirst ? 'A' : 'B'}`).join(', ');
  // npm runs scripts in the project's root, but files are relative to the caller's directory.
  const target = path.resolve(process.env.INIT_CWD ?? process.cwd(), file);
  writeFileSync(target, `${texts.join('\n---\n\n')}\n\n\nProposed by the service: ${key}\n`);
  console.log(`${pairs.length} pairs in ${target}`);
}
