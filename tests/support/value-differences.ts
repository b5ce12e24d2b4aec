import type { Db } from '@draftshelf/core/connection/database';
import { computeValues, type EffectiveRow, readRowPage } from '@draftshelf/core/review/effective-rows';
import { storedColumns } from '@draftshelf/core/review/validated-rows';
import type { RunOfRows } from '@draftshelf/core/work/runs';
import { toSearchText } from '@draftshelf/domain/base/search-text';
import { createOptionFormatter } from '@draftshelf/domain/products/variant-options';
import { toStoredValues } from '@draftshelf/domain/review/stored-values';

/**
 * The first differences, in words, between what rows of a run store and what follows from their cells, found values and
 * edits: effective values and where they come from, sizes, options, first rows, and what rows are searched by.
 */
export async function valueDifferences(db: Db, of: RunOfRows): Promise<string[]> {
  const rows: { stored: EffectiveRow; now: EffectiveRow }[] = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: EffectiveRow[] = await readRowPage(db, of, { after, limit: 10_000 });
    const computed = await computeValues(db, of, page);
    for (const [at, stored] of page.entries()) rows.push({ stored, now: computed[at] ?? stored });
    after = page.at(-1)?.row;
  }
  const shown = rows.filter(({ stored }) => stored.ignored === null);
  const products = Map.groupBy(shown, ({ stored }) => stored.product);
  const optionsOf = new Map(
    [...products].map(([product, ofProduct]) => [
      product,
      createOptionFormatter(ofProduct.map(({ now }) => now.values)),
    ]),
  );
  const wrong: string[] = [];
  for (const { stored, now } of rows) {
    const { row, product, ignored, gtin, options, sources, leftOut, search } = stored;
    const isShown = ignored === null;
    const ofProduct = products.get(product) ?? [];
    const expected = {
      values: now.values,
      ...toStoredValues(now.values),
      ...{ sources: now.sources, leftOut: now.leftOut },
      options: isShown ? (optionsOf.get(product)?.(now.values) ?? null) : null,
      search: isShown ? toSearchText(now.values, gtin) : null,
      isFirst: isShown && ofProduct[0]?.stored.row === row,
    };
    const isFirst = stored.is_first && !stored.joined && isShown;
    const columns = Object.fromEntries(storedColumns.map((column) => [column, stored[column]]));
    const found = { values: stored.values, ...columns, sources, leftOut, options, search, isFirst };
    const [is, should] = [inOrder(found), inOrder(expected)];
    if (is !== should && !stored.isDamaged) wrong.push(`row ${row} stores ${is}, not ${should}`);
  }
  return wrong.slice(0, 10);
}

const inOrder = (value: object): string =>
  JSON.stringify(value, (_key, one) => {
    if (Number.isNaN(one)) return 'NaN';
    return one !== null && typeof one === 'object' && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one;
  });
