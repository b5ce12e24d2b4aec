import { IssueFilter, type Row, type RowFacets } from '@draftshelf/contract/review/rows';
import type { OutcomeRecord, RowFacet } from '@draftshelf/core/connection/schema';
import type { FoundDetail } from '@draftshelf/core/enrich/found-values';
import type { EffectiveRow } from '@draftshelf/core/review/effective-rows';
import type { RowPlace } from '@draftshelf/core/review/product-rows';
import type { RowMatch } from '@draftshelf/core/review/row-matches';
import { countMatching } from '@draftshelf/core/review/search/row-filter';
import { sourceLabel } from '@draftshelf/domain/enrich/sources';
import { readingSentences, typedSentences } from '@draftshelf/domain/reading/column-readings';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { issuesIn } from '@draftshelf/domain/review/issue-set';
import {
  duplicateText,
  inOtherImportText,
  issueText,
  sameOptionsText,
} from '@draftshelf/domain/review/issue-texts';
import type { RowIssue } from '@draftshelf/domain/review/issues';
import { otherCurrency, otherCurrencyText } from '@draftshelf/domain/review/other-currency';
import type { RowClass } from '@draftshelf/domain/review/row-rule';
import { issueFieldOf } from '@draftshelf/domain/review/store-limits';
import { unreadValues } from '@draftshelf/domain/review/unread-values';
import { productUrlIn } from '../access/store-connection.ts';

export type Finding = { row: number; field: string; first_row: number };

const damagedRow = 'This row can’t be shown, because its data is damaged. Your file is kept.';

const parentRow =
  'Not sent as a variant: this row describes the product, and its other rows are the variants.';

/** `storeOf` returns the URL of the store that a push run pushed to. */
export function toRow(
  row: EffectiveRow,
  details: {
    findings: readonly Finding[];
    place: RowPlace | undefined;
    /** Set if the product's first row is not shown. */
    productTitle: string | undefined;
    outcome: OutcomeRecord | undefined;
    storeOf: (pushRun: number) => string | undefined;
    /** Undefined once the product has a new outcome. */
    undone: Row['undone'];
    found: readonly FoundDetail[];
    image: NonNullable<Row['image']>;
    /** The store's currency when the rows were read. */
    currency: string | null;
    match: RowMatch | undefined;
    sameOptions: readonly number[];
    /** The product that the row was added from; null if it was deleted; undefined for a row of the file. */
    scannedId: string | null | undefined;
    isParent: boolean;
    listed: Row['listed'];
    carried: Row['carried'];
    mapping: HeaderMapping;
  },
): Row {
  const { outcome } = details;
  const { row: number, line, product, ignored, values, sources, leftOut, cells } = row;
  return {
    ...{ row: number, line, product, class: row.class, ignored, values, sources, leftOut, cells },
    ofProduct: details.place ? { place: details.place.place, rows: details.place.rows } : null,
    ...(details.productTitle ? { productTitle: details.productTitle } : {}),
    cellsAsRead: row.cells_as_read,
    issues: [
      ...(row.isDamaged ? [{ code: 'damaged', field: null, message: damagedRow }] : []),
      ...issuesIn(row.issues)
        .filter((code) => !(details.isParent && code === 'other-currency'))
        .flatMap((code) => issuesOf(code, row, details)),
      ...details.findings.map(({ field, first_row }) => ({
        ...{ code: 'duplicate' as const, field, message: duplicateText(field, first_row) },
      })),
      ...(details.isParent ? [{ code: 'parent', field: null, message: parentRow }] : []),
    ],
    image: details.image,
    ...(details.scannedId === undefined ? {} : { scanned: { productId: details.scannedId } }),
    found: provenance(row, details.found),
    ...readingsOf(row, details.mapping),
    ...(details.listed ? { listed: details.listed } : {}),
    ...(details.carried ? { carried: details.carried } : {}),
    outcome: outcome
      ? {
          ...{ result: outcome.outcome, message: outcome.message },
          storeUrl: productUrlIn(details.storeOf(outcome.run), outcome.store_product_id),
        }
      : null,
    ...(details.undone ? { undone: details.undone } : {}),
  };
}

/** Explains amounts whose text looks different, in cells that still apply and in typed values. */
function readingsOf({ cells, values, sources }: EffectiveRow, mapping: HeaderMapping): Pick<Row, 'readAs'> {
  const ofCells = Object.entries(readingSentences(cells, mapping)).filter(
    ([field]) => sources[field as keyof typeof sources] === undefined,
  );
  const ofTyped = typedSentences(values, (field) => sources[field] === 'edit', mapping);
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

type IssueDetails = Pick<Parameters<typeof toRow>[1], 'currency' | 'match' | 'sameOptions'>;

function issuesOf(
  code: RowIssue,
  row: EffectiveRow,
  details: IssueDetails & { mapping: HeaderMapping },
): Issue[] {
  const unread = code === 'value-unread' ? unreadValues(row.values, details.mapping.metafields) : [];
  if (unread.length === 0) return [issueOf(code, row, details)];
  return unread.map(([field, message]) => ({ code, field, message }));
}

function issueOf(code: RowIssue, { values }: EffectiveRow, details: IssueDetails): Issue {
  const { currency, match, sameOptions } = details;
  if (code === 'same-options') {
    return { code, field: issueFieldOf(code, values), message: sameOptionsText(sameOptions) };
  }
  if (code === 'in-other-import' && match) {
    const { field, filename, state } = match;
    const message = inOtherImportText(field, filename, state);
    const other = { id: match.importId, filename, foundAt: match.foundAt.toISOString() };
    return { code, field, message, other };
  }
  if (code === 'other-currency' && currency !== null) {
    const other = otherCurrency(values, { inherited: {}, currency });
    if (other) return { code, field: other.field, message: otherCurrencyText(other, currency) };
  }
  return { code, field: issueFieldOf(code, values), message: issueText(code, values) };
}

export function toFacets(facets: readonly RowFacet[]): RowFacets {
  const ofClass = (name: RowClass) => countMatching(facets, { class: name });
  const issues = IssueFilter.options
    .map((issue) => [issue, countMatching(facets, { issue })] as const)
    .filter(([, rows]) => rows > 0);
  return {
    classes: { valid: ofClass('valid'), warning: ofClass('warning'), error: ofClass('error') },
    needsYou: countMatching(facets, { class: 'needs-you' }),
    issues: Object.fromEntries(issues),
    ignored: facets.filter((facet) => facet.class === 'ignored').reduce((sum, facet) => sum + facet.rows, 0),
  };
}
