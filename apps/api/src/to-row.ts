import type { Row } from '@draftshelf/contract/rows';
import type { EffectiveRow } from '@draftshelf/database/rows/effective-rows';
import type { OutcomeRecord } from '@draftshelf/database/schema';
import { rowIssues } from '@draftshelf/domain/validate-row';

export type Finding = { row: number; code: string; field: string; first_row: number };

/** A row as the screens show it. `storeUrlOf` makes the link to a product of the store. */
export function toRow(
  row: EffectiveRow,
  beside: {
    findings: readonly Finding[];
    outcome: OutcomeRecord | undefined;
    storeUrlOf: (productId: string) => string;
  },
): Row {
  return {
    row: row.row,
    line: row.line,
    product: row.product,
    class: row.class,
    ignored: row.ignored,
    values: row.values,
    sources: row.sources,
    cells: row.cells,
    cellsAsRead: row.cells_as_read,
    issues: [...(row.issues ?? []).map(issueOf), ...beside.findings.map(findingOf)],
    outcome: beside.outcome ? toOutcome(beside.outcome, beside.storeUrlOf) : null,
  };
}

const known: Record<string, { field: string | null; message: string }> = rowIssues;

/** A code that this version does not know is shown as it is. */
const issueOf = (code: string) => ({ code, ...(known[code] ?? { field: null, message: code }) });

const findingOf = ({ code, field, first_row }: Finding) => ({
  code,
  field,
  message: `Duplicate ${field === 'upc' ? 'UPC' : 'SKU'}: same as row ${first_row}.`,
});

function toOutcome(record: OutcomeRecord, storeUrlOf: (productId: string) => string): Row['outcome'] {
  const storeUrl = record.store_product_id === null ? null : storeUrlOf(record.store_product_id);
  return { result: record.outcome, message: record.message, storeUrl };
}
