import type { Row } from '@draftshelf/contract/rows';
import { canonicalFields, type RowValues } from '@draftshelf/domain/canonical-fields';
import { buildDraftProduct } from '@draftshelf/domain/draft-product';
import type { PostedProduct } from '@draftshelf/domain/posted-product';
import type { z } from 'zod';

type Posted = z.input<typeof PostedProduct>;

/** A product of an import as the dry run posts it, and the number of its first row. */
export type DryRunProduct = { row: number; title: string; posted: Posted };

const importSource = 'draftshelf';

/** The products of some rows, by the rules of the push. The status is the row's: the server knows about Safe Mode. */
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
    return [{ row: first.row, title, posted: postedProduct(values) }];
  });
}

function postedProduct(values: readonly RowValues[]): Posted {
  const built = buildDraftProduct(values, { draftMode: false, importSource, currency: '' });
  if (built.ok) return built.product;
  // What is missing is for the server to say.
  const [first] = values;
  return {
    title: first?.title ?? '',
    body_html: first?.description ?? '',
    vendor: first?.vendor ?? '',
    published: false,
    published_scope: 'web',
    variants: values.map(({ price, sku, upc }) => ({
      price: price ?? '',
      sku: sku ?? '',
      barcode: upc ?? '',
    })),
  };
}

function knownValues(values: Readonly<Record<string, string | undefined>>): RowValues {
  const known = canonicalFields.filter((field) => values[field]);
  return Object.fromEntries(known.map((field) => [field, values[field]]));
}
