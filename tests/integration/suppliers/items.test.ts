import { randomUUID } from 'node:crypto';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { removeOldEntries } from '@draftshelf/core/operate/retention/old-entries';
import {
  countRows,
  joinRenumberedItems,
  markMissingItems,
  restoreItemKeys,
} from '@draftshelf/core/suppliers/count-rows';
import { countSimilarRows, readSampledRows } from '@draftshelf/core/suppliers/evidence';
import { insertItems } from '@draftshelf/core/suppliers/items';
import { removeItemsOfList } from '@draftshelf/core/suppliers/lists';
import { groupRowsOfItems } from '@draftshelf/core/suppliers/partial-rows';
import { findRowItems, removeRowItems, separateSharedIds } from '@draftshelf/core/suppliers/row-items';
import { currentRows } from '@draftshelf/core/work/runs';
import { toIssueSet } from '@draftshelf/domain/review/issue-set';
import { decodeChanges, fieldGroups, type ListChange } from '@draftshelf/domain/suppliers/list';
import { expect } from 'vitest';
import { createRandom } from '../../faults/fault-random.ts';
import type { Fixture } from '../../support/fixture.ts';
import { type FoundRow, idsOf, type ListRow, listRows } from '../../support/list-rows.ts';
import { isLong } from '../../support/queue-backend.ts';
import { test } from '../../support/test.ts';

function randomOf(seed: number) {
  const { between } = createRandom(seed);
  return {
    below: (max: number) => Math.floor(between(0, max)),
    chance: (share: number) => between(0, 1) < share,
  };
}
type Random = ReturnType<typeof randomOf>;

/** A list of a few products; keys repeat within it, and some rows have none. */
function randomList({ below, chance }: Random): ListRow[] {
  let product = 0;
  return Array.from({ length: 5 + below(30) }, (_, at) => {
    if (at === 0 || chance(0.6)) product += 1;
    return {
      ...{ row: at + 1, product, key: chance(0.1) ? null : `s:${below(25)}` },
      hashes: fieldGroups.map(() => 1 + below(2)),
      price: 100 * (1 + below(3)),
      gtin: chance(0.5) ? 1_000 + below(12) : null,
    };
  });
}

/** The next list: some rows are gone, changed, renumbered, or in another order, and some are new. */
function nextList(random: Random, list: readonly ListRow[]): ListRow[] {
  const { chance, below } = random;
  const kept = list
    .filter(() => !chance(0.15))
    .map((row) => ({
      ...row,
      key: row.key !== null && chance(0.1) ? `s:new-${below(1_000)}` : row.key,
      hashes: row.hashes.map((hash) => (chance(0.1) ? 3 : hash)),
      price: chance(0.3) ? row.price + 60 : row.price,
    }));
  const added = randomList(random).slice(0, 4);
  let product = 0;
  let last = 0;
  return [...kept, ...added.map((row) => ({ ...row, product: row.product + 1_000 }))].map((row, at) => {
    if (at === 0 || row.product !== last) product += 1;
    last = row.product;
    return { ...row, row: at + 1, product };
  });
}

type Item = {
  ourId: string;
  first: number;
  hashes: number[];
  price: number;
  gtin: number | null;
  missing: boolean;
  counted: boolean;
};

