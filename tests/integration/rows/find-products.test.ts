import type { findAnywhere } from '@draftshelf/contract/imports/find';
import type { UploadReply } from '@draftshelf/contract/reading/upload';
import type { ReplyOf } from '@draftshelf/contract/route';
import { findImport } from '@draftshelf/core/imports/imports';
import { listTasks } from '@draftshelf/core/work/tasks';
import { expect } from 'vitest';
import { csvForm } from '../../support/api-client.ts';
import { csvOf, until } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(readers);

/** Uploads a file and waits until its rows can be searched. */
async function searchable(filename: string, lines: readonly (readonly string[])[]): Promise<string> {
  const { body } = await stack.api.upload(csvForm(csvOf(lines), { filename }));
  const { id } = body as UploadReply & { id: string };
  await until('searchable', async () => {
    const record = await findImport(stack.database.db, id);
    if (record?.status !== 'queued' && record?.status !== 'processed') return false;
    return (await listTasks(stack.database.db, id)).length === 0;
  });
  return id;
}

type Found = ReplyOf<typeof findAnywhere>;

/** Asks again after a search that took too long, as on a busy machine. */
async function find(q: string): Promise<Found> {
  for (;;) {
    const { status, body } = await stack.api.call('GET', `/api/find?q=${encodeURIComponent(q)}`);
    expect([status, body]).toEqual([200, body]);
    if ((body as Found).products?.isCut !== true) return body as Found;
  }
}

const foundBy = async (q: string) =>
  (await find(q)).products?.found.map(({ filename, row }) => `${filename} ${row}`);

test('products are found by title, SKU and UPC in all imports, whole values first, then the newest import', async () => {
  const header = ['Title', 'Price', 'SKU', 'UPC', 'Handle'];
  const many = Array.from({ length: 12 }, (_, at) => [
    `Garden chair ${at}`,
    '9',
    `GC-${1000 + at}`,
    '',
    `c${at}`,
  ]);
  const older = await searchable('older lamps.csv', [
    header,
    ['Brass Lamp', '5', 'LMP-1', '036000291452', 'lamp'],
    ['', '6', 'LMP-2', '', 'lamp'],
    ['Lamp', '7', 'VA-1', '', 'other'],
    ...many,
  ]);
  await searchable('newer.csv', [header, ['Brass Lampshade', '5', 'LMP-10', '', 'shade']]);

  // Two rows of one product: it is found once, by the row with the better match.
  expect(await foundBy('lmp-1')).toEqual(['older lamps.csv 1', 'newer.csv 1']);
  expect(await foundBy('LMP-2')).toEqual(['older lamps.csv 2']);
  expect(await foundBy('lamp')).toEqual(['older lamps.csv 3', 'newer.csv 1', 'older lamps.csv 1']);
  expect(await foundBy('036000291452')).toEqual(['older lamps.csv 1']);
  expect(await foundBy('0036000291452')).toEqual(['older lamps.csv 1']);
  // No three letters or digits stand together: only the whole SKU is found.
  expect(await foundBy('VA-1')).toEqual(['older lamps.csv 3']);
  expect((await find('036000291452')).products?.found[0]).toEqual({
    ...{ importId: older, filename: 'older lamps.csv', row: 1 },
    ...{ title: 'Brass Lamp', sku: 'LMP-1', upc: '036000291452' },
  });

  const chairs = (await find('garden')).products;
  expect(chairs?.found).toHaveLength(8);
  expect(chairs).toMatchObject({ hasMore: true, imports: 2, hasOlder: false, isCut: false });

  await stack.api.call('PATCH', `/api/queue/${older}/rows/1`, {
    body: { values: { title: 'Copper Lantern' } },
  });
  expect((await find('lantern')).products?.found).toMatchObject([{ row: 1, title: 'Copper Lantern' }]);
  expect(await foundBy('brass')).toEqual(['newer.csv 1']);
});

test('imports are found by a part of their name; products only from three characters on', async () => {
  expect(await find('LAMPS')).toMatchObject({
    imports: [{ filename: 'older lamps.csv', status: 'processed' }],
  });
  expect(await find('la')).toMatchObject({ imports: [{ filename: 'older lamps.csv' }], products: null });
  expect(await find('100% nothing_')).toMatchObject({ imports: [], products: { found: [], hasMore: false } });
  expect((await stack.api.call('GET', '/api/find?q=%20')).status).toBe(400);
  expect((await stack.api.call('GET', '/api/find')).status).toBe(400);
});

test('a whole SKU or UPC is found also in imports that are too old for words', async () => {
  const header = ['Title', 'Price', 'SKU', 'UPC'];
  const oldest = await searchable('oldest.csv', [header, ['Teapot', '5', 'Tp-77', '4006381333931']]);
  // Copies without rows, which count as newer imports with rows.
  await stack.database.pool.query(
    `with copies as (
       insert into imports select copy.* from imports cross join generate_series(1, 201) nth
       cross join lateral jsonb_populate_record(imports, jsonb_build_object(
         'id', gen_random_uuid(), 'object_key', gen_random_uuid(), 'file_bytes', nth, 'version', nextval('import_version'),
         'created_at', now() + interval '1 hour', 'push_run', 1)) copy
       where imports.id = $1 returning id)
     insert into runs (import_id, stage, run, total_rows, facets)
     select id, 'parse', 1, 1, '[{"class": "valid", "issue": "", "rows": 1}]' from copies`,
    [oldest],
  );
  expect(await foundBy('teapot')).toEqual([]);
  expect(await foundBy('Tp-77')).toEqual(['oldest.csv 1']);
  expect(await foundBy('4006381333931')).toEqual(['oldest.csv 1']);
  expect((await find('Tp-77')).products).toMatchObject({ hasOlder: true });
  await stack.database.pool.query(`delete from imports where created_at > now() + interval '30 minutes'`);
});

test.runIf(isLong)('searches that wait for others are refused when there are too many', async () => {
  const locker = await stack.database.pool.connect();
  try {
    await locker.query('begin; lock table imports in access exclusive mode');
    const first = Promise.withResolvers<number>();
    const searches = Array.from({ length: 103 }, async () => {
      const { status } = await stack.api.call('GET', '/api/find?q=lamp');
      first.resolve(status);
      return status;
    });
    expect(await first.promise).toBe(409);
    await locker.query('rollback');
    // On a slow machine, some of the others have waited too long.
    const statuses = await Promise.all(searches);
    expect(statuses.filter((status) => status === 200).length).toSatisfy((count) => count > 0 && count < 103);
  } finally {
    locker.release();
  }
});
