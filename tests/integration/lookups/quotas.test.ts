import { afterAll, beforeAll, expect, it } from 'vitest';
import { csvOf, storedImport, until } from '../../support/fixture.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { gtinOf, startSources, type TestSources } from '../../support/sources.ts';
import { type Stack, startStack } from '../../support/stack.ts';

/** The long form is `LOOKUPS=long`: 10,000 rows with 3,000 codes on four workers. */
const isLong = process.env.LOOKUPS === 'long';
const size = isLong ? { rows: 10_000, codes: 3_000, workers: 4 } : { rows: 300, codes: 100, workers: 2 };
const kills = isLong ? 6 : 1;
const msMax = isLong ? 1_800_000 : 90_000;
/** What the sources allow, and what is stored of it. */
const quota = isLong ? { perWindow: 60, windowMs: 1_000 } : { perWindow: 20, windowMs: 1_000 };
/** Every 25th call has no answer, so its code stays open: it is asked again only after a quarter of an hour. */
const failEvery = 25;

let sources: TestSources;
let stack: Stack;
const steps = pushSteps(() => stack);
beforeAll(async () => {
  sources = await startSources();
  stack = await startStack({ names: ['parse-worker', 'enrich-worker'], env: sources.env });
});
afterAll(async () => {
  await stack?.close();
  await sources?.close();
});

const gtins = Array.from({ length: size.codes }, (_, at) => gtinOf(700_000_000_000 + at * 7));

const importOf = () => {
  const lines = Array.from({ length: size.rows }, (_, row) => {
    const at = row % size.codes;
    return [`Acme Vase ${at + 1}`, '9.90', gtins[at]?.slice(1) ?? ''];
  });
  const csv = csvOf([['Title', 'Price', 'UPC'], ...lines]);
  return storedImport(stack, { csv, set: { enable_upc: true } });
};

/** The most calls of a source within a window, wherever it begins. */
function mostWithin(times: readonly number[], windowMs: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  let from = 0;
  return sorted.reduce((most, time, at) => {
    while (time - (sorted[from] ?? time) >= windowMs) from += 1;
    return Math.max(most, at - from + 1);
  }, 0);
}

it(
  'never asks twice about a code and never more than a quota allows, while workers are killed',
  async () => {
    await sources.know(gtins.map((gtin, at) => ({ gtin, title: `Acme Vase ${at + 1}`, brand: 'Acme' })));
    await sources.behave('upcitemdb', { ...quota, failEvery, lie: 'more', delayMs: 30 });
    await sources.behave('barcode-lookup', { ...quota, failEvery, delayMs: 30 });
    await sources.register(stack, ['upcitemdb', 'barcode-lookup'], {
      per_window: quota.perWindow,
      window_ms: quota.windowMs,
    });
    const workers = [stack.process('enrich-worker')];
    for (let more = 1; more < size.workers; more += 1)
      workers.push(await stack.startAnother('enrich-worker'));
    const begunMs = performance.now();
    const { id } = await importOf();
    await steps.reach(id, 'processed');
    const reviewMs = performance.now() - begunMs;

    const answered = async () => {
      const { rows } = await stack.database.pool.query<{ count: number }>(
        "select count(*)::int as count from lookups where state in ('hit','miss','covered')",
      );
      return rows[0]?.count ?? 0;
    };
    for (let kill = 1; kill <= kills; kill += 1) {
      const before = await answered();
      await until('some answers', async () => (await answered()) > before + 5, msMax);
      const victim = workers.shift();
      victim?.kill('SIGKILL');
      await victim?.ended;
      workers.push(await stack.startAnother('enrich-worker'));
    }
    const rest = async () => {
      const { rows } = await stack.database.pool.query<{ due: number; asking: number }>(
        `select count(*) filter (where state = 'wanted' and not_before is null)::int as due,
           count(*) filter (where state = 'asking')::int as asking from lookups`,
      );
      return rows[0];
    };
    await until(
      'everything was asked',
      async () => {
        const { due, asking } = (await rest()) ?? {};
        return due === 0 && asking === 0;
      },
      msMax,
    );

    const journal = await sources.journal();
    for (const source of ['upcitemdb', 'barcode-lookup'] as const) {
      const calls = journal.filter((arrival) => arrival.source === source);
      const perCode = Map.groupBy(calls, ({ gtin }) => gtin);
      expect([...perCode.values()].filter((of) => of.length > 1)).toEqual([]);
      expect(calls.filter(({ answered: how }) => how === 'over')).toEqual([]);
      const most = mostWithin(
        calls.map(({ atMs }) => atMs),
        quota.windowMs,
      );
      expect(most).toBeLessThanOrEqual(quota.perWindow);
    }
    const { rows: found } = await stack.database.pool.query<{ pictures: number }>(
      "select count(*)::int as pictures from found_values where import_id = $1 and field = 'image'",
      [id],
    );
    const share = (found[0]?.pictures ?? 0) / size.rows;
    console.log(
      `in review after ${Math.round(reviewMs)} ms, ${journal.length} calls, pictures ${Math.round(share * 100)} %`,
    );
    expect(share).toBeGreaterThan(0.8);

    const again = await importOf();
    await steps.reach(again.id, 'processed');
    const asked = new Set(journal.map(({ source, gtin }) => `${source} ${gtin}`));
    const later = (await sources.journal()).slice(journal.length);
    expect(later.filter(({ source, gtin }) => asked.has(`${source} ${gtin}`))).toEqual([]);
  },
  2 * msMax,
);