/** What a list should be, by a program of its own. */
function expected(list: readonly ListRow[], items: ReadonlyMap<string, Item>) {
  const byKey = Map.groupBy(
    list.filter(({ key }) => key !== null),
    ({ key }) => key as string,
  );
  const isDoubled = (key: string) => new Set(byKey.get(key)?.map(({ hashes }) => hashes.join())).size > 1;
  const open = [...byKey].flatMap(([key, [first]]) =>
    !items.has(key) && !isDoubled(key) && first?.gtin ? [{ key, gtin: first.gtin }] : [],
  );
  const left = [...items].filter(([key]) => !byKey.has(key));
  const moved = new Map<string, string>();
  for (const { key, gtin } of open) {
    const alike = left.filter(([, item]) => item.gtin === gtin);
    const isUnique = open.filter((other) => other.gtin === gtin).length === 1;
    if (alike.length === 1 && isUnique) moved.set(key, alike[0]?.[0] ?? '');
  }
  const itemKeyOf = (key: string) => (items.has(key) ? key : moved.get(key));
  const isDoubtful = ({ key, hashes, gtin }: ListRow) => {
    const item = items.get(key ?? '');
    return !!item?.gtin && !!gtin && item.gtin !== gtin && item.hashes[7] !== hashes[7];
  };
  const changes = (row: ListRow): ListChange[] => {
    if (row.key === null) return ['unkeyed'];
    if (isDoubled(row.key)) return ['doubled'];
    const item = items.get(itemKeyOf(row.key) ?? '');
    if (!item) return ['new'];
    if (isDoubtful(row)) return ['doubtful'];
    if (!item.counted) return ['new'];
    const renumbered: ListChange[] = items.has(row.key) ? [] : ['renumbered'];
    if (item.missing) return ['returned', ...renumbered];
    const groups = fieldGroups.slice(0, 7).filter((_, at) => row.hashes[at] !== item.hashes[at]);
    if (groups.length === 0) return ['unchanged', ...renumbered];
    const { price } = row;
    const than: ListChange[] = price > item.price ? ['dearer'] : price < item.price ? ['cheaper'] : [];
    const jumped: ListChange[] = Math.abs(price - item.price) > item.price / 2 ? ['jumped'] : [];
    return ['changed', ...renumbered, ...than, ...jumped, ...(groups as ListChange[])];
  };
  return {
    changes: list.map(changes),
    missing: [...items].flatMap(([key, item]) =>
      item.missing || !item.counted || byKey.has(key) || [...moved.values()].includes(key) ? [] : [key],
    ),
    ids: chosenIds(list, (row) => {
      const isFirst = byKey.get(row.key ?? '')?.[0] === row;
      const key =
        row.key !== null && isFirst && !isDoubled(row.key) && !isDoubtful(row)
          ? itemKeyOf(row.key)
          : undefined;
      const item = items.get(key ?? '');
      return item && key !== undefined ? { ...item, key } : undefined;
    }),
  };
}

/** The ids that products get from items. */
function chosenIds(list: readonly ListRow[], itemOf: (row: ListRow) => (Item & { key: string }) | undefined) {
  const best = [...Map.groupBy(list, ({ product }) => product)].flatMap(([product, rows]) => {
    const voted = Map.groupBy(
      rows.map(itemOf).filter((item) => item !== undefined),
      ({ ourId }) => ourId,
    );
    const [first] = [...voted.values()]
      .map((votes) => ({
        ...{ product, ourId: votes[0]?.ourId ?? '', rows: votes.length },
        ...{
          first: Math.min(...votes.map((vote) => vote.first)),
          key: votes.map(({ key }) => key).sort()[0] ?? '',
        },
      }))
      .sort((a, b) => b.rows - a.rows || a.first - b.first || (a.key < b.key ? -1 : 1));
    return first ? [first] : [];
  });
  const ids = new Map<number, string>();
  for (const [ourId, claims] of Map.groupBy(best, (claim) => claim.ourId)) {
    const [winner] = claims.sort((a, b) => b.rows - a.rows || a.product - b.product);
    if (winner) ids.set(winner.product, ourId);
  }
  return ids;
}

const compared = ({ row, change }: FoundRow) => ({ row, change });

const partRows = 7;
const seeds = isLong ? 25 : 3;

async function count(fixture: Fixture, record: ImportRecord, list: { supplier: number; number: number }) {
  const { db } = fixture.database;
  await listRows(fixture).setCounted(list, null);
  for (let at = 0; at < record.total_rows; at += partRows) {
    await db.transaction().execute((trx) => countRows(trx, record, list, { at, last: at + partRows }, null));
  }
  await db.transaction().execute((trx) => markMissingItems(trx, record, list, true));
  await listRows(fixture).setCounted(list, record.rows_run);
}

async function takeBack(fixture: Fixture, list: { supplier: number; number: number }) {
  await listRows(fixture).setCounted(list, null);
  await restoreItemKeys(fixture.database.db, list);
}

