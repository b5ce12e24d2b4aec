import { expect } from 'vitest';
import { until } from '../support/fixture.ts';
import { isLong } from '../support/queue-backend.ts';
import { pushers, testOnWorkers, type WorkerStack } from '../support/test.ts';
import { installHolds } from './holds.ts';
import { kill } from './inject.ts';
import { playLists } from './list-story.ts';

/** Where the parse worker is killed: after a statement, while a list is read, carried into, remembered or counted. */
const places = {
  'the first supplier begins': 'insert on suppliers',
  'signs are stored': 'insert or update on supplier_signs',
  'a list begins': 'insert on supplier_lists',
  'items are remembered': 'insert on supplier_items',
  'items are counted': 'insert on item_versions',
  'a list counts': 'update of state on supplier_lists',
  'a supplier is named': 'update of supplier on imports',
  'rows are compared': 'insert on row_items',
  'values are kept': 'insert or update on carried_values',
  'edits were kept': 'update of edits_kept_to on imports',
  'a command is carried': 'insert on edit_commands',
  'values are carried': 'insert on edits',
  'a conflict is proposed': 'insert on proposals',
  'progress is stored': 'update of finalize on runs',
  'duplicates are sought': 'update of shared_titles on runs',
  'rows become current': 'update of rows_run on imports',
  'a run ends': 'update of ended_at on runs',
  'a task is enqueued': 'insert on chunks',
} as const;
type Place = keyof typeof places;

/** Those that happen with the first list. The others are met while the next one is read. */
const first: readonly Place[] = ['the first supplier begins', 'items are remembered'];
const short: readonly Place[] = ['values are carried'];

const it = testOnWorkers(pushers);
let stack: WorkerStack;
let hold: Awaited<ReturnType<typeof installHolds<Place>>>;
let expected: string[];
it.beforeAll(async ({ stack: shared }) => {
  stack = shared;
  expected = await playLists(stack, 'WHOLE');
  hold = await installHolds(stack, places);
});

it('the story has what it is to protect', () => {
  for (const kind of ['item', 'change', 'carried', 'edit', 'proposal', 'row'])
    expect(expected.filter((line) => line.startsWith(`["${kind}"`)).length, kind).toBeGreaterThan(0);
});

const tried = (Object.keys(places) as Place[]).filter((place) => isLong || short.includes(place));

it.for(tried)('a worker is killed when %s, and all is as without that', async (place) => {
  const label = `K${Object.keys(places).indexOf(place)}Q`;
  const interfere = async () => {
    const { isWaiting, release } = await hold(place);
    try {
      await until(place, isWaiting);
      await kill(stack, 'parse-worker');
    } finally {
      await release();
    }
  };
  const begin = first.includes(place) ? 'first' : 'next';
  expect(await playLists(stack, label, { begin, interfere })).toEqual(expected);
});
