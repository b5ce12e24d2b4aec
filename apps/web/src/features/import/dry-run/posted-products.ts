import type { Row } from '@draftshelf/contract/review/rows';
import {
  type CanonicalField,
  canonicalFields,
  fieldSpecs,
  type RowValues,
} from '@draftshelf/domain/base/canonical-fields';
import { buildUncheckedDraft, explainUnsentAmounts } from '@draftshelf/domain/products/draft-product';
import { listVariantRows } from '@draftshelf/domain/products/variant-rows';
import type { CallRequest } from '../../../api/call.ts';
import { countOf } from '../../../lib/intl.ts';

/** `unsent`: sentences about rows and amounts that are not sent. `isLeftOut`: true if no row of the product is sent. */
export type DryRunProduct = {
  product: number;
  row: number;
  title: string;
  posted: NonNullable<CallRequest<'dryRun'>['body']>['product'];
  unsent: string[];
  isLeftOut: boolean;
};

const options = { draftMode: false, importSource: 'draftshelf', currency: '' };

/** Groups rows into products to post. The products' status ignores Safe Mode, because the server applies Safe Mode. */
export function postedProducts(
  rows: readonly Pick<Row, 'row' | 'product' | 'ignored' | 'values' | 'leftOut'>[],
): DryRunProduct[] {
  const products = Map.groupBy(
    rows.filter(({ ignored }) => ignored === null),
    ({ product }) => product,
  );
  return [...products.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const ofProduct = [first, ...others];
    const values = ofProduct.map((row) => knownValues(row.values));
    const leftOut = ofProduct.flatMap((row, at) => (row.leftOut ? [at] : []));
    const title = values.find(({ title }) => title)?.title ?? '';
    const posted = buildUncheckedDraft(values, options, leftOut);
    const unsent = [
      ...leftOutOf(leftOut.length),
      ...unsentOf(values.filter((_, at) => !leftOut.includes(at))),
    ];
    return [
      {
        product: first.product,
        row: first.row,
        title,
        posted,
        unsent,
        isLeftOut: posted.variants.length === 0,
      },
    ];
  });
}

const leftOutOf = (rows: number): string[] =>
  rows === 0 ? [] : [`${countOf(rows, 'row is', 'rows are')} left out of the push.`];

/** Returns each sentence once. Example: 'Compare-at price isn’t sent: this is the price of all 8 pieces.' */
function unsentOf(rows: readonly RowValues[]): string[] {
  const sentences = listVariantRows(rows).flatMap((row) =>
    Object.entries(explainUnsentAmounts(row)).map(([field, sentence]) =>
      sentence.replace(/^Not sent/, `${fieldSpecs[field as CanonicalField].label} isn’t sent`),
    ),
  );
  return [...new Set(sentences)];
}

function knownValues(values: Readonly<Record<string, string | undefined>>): RowValues {
  const knownFields = ([...canonicalFields, 'compareAtPieces'] as const).filter((field) => values[field]);
  return Object.fromEntries(knownFields.map((field) => [field, values[field] ?? '']));
}