async function keep(
  { database: { db } }: Fixture,
  record: ImportRecord,
  list: { supplier: number; number: number },
) {
  for (let at = 0; at < record.total_rows; at += partRows) {
    await db.transaction().execute((trx) => insertItems(trx, record, list, { at, last: at + partRows }));
  }
}

async function find(
  { database: { db } }: Fixture,
  record: ImportRecord,
  items: { supplier: number; before: number | null },
) {
  const of = currentRows(record);
  return db.transaction().execute(async (trx) => {
    await removeRowItems(trx, of);
    const found = await findRowItems(trx, of, { ...items, groups: fieldGroups });
    await separateSharedIds(trx, record, of);
    return found;
  });
}

test('rows find their items, ids stay unique, and a list that is taken back leaves no trace', async ({
  fixture,
}) => {
  const lists = listRows(fixture);
  for (let seed = 1; seed <= seeds; seed += 1) {
    const random = randomOf(seed);
    const supplier = await lists.supplier();
    let rows = randomList(random);
    const state = new Map<string, Item>();
    for (let number = 1; number <= 4; number += 1) {
      const where = `seed ${seed}, list ${number}`;
      const record = await lists.insert(rows);
      const list = { supplier, number };
      const should = expected(rows, state);
      if (number > 1) {
        const { items, missing } = await find(fixture, record, { supplier, before: null });
        const first = await lists.found(record);
        expect(
          first.map(({ change }) => decodeChanges(change)),
          where,
        ).toEqual(should.changes);
        expect((await lists.missing(record, supplier)).sort(), where).toEqual(should.missing.sort());
        expect(missing, where).toBe(should.missing.length);
        expect(items, where).toBe([...state.values()].filter((item) => item.counted && !item.missing).length);
      }
      const ids = idsOf(record, rows, await lists.found(record));
      for (const [product, ourId] of should.ids) expect(ids.get(product), where).toBe(ourId);
      expect(new Set(ids.values()).size, where).toBe(ids.size);

      await keep(fixture, record, list);
      const before = await lists.items(supplier);
      await count(fixture, record, list);
      const after = await lists.items(supplier);
      await takeBack(fixture, list);
      const restored = await lists.items(supplier);
      // What no list has counted has ids alone.
      const comparable = (item: (typeof before)[number]) =>
        item.content_list === null ? { key: item.key, our_id: item.our_id } : item;
      expect(restored.map(comparable), where).toEqual(before.map(comparable));
      await count(fixture, record, list);
      expect(await lists.items(supplier), where).toEqual(after);

      // Reading it again compares it with what was before it, and finds the same.
      const found = await lists.found(record);
      await find(fixture, record, { supplier, before: number });
      expect(idsOf(record, rows, await lists.found(record)), where).toEqual(ids);
      if (number > 1) expect((await lists.found(record)).map(compared), where).toEqual(found.map(compared));

      state.clear();
      for (const item of after) state.set(item.key, stateOf(item));
      rows = nextList(random, rows);
    }
  }
});

const row = (number: number, key: string, of: Partial<ListRow> = {}): ListRow => ({
  ...{ row: number, product: number, key, hashes: fieldGroups.map(() => number) },
  ...{ price: 1000, gtin: 2_000 + number },
  ...of,
});

test('a list whose items go with an earlier list while it is read has them again', async ({ fixture }) => {
  const lists = listRows(fixture);
  const supplier = await lists.supplier();
  const first = await lists.insert([row(1, 's:A'), row(2, 's:B')]);
  await keep(fixture, first, { supplier, number: 1 });
  const before = await lists.items(supplier);
  // Of the second row, only the key is another one.
  const second = await lists.insert([row(1, 's:A'), row(2, 's:B-new')]);
  await find(fixture, second, { supplier, before: null });
  expect(await lists.found(second)).toMatchObject([{ item: 's:A' }, { item: 's:B' }]);
  await removeItemsOfList(fixture.database.db, { supplier, number: 1 });
  expect(await lists.items(supplier)).toEqual([]);
  await keep(fixture, second, { supplier, number: 2 });
  const again = before.map((item, at) => ({ ...item, key: ['s:A', 's:B-new'][at], first_list: 2 }));
  expect(await lists.items(supplier)).toEqual(again);
});

