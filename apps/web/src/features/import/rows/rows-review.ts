import type { Row, RowPage } from '@draftshelf/contract/review/rows';
import type { InlineField } from '@draftshelf/domain/base/field-look';
import { createContext, use } from 'react';
import type { BulkEdit } from '../bulk-edit/bulk-edit.tsx';
import type { ShownDetails } from '../imports-api.ts';
import type { RowTicks } from '../row-ticks.ts';
import type { GridStore } from './grid-store.ts';
import type { RowDrafts } from './row-edit.ts';
import type { RowsPage } from './rows-page.ts';
import type { Problems } from './use-problems.ts';

export type RowsReview = RowsPage & {
  record: ShownDetails;
  /** The reason why rows cannot be edited now, or null if they can. */
  lock: string | null;
  drafts: RowDrafts;
  /** The shown page. While another page loads, its `rows` are still those of the previous page. */
  page: RowPage;
  problems: Problems;
  store: GridStore;
  ticks: RowTicks;
  bulkEdit: BulkEdit;
  isBeside: boolean;
};

export const RowsReviewContext = createContext<RowsReview | null>(null);

export function useRowsReview(): RowsReview {
  const review = use(RowsReviewContext);
  if (review === null) throw new Error('Rows are only reviewed in the preview of an import.');
  return review;
}

export type RowEntry = {
  row: Row;
  /** The product's first row on this page, which has the values of fields that belong to the whole product. */
  firstOfProduct: Row;
  /** The product's title, which a row without a title inherits. */
  groupTitle: string | null;
  fields: readonly InlineField[];
  isFixed: boolean;
  /** A sentence that names another import with the same SKU or UPC. Null if there is none. */
  elsewhere: string | null;
};

export function createEntries(
  { heldRows, address: { issue }, record }: RowsReview,
  fields: readonly InlineField[],
): RowEntry[] {
  // If only some rows are in another currency, these rows show the issue. Otherwise no row does.
  const said =
    record.otherCurrency?.rows == null
      ? importFacts
      : importFacts.filter((code) => code !== 'other-currency');
  const rows = heldRows.rows.map((row) => withoutImportFacts(row, issue, said));
  const inFileOrder = rows.toSorted((a, b) => a.row - b.row);
  const titles = titlesByProduct(inFileOrder);
  const firstRows = firstRowsByProduct(inFileOrder);
  return rows.map((row, at) => ({
    row: { ...row, productTitle: titles.get(row.product) },
    firstOfProduct: firstRows.get(row.product) ?? row,
    groupTitle: titles.get(row.product) ?? null,
    fields,
    isFixed: heldRows.fixed.has(row.row),
    elsewhere: elsewhereOf(heldRows.rows[at] ?? row, issue),
  }));
}

/** Issues of the whole import or of line ends. A row shows such an issue only if rows are filtered by this issue. */
const importFacts: readonly string[] = ['other-currency', 'in-other-import', 'mixed-line-ends'];

const withoutImportFacts = (row: Row, issue: string | undefined, said: readonly string[]): Row => ({
  ...row,
  issues: row.issues.filter(({ code }) => code === issue || !said.includes(code)),
});

function elsewhereOf({ issues }: Row, issue: string | undefined): string | null {
  if (issue === 'in-other-import') return null;
  return issues.find(({ code }) => code === 'in-other-import')?.message ?? null;
}

/** Returns the title of each product, because often only the product's first row has a title. */
function titlesByProduct(rows: readonly Row[]): Map<number, string> {
  const titles = new Map<number, string>();
  for (const { product, productTitle, values } of rows) {
    const title = productTitle ?? values.title;
    if (title && !titles.has(product)) titles.set(product, title);
  }
  return titles;
}

/** Returns the first shown row of each product. The product may begin on the previous page. */
function firstRowsByProduct(rows: readonly Row[]): Map<number, Row> {
  const first = new Map<number, Row>();
  for (const row of rows) if (row.ignored === null && !first.has(row.product)) first.set(row.product, row);
  return first;
}
