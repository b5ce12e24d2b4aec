import type { Row } from '@draftshelf/contract/rows';
import type { FoundDetail } from '@draftshelf/database/enrich/found-values';
import type { EffectiveRow } from '@draftshelf/database/rows/effective-rows';
import type { RowPlace } from '@draftshelf/database/rows/product-rows';
import type { OutcomeRecord } from '@draftshelf/database/schema';
import { issuesIn } from '@draftshelf/domain/issue-set';
import { duplicateText, issueField, issueText, type RowIssue } from '@draftshelf/domain/issues';
import { sourceLabel } from '@draftshelf/domain/sources';
import { productUrlIn } from './store-connection.ts';

export type Finding = { row: number; code: string; field: string; first_row: number };

/** A row as the api sends it. `storeOf` returns the URL of the store that a push run pushed to. */
export function toRow(
  row: EffectiveRow,
  details: {
    findings: readonly Finding[];
    place: RowPlace | undefined;
    outcome: OutcomeRecord | undefined;
    storeOf: (pushRun: number) => string | undefined;
    found: readonly FoundDetail[];
    image: NonNullable<Row['image']>;
  },
): Row {
  return {
    row: row.row,
    line: row.line,
    product: row.product,
    ofProduct: details.place ? { place: details.place.place, rows: details.place.rows } : null,
    class: row.class,
    ignored: row.ignored,
    values: row.values,
    sources: row.sources,
    cells: row.cells,
    cellsAsRead: row.cells_as_read,
    issues: [...issuesIn(row.issues).map(issueOf), ...details.findings.map(findingOf)],
    image: details.image,
    found: provenance(row, details.found),
    outcome: details.outcome ? toOutcome(details.outcome, details.storeOf) : null,
  };
}

/** Where values come from that were found, or proposed and taken. */
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

const issueOf = (code: RowIssue) => ({ code, field: issueField(code), message: issueText(code) });

const findingOf = ({ code, field, first_row }: Finding) => ({
  code,
  field,
  message: duplicateText(field, first_row),
});

function toOutcome(record: OutcomeRecord, storeOf: (pushRun: number) => string | undefined): Row['outcome'] {
  const storeUrl = productUrlIn(storeOf(record.run), record.store_product_id);
  return { result: record.outcome, message: record.message, storeUrl };
}
