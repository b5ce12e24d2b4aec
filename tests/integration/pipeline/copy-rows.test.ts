import { randomUUID } from 'node:crypto';
import { withPinnedConnection } from '@draftshelf/core/connection/database';
import { copyRows, type NewRow } from '@draftshelf/core/reading/copy-rows';
import { toStoredValues } from '@draftshelf/domain/review/stored-values';
import type { Item } from '@draftshelf/domain/suppliers/item-hashes';
import { expect } from 'vitest';
import { test } from '../../support/test.ts';

const plain: NewRow = {
  ...{ row: 1, line: 2, byteFrom: 10, product: 1, class: 'valid', enrichable: true, ignored: null },
  values: {
    ...{ title: 'Vase', price: '€ 1,50', sku: 'V-1', vendor: 'Acme', image: 'a.jpg', compareAtPieces: '2' },
    ...{
      description: 'ü 花'.repeat(40),
      quantity: '-3',
      weight: '1.5 kg',
      cost: 'on request',
      option3Value: 'S',
    },
  },
  ...{ price: '1.50', gtin: '00012345678905', search: 'vase\nv-1', options: ['Size: S'], isFirst: true },
  ...{ groupKey: 'handle:vase', issues: 2 ** 52 + 1, cells: ['Vase', '1.50'] },
  cellsAsRead: null,
  item: {
    ...{ key: 's:V-1', hashes: [1, -1, 2 ** 31 - 1, -(2 ** 31), 0, 6, 7, 8] },
    ...{ price: 2 ** 33, quantity: 2 ** 31 - 1, gtin: 12_345_678_905 },
  },
};
const odd: NewRow = {
  ...{ row: 2, line: 2_000_000_000, byteFrom: 2 ** 40 + 5, product: 0, class: 'error', enrichable: false },
  ...{ ignored: 'totals', values: { title: 'a\tb\\n\r\n"ü 花 🏺', sku: '' }, price: null, gtin: null },
  ...{
    ...{ options: null, isFirst: false },
    search: null,
    groupKey: null,
    issues: 0,
    cells: ['\\N', '', 'a\0b\u2028', '花'.repeat(100_000), '\\.'],
    cellsAsRead: ['\\N', '', '', 'a\0b\u2028', '花'.repeat(100_000), '\\.'],
    item: null,
  },
};

const wordsIn = (hashes: unknown) =>
  Buffer.isBuffer(hashes) && Array.from({ length: hashes.length / 4 }, (_, at) => hashes.readInt32BE(at * 4));

/** The columns of a row's item as one value. */
function withItem<Row extends Record<`item_${keyof Item}`, unknown>>(stored: Row) {
  const { item_key: key, item_hashes: hashes, ...others } = stored;
  const { item_price: price, item_quantity: quantity, item_gtin: gtin, ...rest } = others;
  return { ...rest, item: key === null ? null : { key, hashes: wordsIn(hashes), price, quantity, gtin } };
}

test('rows are read back as they were written', async ({ fixture }) => {
  const importId = randomUUID();
  await withPinnedConnection(fixture.database, ({ client }) =>
    copyRows(client, { import_id: importId, run: 3 }, [plain, odd]),
  );
  const stored = await fixture.database.db
    .selectFrom('rows')
    .selectAll()
    .where('import_id', '=', importId)
    .where('run', '=', 3)
    .orderBy('row')
    .execute();
  expect(
    stored.map(
      ({
        import_id,
        run,
        joined,
        byte_from,
        group_key,
        cells_as_read,
        own_id,
        sources,
        is_first: isFirst,
        ...rest
      }) => withItem({ ...rest, isFirst }),
    ),
  ).toEqual(
    [plain, odd].map(({ byteFrom, groupKey, cellsAsRead, values, ...rest }) => ({
      ...rest,
      ...toStoredValues(values),
    })),
  );
  expect(
    stored.map(({ byte_from, group_key, cells_as_read }) => [byte_from, group_key, cells_as_read]),
  ).toEqual([
    [10, 'handle:vase', null],
    [2 ** 40 + 5, null, odd.cellsAsRead],
  ]);
});
