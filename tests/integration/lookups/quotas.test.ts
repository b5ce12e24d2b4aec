import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Arrival, SimulatedName } from '../../../apps/simulators/sources/src/behavior.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { csvOf, storedImport, until } from '../../support/fixture.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { gtinOf, startSources, type TestSources } from '../../support/sources.ts';
import { type Stack, startStack } from '../../support/stack.ts';

/** The long form is `LOOKUPS=long`: 10,000 rows with 3,000 codes on four workers. */
const isLong = process.env.LOOKUPS === 'long';
const size = isLong ? { rows: 10_000, codes: 3_000, workers: 4 } : { rows: 180, codes: 60, workers: 2 };
const kills = isLong ? 6 : 1;
const msMax = isLong ? 1_200_000 : 90_000;
/** The quotas of the free plans, with a second for a minute and 20 seconds for a day. */
const quotas = {
  upcitemdb: { perWindow: 6, windowMs: 1_000, perDay: isLong ? 100 : 30, dayMs: isLong ? 20_000 : 10_000 },
  'barcode-lookup': { perWindow: 15, windowMs: 1_000, perDay: 10_000, dayMs: 86_400_000 },
} satisfies Partial<Record<SimulatedName, object>>;
const asked = ['upcitemdb', 'barcode-lookup'] as const;
/** Every 25th call has no answer, so its code stays open: it is asked again only after a quarter of an hour. */
const failEvery = 25;
/** Every eighth code is known to nobody. */
const isKnown = (at: number) => at % 8 !== 7;

let sources: TestSources;
let stack: Stack;
let api: TestApi;
const steps = pushSteps(() => stack);
beforeAll(async () => {
  sources = await startSources();
  stack = await startStack({
    names: ['parse-worker', 'enrich-worker'],
    env: { ...sources.env, BARCODE_LOOKUP_KEY: 'test' },
  });
  api = await startApi(stack);
});
afterAll(async () => {
  await api?.close();
  await stack?.close();
  await sources?.close();
});

/** None ends with the digits that mean something to the simulated sources. */
const gtins = Array.from({ length: size.codes }, (_, at) => gtinOf(700_000_000_000 + at));
const gtinOfRow = (row: number) => gtins[(row - 1) % size.codes] ?? '';

/** Imports the file and returns its id once it is in review. */
async function importFile(enable_upc: boolean): Promise<string> {
  const lines = Array.from({ length: size.rows }, (_, at) => {
    return [`Acme Vase ${(at % size.codes) + 1}`, '9.90', gtinOfRow(at + 1).slice(1), randomUUID()];
  });
  const csv = csvOf([['Title', 'Price', 'UPC', 'SKU'], ...lines]);
  const { id } = await storedImport(stack, { csv, set: { enable_upc } });
  await until('in review', async () => (await steps.read(id)).status === 'processed', msMax);
  return id;
}

/** The most calls of a source within a window, wherever it begins. */
function mostWithin(calls: readonly Arrival[], windowMs: number): number {
  const sorted = calls.map(({ atMs }) => atMs).sort((a, b) => a - b);
  let from = 0;
  return sorted.reduce((most, time, at) => {
    while (time - (sorted[from] ?? time) >= windowMs) from += 1;
    return Math.max(most, at - from + 1);
  }, 0);
}

async function count(condition: string): Promise<number> {
  const { rows } = await stack.database.pool.query<{ count: number }>(
    `select count(*)::int as count from lookups where ${condition}`,
  );
  return rows[0]?.count ?? 0;
}

/** Kills a worker while it asks: after its calls were admitted, before all of their answers are stored. */
async function killOne(workers: Awaited<ReturnType<Stack['startAnother']>>[]): Promise<void> {
  const before = await count("state in ('hit','miss')");
  await until(
    'calls under way',
    async () =>
      (await count("state in ('hit','miss')")) > before + 5 && (await count("state = 'asking'")) > 0,
    msMax,
  );
  const victim = workers.shift();
  victim?.kill('SIGKILL');
  await victim?.ended;
  workers.push(await stack.startAnother('enrich-worker'));
}

type Coverage = { field: string; products: number; filled: number; found: number }[];

/** The products with a picture, as the import's page counts them. */
async function coveredOnScreen(id: string) {
  const { body } = await api.call('GET', `/api/jobs/${id}?rows=0`);
  const { coverage } = (body as { enrichment: { coverage: Coverage } }).enrichment;
  return coverage.find(({ field }) => field === 'image');
}