test('a list that renumbers items is read and counted again, and taken back though its old keys are used', async ({
  fixture,
}) => {
  const lists = listRows(fixture);
  const { pool } = fixture.database;
  const supplier = await lists.supplier();
  const first = await lists.insert([row(1, 's:A'), row(2, 's:B')]);
  await keep(fixture, first, { supplier, number: 1 });
  await count(fixture, first, { supplier, number: 1 });
  const items = async () =>
    (
      await pool.query<{ id: number; key: string }>(
        'select id, key from supplier_items where supplier = $1 order by id',
        [supplier],
      )
    ).rows.map(({ id, key }) => [id, key]);
  const [a = 0, b = 0] = (await items()).map(([id]) => id);
  const second = await lists.insert([row(1, 's:A2'), row(2, 's:B2')]);
  await find(fixture, second, { supplier, before: null });
  await keep(fixture, second, { supplier, number: 2 });
  await count(fixture, second, { supplier, number: 2 });
  expect(await items()).toEqual([
    [a, 's:A2'],
    [b, 's:B2'],
  ]);
  // Its keys were in another column: read again, it has those of the first list.
  const again = await lists.insert([row(1, 's:A'), row(2, 's:B')]);
  for (let times = 0; times < 2; times += 1) {
    await find(fixture, again, { supplier, before: 2 });
    expect(await lists.found(again)).toMatchObject([{ item: 's:A2' }, { item: 's:B2' }]);
    await keep(fixture, again, { supplier, number: 2 });
    expect(await items()).toHaveLength(2);
  }
  // A later list that does not count has an old key for another product, of which something is said.
  const third = await lists.insert([row(1, 's:A', { gtin: 9_999 })]);
  await find(fixture, third, { supplier, before: null });
  await keep(fixture, third, { supplier, number: 3 });
  await pool.query(
    `insert into carried_values (supplier, subject, field, kind, value, said_at, said_in, import_id)
     select $1, 'i:' || id, 'price', 'value', '5', now(), 'a.csv', gen_random_uuid() from supplier_items
     where supplier = $1 and key = 's:A'`,
    [supplier],
  );
  await takeBack(fixture, { supplier, number: 2 });
  expect(await items()).toEqual([
    [a, 's:A'],
    [b, 's:B'],
  ]);
  const { rows: said } = await pool.query('select subject from carried_values where supplier = $1', [
    supplier,
  ]);
  expect(said).toEqual([{ subject: `i:${a}` }]);
});

test('missed items that are one by now are joined, and the newest word of them stays', async ({
  fixture,
}) => {
  const lists = listRows(fixture);
  const { pool } = fixture.database;
  const supplier = await lists.supplier();
  const { rows } = await pool.query<{ id: number }>(
    `insert into supplier_items (supplier, key, our_id, gtin, first_list, first_run)
     values ($1, 's:PACK', 'one', 7, 1, 1), ($1, 's:SINGLE', 'one', 7, 1, 1), ($1, 's:NEW', 'one', 7, 3, 1)
     returning id`,
    [supplier],
  );
  await lists.setCounted({ supplier, number: 1 }, 1);
  await pool.query(
    `insert into item_versions (supplier, item, list, run, our_id, gtin, missed)
     select $1, id, 3, 1, 'one', 7, true from unnest($2::bigint[]) id`,
    [supplier, [rows[0]?.id, rows[1]?.id]],
  );
  await pool.query(
    `insert into carried_values (supplier, subject, field, kind, value, said_at, said_in, import_id)
     select $1, 'i:' || id, 'price', 'value', at::text, now() + at * interval '1 second', 'a.csv', $3
     from unnest($2::bigint[]) with ordinality as item (id, at)`,
    [supplier, [rows[2]?.id, rows[1]?.id, rows[0]?.id], randomUUID()],
  );
  await lists.setCounted({ supplier, number: 3 }, null);
  await joinRenumberedItems(fixture.database.db, { supplier, number: 3 }, 1);
  await lists.setCounted({ supplier, number: 3 }, 1);
  expect((await lists.items(supplier)).map(({ key }) => key)).toEqual(['s:NEW']);
  const said = await pool.query('select subject, value from carried_values where supplier = $1', [supplier]);
  expect(said.rows).toEqual([{ subject: `i:${rows[2]?.id}`, value: '3' }]);
});

