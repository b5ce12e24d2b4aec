import { IssueFilter, type Row, type RowFacets } from '@draftshelf/contract/review/rows';
import type { RowFacet } from '@draftshelf/core/connection/schema';
import type { FoundDetail } from '@draftshelf/core/enrich/found-values';
import type { EffectiveRow } from '@draftshelf/core/review/effective-rows';
import { countMatchingRows } from '@draftshelf/core/review/search/row-filter';
import { sourceLabel } from '@draftshelf/domain/enrich/sources';
import { explainPrices, explainTypedPrices } from '@draftshelf/domain/reading/column-readings';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { issuesIn } from '@draftshelf/domain/review/issue-set';
import {
  duplicateText,
  issueText,
  otherImportText,
  sameOptionsText,
} from '@draftshelf/domain/review/issue-texts';
import type { RowIssue } from '@draftshelf/domain/review/issues';
import { findOtherCurrency, otherCurrencyText } from '@draftshelf/domain/review/other-currency';
import type { RowClass } from '@draftshelf/domain/review/row-rule';
import { issueFieldInRow } from '@draftshelf/domain/review/store-limits';
import { findUnsentValues } from '@draftshelf/domain/review/unread-values';
import { createProductUrl } from '../access/store-connection.ts';
import { type RowExtras, readRowExtras } from './read-rows.ts';

const damagedRow = 'This row can’t be shown, because its data is damaged. Your file is kept.';

const parentRow =
  'Not sent as a variant: this row describes the product, and its other rows are the variants.';

export async function readShownRows(...read: Parameters<typeof readRowExtras>): Promise<Row[]> {
  const beside = await readRowExtras(...read);
  const [, , rows] = read;
  return rows.map((row) => toRow(row, beside));
}

function toRow(row: EffectiveRow, beside: RowExtras): Row {
  const { row: number, line, product, ignored, values, sources, leftOut, cells } = row;
  const place = beside.places.get(number);
  const productTitle = beside.titles.get(beside.begun.get(number) ?? 0);
  const isParent = beside.parents.has(number);
  // Null if the scanned product from which this row was added has been deleted.
  const scannedId = beside.scanned?.get(row.byte_from);
  const [listed, carried] = [beside.listed.get(number), beside.carried.get(number)];
  const outcome = beside.outcomes.get(product);
  const undone = beside.undone.get(product);
  return {
    ...{ row: number, line, product, class: row.class, ignored, values, sources, leftOut, cells },
    ofProduct: place ? { place: place.place, rows: place.rows } : null,
    ...(productTitle ? { productTitle } : {}),
    cellsAsRead: row.cells_as_read,
    issues: [
      ...(row.isDamaged ? [{ code: 'damaged', field: null, message: damagedRow }] : []),
      ...issuesIn(row.issues)
        .filter((code) => !(isParent && code === 'other-currency'))
        .flatMap((code) => issuesOf(code, row, beside)),
      ...(beside.findings.get(number) ?? []).map(({ field, first_row }) => ({
        ...{ code: 'duplicate' as const, field, message: duplicateText(field, first_row) },
      })),
      ...(isParent ? [{ code: 'parent', field: null, message: parentRow }] : []),
    ],
    image: beside.imageOf(row),
    ...(scannedId === undefined ? {} : { scanned: { productId: scannedId } }),
    found: provenance(row, beside.found.get(number) ?? []),
    ...readingsOf(row, beside.mapping),
    ...(listed ? { listed } : {}),
    ...(carried ? { carried } : {}),
    outcome: outcome
      ? {
          ...{ result: outcome.outcome, message: outcome.message },
          storeUrl: createProductUrl(beside.stores?.get(outcome.run), outcome.store_product_id),
        }
      : null,
    ...(undone ? { undone } : {}),
  };
}

/** Explains amounts that were read differently from their text, both in typed values and in unreplaced cells. */
function readingsOf({ cells, values, sources }: EffectiveRow, mapping: HeaderMapping): Pick<Row, 'readAs'> {
  const ofCells = Object.entries(explainPrices(cells, mapping)).filter(
    ([field]) => sources[field as keyof typeof sources] === undefined,
  );
  const ofTyped = explainTypedPrices(values, (field) => sources[field] === 'edit', mapping);
  const sentences = [...ofCells, ...Object.entries(ofTyped)];
  return sentences.length === 0 ? {} : { readAs: Object.fromEntries(sentences) };
}

function provenance(row: EffectiveRow, found: readonly FoundDetail[]): NonNullable<Row['found']> {
  const current = found.filter(
    ({ field, value }) => row.values[field as keyof EffectiveRow['values']] === value,
  );
  return Object.fromEntries(
    current.map(({ field, source, attribution, found_at }) => [
      field,
      { source: sourceLabel(source), at: found_at.toISOString(), attribution },
    ]),
  );
}

type Issue = Row['issues'][number];

function issuesOf(code: RowIssue, row: EffectiveRow, beside: RowExtras): Issue[] {
  const unread = code === 'value-unread' ? findUnsentValues(row.values, beside.mapping.metafields) : [];
  if (unread.length === 0) return [issueOf(code, row, beside)];
  return unread.map(([field, message]) => ({ code, field, message }));
}

function issueOf(code: RowIssue, { row, values }: EffectiveRow, beside: RowExtras): Issue {
  const { currency } = beside;
  const match = beside.matches.get(row);
  if (code === 'same-options') {
    const message = sameOptionsText(beside.sameOptions.get(row) ?? []);
    return { code, field: issueFieldInRow(code, values), message };
  }
  if (code === 'in-other-import' && match) {
    const { field, filename, state } = match;
    const message = otherImportText(field, filename, state);
    const other = { id: match.importId, filename, foundAt: match.foundAt.toISOString() };
    return { code, field, message, other };
  }
  if (code === 'other-currency' && currency !== null) {
    const other = findOtherCurrency(values, { inherited: {}, currency });
    if (other) return { code, field: other.field, message: otherCurrencyText(other, currency) };
  }
  return { code, field: issueFieldInRow(code, values), message: issueText(code, values) };
}

export function toFacetCounts(facets: readonly RowFacet[]): RowFacets {
  const ofClass = (name: RowClass) => countMatchingRows(facets, { class: name });
  const issues = IssueFilter.options
    .map((issue) => [issue, countMatchingRows(facets, { issue })] as const)
    .filter(([, rows]) => rows > 0);
  return {
    classes: { valid: ofClass('valid'), warning: ofClass('warning'), error: ofClass('error') },
    needsYou: countMatchingRows(facets, { class: 'needs-you' }),
    issues: Object.fromEntries(issues),
    ignored: facets.filter((facet) => facet.class === 'ignored').reduce((sum, facet) => sum + facet.rows, 0),
  };
}
