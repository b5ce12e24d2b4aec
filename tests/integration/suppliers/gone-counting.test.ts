import type { SupplierList } from '@draftshelf/contract/imports/list';
import { importActions } from '@draftshelf/domain/imports/import-status';
import { expect } from 'vitest';
import { csvOf } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(readers);
const { call, query, read, reach, rested, upload } = importSteps(() => stack);

/** A supplier's lists, each counted or only read, and what is gone by them. */
function supplierOf(label: string, of = 10) {
  let sent = 0;
  let id = 0;
  const all = Array.from({ length: of }, (_, at) => at + 1);
  const read_ = async (without: readonly number[], form: Record<string, string> = {}, text?: string) => {
    sent += 1;
    const rows = all
      .filter((at) => !without.includes(at))
      .map((at) => [`${label} vase number ${at}`, `${10 + sent}.00`, `${label}-${at}`]);
    const csv = text ?? csvOf([['Title', 'Price', 'SKU'], ...rows]);
    const importId = await upload(csv, form, `${label} ${sent}.csv`);
    await reach(importId, ...importActions.review);
    await rested(importId);
    id = (await read(importId)).supplier ?? id;
    return importId;
  };
  const answer = async (importId: string, body: object) => {
    await call('PUT', `/api/queue/${importId}/list`, body);
    await rested(importId);
    return importId;
  };
  const say = async (set: object, from: object = {}) =>
    (await stack.api.call('PUT', `/api/suppliers/${id}/answers`, { body: { set, from } })).status;
  const shown = async (importId: string) =>
    (await call<{ job: { list: SupplierList } }>('GET', `/api/queue/${importId}?rows=0`)).job.list;
  const gone = async (importId: string) => {
    const path = `/api/queue/${importId}/list/missing?gone=true`;
    const { items } = await call<{ items: { key: string }[] }>('GET', path);
    expect((await shown(importId)).gone ?? 0).toBe(items.length);
    return items.map(({ key }) => Number(key.split('-')[1]));
  };
  return {
    ...{ read: read_, answer, say, shown, gone },
    /** Reads a list without these products and lets it count. */
    counted: async (...without: number[]) => answer(await read_(without), { counts: true }),
    complete: () => say({ sendsComplete: true }),
    id: () => id,
  };
}

test('a product is gone when two complete lists in a row lack it, and not while nobody has said so', async () => {
  const acme = supplierOf('Acme');
  await acme.counted();
  const second = await acme.counted(1);
  expect(await acme.shown(second)).toMatchObject({
    answers: { sendsComplete: null },
    cutOff: null,
    gone: null,
  });
  const third = await acme.counted(1, 2);
  expect(await acme.gone(third)).toEqual([]);
  expect(await acme.say({ sendsComplete: true }, { sendsComplete: null })).toBe(200);
  expect(await acme.gone(third)).toEqual([1]);
  // Somebody else's screen shows an older answer.
  expect(await acme.say({ sendsComplete: false }, { sendsComplete: null })).toBe(409);
  expect(await acme.gone(second)).toEqual([]);
  expect(await acme.say({ goneAfter: 1 })).toBe(200);
  expect(await acme.gone(third)).toEqual([1, 2]);
  expect(await acme.say({ goneAfter: 3, sendsComplete: true }, { goneAfter: 1 })).toBe(200);
  expect(await acme.gone(third)).toEqual([]);
  const [item] = (
    (await stack.api.call('GET', `/api/queue/${await acme.counted(1)}/list/missing?gone=true`)).body as {
      items: object[];
    }
  ).items;
  expect(item).toMatchObject({
    title: 'Acme vase number 1',
    price: '11.00',
    lastIn: 'Acme 1.csv',
    status: null,
  });
  // Listed again, it is back.
  const back = await acme.counted();
  expect(await acme.gone(back)).toEqual([]);
  expect((await acme.shown(back)).counts).toMatchObject({ returned: 1, missing: 0 });
});

test.runIf(isLong)(
  'no list that does not count makes a product gone, and taking the last one back brings it back',
  async () => {
    const beta = supplierOf('Beta');
    await beta.counted();
    await beta.complete();
    const second = await beta.counted(1);
    // A test, one that is only read, one that is cancelled, and one that is said not to count.
    await beta.read([1, 2], { testMode: 'true' });
    await beta.read([1, 2]);
    const cancelled = await beta.read([1, 2]);
    expect((await stack.api.call('POST', `/api/queue/${cancelled}/cancel`)).status).toBe(200);
    await beta.answer(await beta.read([1, 2]), { counts: false });
    expect(await beta.gone(second)).toEqual([]);
    const third = await beta.counted(1);
    expect(await beta.gone(third)).toEqual([1]);
    await beta.answer(third, { counts: false });
    expect(await beta.gone(second)).toEqual([]);
    await beta.answer(third, { counts: true });
    expect(await beta.gone(third)).toEqual([1]);
    // A list whose file is older does not count by itself.
    await query(`update supplier_lists set file_at = now() + interval '1 day' where import_id = $1`, [third]);
    const late = await beta.read([1, 2, 3], { fileDate: new Date().toISOString() });
    expect((await beta.shown(late)).late).toMatchObject({ isLatest: null });
    expect(await beta.gone(late)).toEqual([]);
    expect(await beta.gone(third)).toEqual([1]);
  },
);

