import type { Row } from '@draftshelf/contract/rows';
import type { Db } from '@draftshelf/database/connect';
import { type EffectiveRow, readRowPage } from '@draftshelf/database/effective-rows';
import { readFindings } from '@draftshelf/database/row-findings';
import { readParseRun } from '@draftshelf/database/runs';
import type { ImportRecord } from '@draftshelf/database/schema';
import { readOutcomesOf } from '@draftshelf/database/screen-reads';
import type { CanonicalField } from '@draftshelf/domain/canonical-fields';
import type { HeaderMapping } from '@draftshelf/domain/header-mapping';
import { originalCells, processedRow, rowKeyOf } from '@draftshelf/domain/row-keys';
import { toRow } from './to-row.ts';

/** Adds to rows what the screens show beside them: findings across rows, and what the last push made of them. */
export async function toRows(
  db: Db,
  record: ImportRecord,
  rows: readonly EffectiveRow[],
  storeUrlOf: (productId: string) => string,
): Promise<Row[]> {
  const numbers = rows.map((row) => row.row);
  const findings = Map.groupBy(await readFindings(db, record, numbers), (finding) => finding.row);
  const outcomes = await readOutcomesOf(db, record, [...new Set(rows.map((row) => row.product))]);
  return rows.map((row) =>
    toRow(row, {
      findings: findings.get(row.row) ?? [],
      outcome: outcomes.get(row.product),
      storeUrlOf,
    }),
  );
}

/** csvData and processedData hold so many rows (decision O2) … */
const wholeRowsMax = 1000;
/** … or fewer, where their cells together are longer than this: a reply is built in memory. */
const wholeCharsMax = 16 * 1024 * 1024;
const pageRows = 100;

type WholeRows = { csvData: Record<string, string>[]; processedData: Record<string, string>[] };

/** The first rows of an import as objects by the original headers, and by the specification's row keys. */
export async function readWholeRows(db: Db, record: ImportRecord): Promise<WholeRows> {
  const { headers, mapping } = await readParseRun(db, record.id, record.rows_run);
  const whole: WholeRows = { csvData: [], processedData: [] };
  let after = 0;
  let chars = 0;
  while (whole.csvData.length < wholeRowsMax && chars < wholeCharsMax) {
    const rows = await readRowPage(db, record, { after, limit: pageRows });
    for (const row of rows) {
      whole.csvData.push(shownCells(headers, mapping, row));
      whole.processedData.push(processedRow(row.values));
      for (const cell of row.cells) chars += cell.length;
      after = row.row;
    }
    if (rows.length < pageRows) break;
  }
  return whole;
}

/** The original cells, with edits under their field's first header, else under its row key (decisions D24, P16). */
function shownCells(headers: readonly string[], mapping: HeaderMapping, row: EffectiveRow) {
  const cells = originalCells(headers, row.cells);
  for (const [field, source] of Object.entries(row.sources) as [CanonicalField, string][]) {
    if (source !== 'edit') continue;
    const header = mapping.columns[mapping.sources[field]?.[0] ?? -1]?.header;
    cells[header ?? rowKeyOf(field)] = row.values[field] ?? '';
  }
  return cells;
}
