import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { readRowPage } from '@draftshelf/core/review/effective-rows';
import { readFacets } from '@draftshelf/core/review/row-facets';
import { currentRows } from '@draftshelf/core/work/runs';
import { issuesIn } from '@draftshelf/domain/review/issue-set';
import { type IssueCode, issueConsequence } from '@draftshelf/domain/review/issues';
import type { Fixture } from './fixture.ts';
import { valueDifferences } from './value-differences.ts';

type Database = Pick<Fixture['database'], 'db'>;
type RowsOf = Pick<ImportRecord, 'id' | 'rows_run'>;

/** How many of an import's current rows there are by class and issue. */
export type RowSummary = Record<string, number>;

/** As it is stored. */
export async function storedSummary({ db }: Database, record: RowsOf): Promise<RowSummary> {
  const facets = await readFacets(db, currentRows(record));
  return Object.fromEntries(facets.map((facet) => [`${facet.class} ${facet.issue}`, facet.rows]));
}

/** Computed from every row. Throws if a row stores other values than follow from its cells, found values and edits. */
export async function countedSummary({ db }: Database, record: RowsOf): Promise<RowSummary> {
  const rows = await readRowPage(db, currentRows(record), { after: 0, limit: 10_000 });
  const wrong = await valueDifferences(db, currentRows(record));
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const firsts = new Map<string, number>();
  const facets: RowSummary = {};
  const keysOf = ({ ignored, sku, gtin }: (typeof rows)[number]) =>
    ignored === null ? [sku && `sku ${sku}`, gtin && `upc ${gtin}`].filter((key) => key !== null) : [];
  for (const row of rows) {
    for (const key of keysOf(row)) firsts.set(key, Math.min(row.product, firsts.get(key) ?? row.product));
  }
  for (const row of rows) {
    const { class: name, ignored, issues, leftOut, product } = row;
    const isDuplicate = keysOf(row).some((key) => firsts.get(key) !== product);
    const isLeftOut = ignored === null && leftOut;
    const own: IssueCode[] = ignored === null && !isLeftOut ? issuesIn(issues) : [];
    if (isDuplicate && !isLeftOut) own.push('duplicate');
    const counted = [
      ...['', ...own, ...(own.length > 0 ? ['any'] : [])],
      ...['refused', 'check'].filter((one) => own.some((code) => issueConsequence(code) === one)),
      ...(isLeftOut ? ['left-out'] : []),
      ...(ignored === 'totals' ? ['totals'] : []),
    ];
    for (const issue of counted) {
      const key = `${ignored === null ? name : 'ignored'} ${issue}`;
      facets[key] = (facets[key] ?? 0) + 1;
    }
  }
  return facets;
}