test.runIf(isLong)('the same file pushed again is no further list that lacks a product', async () => {
  const acme = supplierOf('Again');
  await acme.counted();
  await acme.complete();
  const text = 'Title,Price,SKU\n'.concat(
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((at) => `Again vase number ${at},20.00,Again-${at}\n`),
  );
  const counted = async (csv: string) => acme.answer(await acme.read([], {}, csv), { counts: true });
  await counted(text);
  expect(await acme.gone(await counted(text))).toEqual([]);
  expect(await acme.gone(await counted(text.replace('20.00', '21.00')))).toEqual([10]);
});

test('a list that seems cut off waits for a person, and counting of misses begins again behind it', async () => {
  const gamma = supplierOf('Gamma');
  await gamma.counted();
  await gamma.complete();
  await gamma.counted(1);
  const cut = await gamma.counted(1, 2, 3, 4, 5);
  expect(await gamma.shown(cut)).toMatchObject({
    state: 'counted',
    cutOff: { missing: 4, of: 9, isWhole: null },
    gone: null,
  });
  const next = await gamma.counted(1, 2);
  expect(await gamma.gone(next)).toEqual([]);
  expect(await gamma.shown(next)).toMatchObject({ counts: { missing: 1 }, cutOff: null });
  expect(await gamma.gone(await gamma.counted(1, 2))).toEqual([1, 2]);

  // The person says that they are really gone, or that it is a part, also after it has counted.
  const much = await gamma.counted(1, 2, 3, 4, 5, 6);
  expect(await gamma.gone(much)).toEqual([]);
  await gamma.answer(much, { isWhole: true });
  expect((await gamma.shown(much)).cutOff).toBeNull();
  expect(await gamma.gone(much)).toEqual([1, 2]);
  await gamma.answer(much, { isWhole: false });
  expect(await gamma.gone(much)).toEqual([]);
  await gamma.answer(much, { isWhole: true });
  expect(await gamma.gone(await gamma.counted(1, 2, 3, 4, 5, 6))).toEqual([1, 2, 3, 4, 5, 6]);
});

test.runIf(isLong)(
  'lists for two groups of products are parts: nothing is gone or held by them',
  async () => {
    const delta = supplierOf('Delta');
    await delta.counted();
    const first = await delta.read([1, 2, 3, 4, 5]);
    expect((await delta.shown(first)).cutOff).toMatchObject({ missing: 5, of: 10 });
    expect(await delta.say({ sendsComplete: false }, { sendsComplete: null })).toBe(200);
    await delta.answer(first, { isWhole: false, counts: true });
    const second = await delta.counted(6, 7, 8, 9, 10);
    expect(await delta.shown(second)).toMatchObject({ cutOff: null, counts: { missing: 5, returned: 0 } });
    const third = await delta.counted(1, 2, 3, 4, 5);
    expect(await delta.shown(third)).toMatchObject({ cutOff: null, counts: { missing: 5, returned: 0 } });
    expect(await delta.gone(third)).toEqual([]);
    // One of them is said to be complete: that is one list.
    await delta.answer(third, { isWhole: true });
    expect(await delta.gone(third)).toEqual([]);
  },
);

test.runIf(isLong)(
  'lists of prices and stock neither count nor begin again, but list what they name',
  async () => {
    const zeta = supplierOf('Zeta');
    await zeta.counted();
    await zeta.complete();
    await zeta.counted(1);
    const prices = csvOf([['SKU', 'Price'], ...[2, 3, 4].map((at) => [`Zeta-${at}`, '9.00'])]);
    await zeta.answer(await zeta.read([], {}, prices), { counts: true });
    expect(await zeta.gone(await zeta.counted(1))).toEqual([1]);
    // What such a list names is listed.
    const named = await zeta.read(
      [],
      {},
      csvOf([
        ['SKU', 'Price'],
        ['Zeta-1', '9.00'],
      ]),
    );
    await zeta.answer(named, { counts: true });
    expect(await zeta.gone(await zeta.counted(1))).toEqual([]);
    expect(await zeta.gone(await zeta.counted(1))).toEqual([1]);
  },
);

test.runIf(isLong)(
  'keys that were renumbered are another supplier’s: nothing of the first one is missing',
  async () => {
    const eta = supplierOf('Eta');
    await eta.counted();
    await eta.complete();
    const second = await eta.counted(1);
    const headers = ['Title', 'Price', 'SKU'];
    const renumbered = [2, 3, 4, 5].map((at) => [`Eta vase number ${at}`, '10.00', `X${at}`]);
    const other = await eta.read([], {}, csvOf([headers, ...renumbered]));
    expect((await read(other)).supplier).not.toBe((await read(second)).supplier);
    expect(await eta.gone(second)).toEqual([]);
  },
);