test('the many items of a supplier that has no statistics yet are each read a few times', async ({
  fixture,
}) => {
  const lists = listRows(fixture);
  const { pool, db } = fixture.database;
  const addItems = async (count: number) => {
    const supplier = await lists.supplier();
    await pool.query(
      `insert into supplier_items (supplier, key, our_id, gtin, first_list, first_run)
       select $1, 's:' || at, at, at, 1, 1 from generate_series(1, $2::int) at`,
      [supplier, count],
    );
    await pool.query(
      `insert into item_versions (supplier, item, list, run, our_id, gtin)
       select supplier, id, 2, 1, our_id, gtin from supplier_items where supplier = $1`,
      [supplier],
    );
    for (const number of [1, 2]) await lists.setCounted({ supplier, number }, 1);
    return supplier;
  };
  await addItems(100);
  await pool.query('vacuum analyze supplier_items, item_versions, supplier_lists');
  const items = 2_000;
  const supplier = await addItems(items);
  const sample = { key: 's:0', gtin: 7, letters: null, text: null, title: 'Vase' };
  await db.transaction().execute(async (trx) => {
    expect(await countSimilarRows(trx, supplier, [sample])).toEqual({ alike: 1, equalGtins: 1 });
    const tables = await trx
      .withTables<{ pg_stat_xact_user_tables: { idx_tup_fetch: string | null; seq_tup_read: string } }>()
      .selectFrom('pg_stat_xact_user_tables')
      .select(['idx_tup_fetch', 'seq_tup_read'])
      .execute();
    const reads = tables.map((table) => Number(table.idx_tup_fetch) + Number(table.seq_tup_read));
    // Each item reads the lists of its supplier, of which earlier tests have left some. All versions for each item were
    // 2,000 times as many.
    expect(Math.max(...reads)).toBeLessThan(100 * items);
  });
});

test('what old lists said is removed where a newer old one says something else', async ({ fixture }) => {
  const lists = listRows(fixture);
  const supplier = await lists.supplier();
  const numbers = Array.from({ length: 13 }, (_, at) => at + 1);
  for (const number of numbers) {
    const record = await lists.insert([row(1, 's:A', { price: 100 * number }), row(2, 's:B')]);
    await find(fixture, record, { supplier, before: null });
    await keep(fixture, record, { supplier, number });
    await count(fixture, record, { supplier, number });
  }
  const versions = async () =>
    (
      await lists.query<{ list: number }>(
        'select list from item_versions where supplier = $1 order by list',
        [supplier],
      )
    ).map(({ list }) => list);
  expect(await versions()).toEqual(numbers.slice(1));
  const items = await lists.items(supplier);
  while ((await removeOldEntries(fixture.database)) > 0);
  expect(await versions()).toEqual(numbers.slice(2));
  expect(await lists.items(supplier)).toEqual(items);
  for (const number of numbers.toReversed().slice(0, 10)) {
    await takeBack(fixture, { supplier, number });
    expect(await lists.items(supplier)).toMatchObject([{ price: 100 * (number - 1) }, { price: 1000 }]);
  }
});