async function picturedCodes(id: string): Promise<{ rows: number; codes: Set<string> }> {
  const { rows } = await stack.database.pool.query<{ row: number }>(
    "select row from found_values where import_id = $1 and field = 'image'",
    [id],
  );
  return { rows: rows.length, codes: new Set(rows.map(({ row }) => gtinOfRow(row))) };
}

it(
  'never asks twice about a code and never more than a quota allows, while workers are killed',
  async () => {
    const known = gtins.flatMap((gtin, at) =>
      isKnown(at) ? [{ gtin, title: `Acme Vase ${at + 1}`, brand: 'Acme' }] : [],
    );
    await sources.know(known);
    await sources.behave('upcitemdb', { ...quotas.upcitemdb, failEvery, lie: 'more', delayMs: 60 });
    await sources.behave('barcode-lookup', {
      ...quotas['barcode-lookup'],
      failEvery,
      lie: 'less',
      delayMs: 60,
    });
    await sources.register(stack, asked);
    for (const name of asked) {
      const { perWindow, windowMs, perDay, dayMs } = quotas[name];
      await stack.database.pool.query(
        'update sources set per_window = $2, window_ms = $3, per_day = $4, day_ms = $5 where name = $1',
        [name, perWindow, windowMs, perDay, dayMs],
      );
    }
    const workers = [stack.process('enrich-worker')];
    for (let more = 1; more < size.workers; more += 1)
      workers.push(await stack.startAnother('enrich-worker'));

    await importFile(false);
    expect(await sources.journal()).toEqual([]);
    const id = await importFile(true);
    // The review does not wait for the look-ups.
    expect(await count("state = 'wanted'")).toBeGreaterThan(0);

    const begunMs = performance.now();
    for (let kill = 1; kill <= kills; kill += 1) await killOne(workers);
    await until(
      'everything was asked',
      async () =>
        (await count("state = 'asking' or not applied or (state = 'wanted' and not_before is null)")) === 0,
      msMax,
    );
    const askedMs = performance.now() - begunMs;

    const journal = await sources.journal();
    const most = asked.map((source) => {
      const calls = journal.filter((arrival) => arrival.source === source);
      const { perWindow, windowMs, perDay, dayMs } = quotas[source];
      expect([...Map.groupBy(calls, ({ gtin }) => gtin).values()].filter((of) => of.length > 1)).toEqual([]);
      expect(calls.filter(({ answered }) => answered === 'over')).toEqual([]);
      const [inWindow, inDay] = [mostWithin(calls, windowMs), mostWithin(calls, dayMs)];
      expect(inWindow).toBeLessThanOrEqual(perWindow);
      expect(inDay).toBeLessThanOrEqual(perDay);
      return `${source}: ${calls.length} calls, at most ${inWindow} a window and ${inDay} a day`;
    });

    const { codes, rows } = await picturedCodes(id);
    const hits = new Set(journal.filter(({ answered }) => answered === 'hit').map(({ gtin }) => gtin));
    // An answer that a killed worker did not store is asked for again later; nothing else is missing.
    const { rows: cut } = await stack.database.pool.query<{ gtin: string }>(
      "select gtin from lookups where state = 'wanted' and error = 'The worker was stopped before the answer came.'",
    );
    const lost = [...hits].filter((gtin) => !codes.has(gtin)).sort();
    expect(new Set(cut.map(({ gtin }) => gtin)).isSupersetOf(new Set(lost))).toBe(true);
    expect([...codes].filter((gtin) => !hits.has(gtin))).toEqual([]);
    expect(await coveredOnScreen(id)).toEqual({
      ...{ field: 'image', products: size.rows, filled: 0, found: rows },
    });
    const rowsOfCodes = Array.from({ length: size.rows }, (_, at) => gtinOfRow(at + 1)).filter((gtin) =>
      codes.has(gtin),
    );
    expect(rows).toBe(rowsOfCodes.length);

    const again = await importFile(true);
    expect((await sources.journal()).length).toBe(journal.length);
    expect(await coveredOnScreen(again)).toEqual(await coveredOnScreen(id));
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
    console.log(
      [
        `${gtins.length} codes (${known.length} known) asked in ${seconds(askedMs)}, ${kills} workers killed, ${lost.length} answers lost with them`,
        ...most,
        `pictures: ${rows} of ${size.rows} products; calls of the second import: 0`,
      ].join('\n'),
    );
  },
  3 * msMax,
);
