import type { RowClass } from '@draftshelf/domain/row-rule';
import { sql } from 'kysely';
import type { RunOfRows } from '../chunks/runs.ts';
import type { Db } from '../connection/database.ts';
import { withoutNestedLoops } from '../connection/planner.ts';
import type { ImportRecord, RowFacetsTable } from '../schema.ts';

export type RowFacet = Omit<RowFacetsTable, 'import_id' | 'run'>;

/** The values of a row that decide its facet. Issues are stored as JSON.stringify writes them. */
type FacetedRow = { class: RowClass; ignored: string | null; issues: readonly string[] | null };

/**
 * Counts rows by class, issues and duplicate flag. `counted` counts rows as they stream by: no duplicates are known
 * then.
 */
export function facetCounter() {
  const facets = new Map<string, RowFacet>();
  // Most rows have the same facet as the one before.
  let last: { row: FacetedRow; facet: RowFacet } | undefined;
  const add = (row: FacetedRow, duplicate: boolean, by: number) => {
    if (last?.facet.duplicate === duplicate && isAlike(row, last.row)) {
      last.facet.rows += by;
      return;
    }
    const name = row.ignored === null ? row.class : 'ignored';
    const issues = row.ignored === null && row.issues?.length ? JSON.stringify(row.issues) : '';
    const key = `${name} ${duplicate} ${issues}`;
    const facet = facets.get(key) ?? { class: name, issues, duplicate, rows: 0 };
    facet.rows += by;
    facets.set(key, facet);
    last = { row, facet };
  };
  return {
    add,
    *counted<R extends FacetedRow>(rows: Iterable<R>): Generator<R> {
      for (const row of rows) {
        add(row, false, 1);
        yield row;
      }
    },
    facets: () => [...facets.values()],
  };
}

function isAlike(a: FacetedRow, b: FacetedRow): boolean {
  if (a.class !== b.class || a.ignored !== b.ignored || a.issues?.length !== b.issues?.length) return false;
  return a.issues === null || a.issues.every((issue, at) => issue === b.issues?.[at]);
}

/**
 * Adds to the counts of a run's facets. The caller's transaction holds the lock of the import or of its rows, so two
 * callers never deadlock.
 */
export async function moveFacets(db: Db, of: RunOfRows, by: readonly RowFacet[]): Promise<void> {
  const moved = by.filter((facet) => facet.rows !== 0);
  if (moved.length === 0) return;
  await sql`
    insert into row_facets (import_id, run, class, issues, duplicate, rows)
    select ${of.import_id}, ${of.run}, class, issues, duplicate, sum(rows)
    from json_to_recordset(${JSON.stringify(moved)})
      as moved(class text, issues text, duplicate boolean, rows integer)
    group by class, issues, duplicate
    on conflict (import_id, run, class, issues, duplicate)
      do update set rows = row_facets.rows + excluded.rows`.execute(db);
}

/**
 * Moves the rows that finalize has just found to be duplicates to their other facet. The planner assumes a single row
 * for a fresh run, and nested loops would compare each row with every other one.
 */
export async function moveDuplicates(db: Db, { import_id, run }: RunOfRows): Promise<void> {
  await withoutNestedLoops(db, () =>
    sql`
    with found as (
      select rows.class, coalesce(rows.issues::text, '') as issues, count(*)::int as rows
      from (select distinct row from row_findings where import_id = ${import_id} and run = ${run}) duplicates
      join rows on rows.import_id = ${import_id} and rows.run = ${run} and rows.row = duplicates.row
      group by 1, 2
    ), left_over as (
      update row_facets set rows = row_facets.rows - found.rows from found
      where import_id = ${import_id} and run = ${run} and row_facets.class = found.class
        and row_facets.issues = found.issues and not duplicate
    )
    insert into row_facets (import_id, run, class, issues, duplicate, rows)
    select ${import_id}, ${run}, class, issues, true, rows from found
    on conflict (import_id, run, class, issues, duplicate)
      do update set rows = row_facets.rows + excluded.rows`.execute(db),
  );
}

/** Counts the facets of a run from its rows and findings. */
export async function countFacets(db: Db, { import_id, run }: RunOfRows): Promise<void> {
  await db.deleteFrom('row_facets').where('import_id', '=', import_id).where('run', '=', run).execute();
  await withoutNestedLoops(db, () =>
    sql`
    insert into row_facets (import_id, run, class, issues, duplicate, rows)
    select ${import_id}, ${run}, faceted.class, faceted.issues, faceted.duplicate, count(*)
    from rows
    left join (select distinct row from row_findings where import_id = ${import_id} and run = ${run}) duplicates
      on duplicates.row = rows.row
    cross join lateral (
      select case when ignored is null then rows.class else 'ignored' end as class,
        case when ignored is null then coalesce(rows.issues::text, '') else '' end as issues,
        duplicates.row is not null as duplicate
    ) faceted
    where import_id = ${import_id} and run = ${run}
    group by 3, 4, 5`.execute(db),
  );
}

/** The facets of an import's current rows, without empty ones. */
export async function readFacets(db: Db, record: Pick<ImportRecord, 'id' | 'rows_run'>): Promise<RowFacet[]> {
  return db
    .selectFrom('row_facets')
    .select(['class', 'issues', 'duplicate', 'rows'])
    .where('import_id', '=', record.id)
    .where('run', '=', record.rows_run)
    .where('rows', '>', 0)
    .execute();
}

/**
 * How many rows an import shows. During a re-read these are the rows of the previous run, while the import's own count
 * is of the new one. During the first read it is the number of rows that the import will have.
 */
export function countShown(
  record: Pick<ImportRecord, 'parse_run' | 'rows_run' | 'total_rows'>,
  facets: readonly Pick<RowFacet, 'rows'>[],
): number {
  if (record.parse_run === record.rows_run) return record.total_rows;
  return facets.reduce((sum, facet) => sum + facet.rows, 0);
}

/** The codes of a facet's issues. */
export function issuesOf(facet: Pick<RowFacet, 'issues'>): string[] {
  return facet.issues === '' ? [] : (JSON.parse(facet.issues) as string[]);
}
