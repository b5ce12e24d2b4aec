import { readConsistently } from '@draftshelf/core/connection/consistent-read';
import type { Db, OpenDatabase } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { findImport } from '@draftshelf/core/imports/imports';
import { lastEdit } from '@draftshelf/core/review/commands/stored-edits';
import { namedColumns, ownColumns } from '@draftshelf/core/review/corrections/columns';
import { readEditedFields } from '@draftshelf/core/review/corrections/edited-fields';
import { foundMarks } from '@draftshelf/core/review/corrections/found-marks';
import { readRowsByNumber } from '@draftshelf/core/review/effective-rows';
import { findMatching, type RowQuery } from '@draftshelf/core/review/search/row-page';
import { currentRows, readParseRun } from '@draftshelf/core/work/runs';
import { importTag, rowKeyText } from '@draftshelf/domain/review/corrections/row-key';
import { shownCell } from '@draftshelf/domain/review/corrections/shown-cells';
import { type RowContext, toRows } from './read-rows.ts';

const rowsAtATime = 200;
/** A search that takes longer goes on with the next part. */
const searchMsMax = 500;

/**
 * The records of a corrections file with the rows of a filter: the header, then each row with its key, number, problems
 * and values. Reads a few rows at a time, each with the last edit that its values include. Throws if the import is read
 * again or deleted in the meantime.
 */
export async function* readCorrectionsFile(
  db: OpenDatabase['db'],
  record: ImportRecord,
  query: Omit<RowQuery, 'limit'>,
  shown: RowContext,
): AsyncGenerator<string[]> {
  const of = currentRows(record);
  const { headers, mapping } = await readParseRun(db, of);
  const edited = await readEditedFields(db, record.id);
  const columns = namedColumns(headers, mapping).filter(
    ({ at, field }) => at !== null || (field !== null && edited.has(field)),
  );
  yield [...ownColumns, ...columns.map(({ name }) => name)];
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after;
    const part = await readConsistently(db, async (trx) => {
      await requireUnchanged(trx, record);
      const limits = { after: from, limit: rowsAtATime, msMax: searchMsMax };
      const found = await findMatching(trx, record, query, limits);
      const rows = (await readRowsByNumber(trx, of, found.rows)).filter(
        ({ ignored, isDamaged }) => ignored === null && !isDamaged,
      );
      const edit = await lastEdit(trx, record.id);
      const texts = await toRows(trx, record, rows, shown);
      const problems = new Map(texts.map(({ row, issues }) => [row, issues.map(({ message }) => message)]));
      return { next: found.next, rows, edit, problems };
    });
    const { edit } = part;
    for (const row of part.rows) {
      const place = { tag: importTag(record.id), row: row.row, place: row.byte_from, run: of.run };
      yield [
        rowKeyText({ ...place, edit, found: foundMarks(row) }),
        String(row.row),
        (part.problems.get(row.row) ?? []).join('; '),
        ...columns.map((column) => shownCell(row, column, mapping)),
      ];
    }
    after = part.next;
  }
}

async function requireUnchanged(db: Db, { id, rows_run }: ImportRecord): Promise<void> {
  const now = await findImport(db, id);
  if (now?.rows_run === rows_run && now.deletion_began_at === null) return;
  throw new Error(`Import ${id} changed while its corrections were read`);
}
