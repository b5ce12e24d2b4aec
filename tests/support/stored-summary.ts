import type { ImportRecord } from '@draftshelf/database/connection/schema';
import { readRowPage } from '@draftshelf/database/review/effective-rows';
import { rowsInBitmap } from '@draftshelf/database/review/row-bitmaps';
import { readFacets } from '@draftshelf/database/review/row-facets';
import { readFindings } from '@draftshelf/database/review/row-findings';
import { currentRows } from '@draftshelf/database/work/runs';
import { issuesIn } from '@draftshelf/domain/review/issue-set';
import { type IssueCode, issueConsequence } from '@draftshelf/domain/review/issues';
import type { Fixture } from './fixture.ts';

type Database = Pick<Fixture['database'], 'db'>;
type RowsOf = Pick<ImportRecord, 'id' | 'rows_run'>;

/** Of an import's current rows, by class and issue: how many there are, and which (duplicates only count). */
export type RowSummary = { facets: Record<string, number>; bitmaps: Record<string, number[]> };

/** As it is stored. */
export async function storedSummary({ db }: Database, record: RowsOf): Promise<RowSummary> {
  const facets = await readFacets(db, currentRows(record));
  const bitmaps = await db
    .selectFrom('row_bitmaps')
    .selectAll()
    .where('import_id', '=', record.id)
    .where('run', '=', record.rows_run)
    .orderBy('block')
    .execute();
  const rows: Record<string, number[]> = {};
  for (const bitmap of bitmaps) {
    const found = rowsInBitmap(bitmap);
    if (found.length > 0) addAll(rows, `${bitmap.class} ${bitmap.issue}`, found);
  }
  return {
    facets: Object.fromEntries(facets.map((facet) => [`${facet.class} ${facet.issue}`, facet.rows])),
    bitmaps: rows,
  };
}

/** Computed from every row and finding. */
export async function countedSummary({ db }: Database, record: RowsOf): Promise<RowSummary> {
  const rows = await readRowPage(db, currentRows(record), { after: 0, limit: 10_000 });
  const numbers = rows.map((row) => row.row);
  const duplicates = new Set(
    (await readFindings(db, currentRows(record), numbers)).map((finding) => finding.row),
  );
  const facets: Record<string, number> = {};
  const bitmaps: Record<string, number[]> = {};
  const count = (key: string) => {
    facets[key] = (facets[key] ?? 0) + 1;
  };
  for (const { row, class: name, ignored, issues, leftOut } of rows) {
    const isLeftOut = ignored === null && leftOut;
    const own = ignored === null && !isLeftOut ? issuesIn(issues) : [];
    const isDuplicate = duplicates.has(row) && !isLeftOut;
    const left = isLeftOut ? ['left-out'] : [];
    const groups = (issues: readonly IssueCode[]) => [
      ...(issues.length > 0 ? ['any'] : []),
      ...['refused', 'check'].filter((one) => issues.some((code) => issueConsequence(code) === one)),
    ];
    const keyOf = (issue: string) => `${ignored === null ? name : 'ignored'} ${issue}`;
    const ofTotals = ignored === 'totals' ? ['totals'] : [];
    const counted = ['', ...groups(own), ...own, ...left, ...ofTotals].map(keyOf);
    for (const key of counted) addAll(bitmaps, key, [row]);
    for (const key of counted) count(key);
    if (!isDuplicate) continue;
    const added = groups([...own, 'duplicate']).filter((group) => !groups(own).includes(group));
    for (const issue of ['duplicate', ...added]) count(keyOf(issue));
  }
  return { facets, bitmaps };
}

function addAll(lists: Record<string, number[]>, key: string, rows: readonly number[]): void {
  lists[key] = [...(lists[key] ?? []), ...rows];
}
