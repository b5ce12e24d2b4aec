import { saveSettings } from '@draftshelf/core/access/settings';
import { expect } from 'vitest';
import type { StoredProduct } from '../../apps/simulators/store/src/catalogue.ts';
import { comparableProduct } from '../store/comparable-product.ts';
import { until } from '../support/fixture.ts';
import { goneSteps } from '../support/gone-steps.ts';
import { pushers, testOnWorkers, type WorkerStack } from '../support/test.ts';
import { undoSteps } from '../support/undo-steps.ts';
import { installHolds } from './holds.ts';
import { kill } from './inject.ts';

/** Where the push worker is killed: after a statement, while products that are gone are planned and changed. */
const places = {
  'lines begin': 'insert on preview_lines',
  'lines are planned': 'update of action on preview_lines',
  'a product is being sent': 'update of sending on listings',
  'its state is kept': 'insert on pushed_states',
  'its result is stored': 'update of result on preview_lines',
  'it is read back': 'update of baseline on listings',
  'the run ends': 'update of ended_at on previews',
} as const;
type Place = keyof typeof places;
const planned: readonly Place[] = ['lines begin', 'lines are planned'];

const test = testOnWorkers(pushers);
let stack: WorkerStack;
let hold: Awaited<ReturnType<typeof installHolds<Place>>>;
let id: string;
let before: (object | undefined)[];
const { goneBy, plan, begin, ended, query } = goneSteps(() => stack);
const { undo } = undoSteps(() => stack);
test.beforeAll(async ({ stack: shared }) => {
  stack = shared;
  await saveSettings(stack.database.db, { draftMode: false });
  const rows = Array.from({ length: 40 }, (_, at) => ({
    ...{ Title: `Kill vase ${at}`, Price: '10.00', SKU: `KILL-${at}`, Quantity: 5, Status: 'active' },
  }));
  id = await goneBy('Kill', rows, ({ SKU }) => Number(`${SKU}`.split('-')[1]) < 8);
  before = await catalogue();
  hold = await installHolds(stack, places);
});

/** Kills the worker once it is there. `meanwhile`: before that. */
async function killedAt(place: Place, meanwhile: () => Promise<unknown> = async () => {}) {
  const { isWaiting, release } = await hold(place);
  try {
    await until(place, isWaiting);
    await meanwhile();
    await kill(stack, 'push-worker');
  } finally {
    await release();
  }
}

const catalogue = async () =>
  ((await stack.store.products()) as StoredProduct[])
    .sort((a, b) => a.id - b.id)
    .map((product) => comparableProduct(product, false));

test.for(Object.keys(places) as Place[])(
  'a worker is killed when %s: the store is as planned, and as before once that is undone',
  async (place) => {
    const isPlanned = planned.includes(place);
    const [lines] = await Promise.all([plan(id, 'archive'), ...(isPlanned ? [killedAt(place)] : [])]);
    expect(new Set(Object.values(lines))).toEqual(new Set(['archive']));
    await Promise.all([begin(id), ...(isPlanned ? [] : [killedAt(place)])]);
    expect(await ended(id)).toEqual(lines);
    const now = await catalogue();
    const changed = now.filter((one, at) => JSON.stringify(one) !== JSON.stringify(before[at]));
    expect(changed.map((one) => (one as StoredProduct).status)).toEqual(Array(8).fill('ARCHIVED'));
    expect((await undo(id)).map(({ result }) => result)).toEqual(Array(8).fill('restore'));
    expect(await catalogue()).toEqual(before);
  },
);

test('of products that are listed again when a worker is killed, those that it had changed are named', async () => {
  await plan(id, 'archive');
  const missed = await query<{ item: string }>('select item from item_versions where missed');
  const listAgain = () => query('update item_versions set missed = false');
  await Promise.all([begin(id), killedAt('its state is kept', listAgain)]);
  const results = Object.values(await ended(id));
  const archived = ((await stack.store.products()) as StoredProduct[]).filter(
    ({ status }) => status === 'ARCHIVED',
  );
  expect(archived.length).toBeGreaterThan(0);
  expect(results.filter((result) => result === 'archive')).toHaveLength(archived.length);
  await undo(id);
  expect(await catalogue()).toEqual(before);
  const items = missed.map(({ item }) => item);
  await query('update item_versions set missed = true where item = any($1::bigint[])', [items]);
});
