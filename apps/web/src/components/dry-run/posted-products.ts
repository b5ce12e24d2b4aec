import type { Row } from '@draftshelf/contract/rows';
import { canonicalFields, type RowValues } from '@draftshelf/domain/canonical-fields';
import { draftProductOf } from '@draftshelf/domain/draft-product';
import type { PostedProduct } from '@draftshelf/domain/posted-product';
import type { z } from 'zod';

type Posted = z.input<typeof PostedProduct>;

/** A product of an import as the dry run posts it, and the number of its first row. */
export type DryRunProduct = { row: number; title: string; posted: Posted };

const options = { draftMode: false, importSource: 'draftshelf', currency: '' };

/**
 * The products of some rows, by the rules of the push. The status is the row's: the server applies Safe Mode and
 * reports missing fields.
 */
export function postedProducts(
  rows: readonly Pick<Row, 'row' | 'product' | 'ignored' | 'values'>[],
): DryRunProduct[] {
  const products = Map.groupBy(
    rows.filter(({ ignored }) => ignored === null),
    ({ product }) => product,
  );
  return [...products.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const values = [first, ...others].map((row) => knownValues(row.values));
    const title = values.find((one) => one.title)?.title ?? '';
    return [{ row: first.row, title, posted: draftProductOf(values, options) }];
  });
}

function knownValues(values: Readonly<Record<string, string | undefined>>): RowValues {
  const known = canonicalFields.filter((field) => values[field]);
  return Object.fromEntries(known.map((field) => [field, values[field]]));
}