test('keys that cells had before they were cleaned are found, and only these', async ({ fixture }) => {
  const lists = listRows(fixture);
  const supplier = await lists.supplier();
  const old = [
    's:AB-\u200b1',
    's:90.7500',
    'h:TEE|A &AMP; B||',
    'h:TEE|CAF&EACUTE;||',
    'h:CAP\u200b|S||',
    's:\u200bTWO',
    's:T\u200bWO',
    's:AB-9',
    's:C-3',
  ];
  const first = await lists.insert(old.map((key, at) => row(at + 1, key, { gtin: null })));
  await keep(fixture, first, { supplier, number: 1 });
  await count(fixture, first, { supplier, number: 1 });
  const now = [
    ...['s:AB-1', 's:90.750', 'h:TEE|A & B||', 'h:TEE|CAFÉ||', 'h:CAP|S||'],
    ...['s:TWO', 's:AB9', 's:C-3'],
  ];
  const second = await lists.insert(now.map((key, at) => row(at + 1, key, { gtin: null })));
  await find(fixture, second, { supplier, before: null });
  const found = await lists.found(second);
  // Two items could be the row of 'TWO', and punctuation of a clean key counts.
  expect(found.map(({ item }) => item)).toEqual([...old.slice(0, 5), null, null, 's:C-3']);
  expect(found.map(({ change }) => decodeChanges(change)[0])).toEqual([
    ...Array<string>(5).fill('unchanged'),
    ...['new', 'new', 'changed'],
  ]);
  expect((await lists.missing(second, supplier)).sort()).toEqual(
    ['s:AB-9', 's:T\u200bWO', 's:\u200bTWO'].sort(),
  );
  await keep(fixture, second, { supplier, number: 2 });
  await count(fixture, second, { supplier, number: 2 });
  const listedNow = (await lists.items(supplier)).filter((item) => item.missed_since === null);
  expect(listedNow.map(({ key }) => key).sort()).toEqual(now.toSorted());
});

test('rows of a list of prices are joined by keys that an earlier reading gave', async ({ fixture }) => {
  const lists = listRows(fixture);
  const supplier = await lists.supplier();
  const old = ['s:A\u200bB-1', 's:A\u200bB-2', 's:C-3'];
  const first = await lists.insert(old.map((key, at) => row(at + 1, key, { gtin: null, product: 1 })));
  await keep(fixture, first, { supplier, number: 1 });
  const prices = await lists.insert(
    ['s:AB-1', 's:D-4', 's:AB-2', 's:C-3'].map((key, at) => row(at + 1, key, { gtin: null })),
  );
  await groupRowsOfItems(fixture.database.db, currentRows(prices), supplier);
  const rows = await fixture.database.db
    .selectFrom('rows')
    .select('group_key')
    .where('import_id', '=', prices.id)
    .orderBy('row')
    .execute();
  const [{ our_id: ourId } = { our_id: '' }] = await lists.items(supplier);
  expect(rows.map((one) => one.group_key)).toEqual([`item:${ourId}`, null, `item:${ourId}`, `item:${ourId}`]);
});

test('a row that repeats a price in another currency is no item, wherever it stands', async ({ fixture }) => {
  const lists = listRows(fixture);
  const supplier = await lists.supplier();
  const rows = [1, 2, 3].flatMap((product) => [
    row(2 * product - 1, `s:${product}`, { product, price: 900 }),
    row(2 * product, `s:${product}`, { product, price: 1000 }),
  ]);
  const record = await lists.insert([...rows, { ...row(7, ''), key: null }]);
  const of = currentRows(record);
  await lists.query(`update rows set issues = $2 where import_id = $1 and row in (1, 3, 5)`, [
    record.id,
    toIssueSet(['price-repeated']),
  ]);
  const prices = async () =>
    (await lists.items(supplier)).map(({ key, ...item }) => [
      key,
      Number((item as { price?: string }).price),
    ]);
  const once = [
    ['s:1', 1000],
    ['s:2', 1000],
    ['s:3', 1000],
  ];
  await keep(fixture, record, { supplier, number: 1 });
  expect(await prices()).toEqual(once);
  await count(fixture, record, { supplier, number: 1 });
  expect(await prices()).toEqual(once);
  const sampled = await readSampledRows(fixture.database.db, of, 10);
  expect(sampled.map(({ key }) => key)).toEqual(['s:1', 's:2', 's:3', null]);
});

function stateOf(item: Awaited<ReturnType<ReturnType<typeof listRows>['items']>>[number]): Item {
  const { our_id, hashes, price, gtin, first_list, missed_since } = item as typeof item &
    Record<string, unknown>;
  const groups = String(hashes).match(/.{8}/g) ?? [];
  return {
    ...{ ourId: our_id, first: Number(first_list), hashes: groups.map((hash) => Number.parseInt(hash, 16)) },
    ...{
      price: Number(price),
      gtin: gtin === null ? null : Number(gtin),
      missing: missed_since !== null,
      counted: item.content_list !== null,
    },
  };
}
