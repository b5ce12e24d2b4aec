import { listWebPictures } from '@draftshelf/domain/products/images';
import type { MatchedImport } from '@draftshelf/domain/push/before-push';
import { issueBit, toIssueSet } from '@draftshelf/domain/review/issue-set';
import { storeRefusals } from '@draftshelf/domain/review/store-limits';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows, queryValue } from '../connection/query-rows.ts';
import type { RowFacet } from '../connection/schema.ts';
import { readImageChecks } from '../enrich/images.ts';
import { matchedState } from '../review/row-matches.ts';
import { hasAnyIssue, isLeftOut } from '../review/search/row-filter.ts';
import type { RunOfRows } from '../work/runs.ts';

const ofRefusals = sql`class = 'valid' and ${hasAnyIssue(toIssueSet(storeRefusals))}`;
const ofRun = ({ import_id, run }: RunOfRows) => sql`import_id = ${import_id} and run = ${run}`;

/** Counts valid products that the store would refuse because of a text. Reads no rows if the facets show none. */
export async function countRefused(db: Db, of: RunOfRows, facets: readonly RowFacet[]): Promise<number> {
  const refusals: readonly string[] = storeRefusals;
  if (!facets.some(({ class: name, issue }) => name === 'valid' && refusals.includes(issue))) return 0;
  return queryValue<number>(db)`
    select count(distinct product)::int as products from rows where ${ofRun(of)}
      and ${ofRefusals}`;
}

/** Counts valid rows that are left out, or that the store would refuse because of a text. */
export const countUnsentRows = (db: Db, of: RunOfRows) =>
  queryValue<number>(db)`
    select count(*)::int as rows from rows
    where ${ofRun(of)} and (${ofRefusals} or class = 'valid' and ${isLeftOut})`;

/** Reads the numbers of left-out and refused rows. Returns null if there are more than 1,000. */
export async function readUnsentRows(db: Db, of: RunOfRows): Promise<number[] | null> {
  const rows = await queryRows<{ row: number }>(db)`
    select row from rows where ${ofRun(of)} and (${ofRefusals} or ${isLeftOut})
    order by row limit ${unsentRowsMax + 1}`;
  return rows.length > unsentRowsMax ? null : rows.map(({ row }) => row);
}

const unsentRowsMax = 1_000;

/** Limits of the read: rows, and characters per cell. No store would load a picture address that is longer. */
const picturedRows = 1_000;
const pictureCharsMax = 4_000;

/** Counts all, failed and unsent pictures of the first 1,000 rows, and finds the most frequent reason. */
export async function countFailedPictures(db: Db, of: RunOfRows) {
  const rows = await queryRows<{ image: string }>(db)`
    select distinct left(image, ${pictureCharsMax}) as image from (
      select image from rows
      where import_id = ${of.import_id} and run = ${of.run} and row <= ${picturedRows} and ignored is null
    ) first where image is not null`;
  const shown = new Set(rows.flatMap(({ image }) => listWebPictures({ image }).slice(0, 1)));
  const checked = [...(await readImageChecks(db, [...shown])).values()];
  const failed = checked.filter(({ state }) => state !== 'ok');
  const notSent = failed.filter(({ state }) => state === 'bad').length;
  const reasons = failed.map(({ reason }) => reason);
  const alike = [...Map.groupBy(reasons, (reason) => reason).values()];
  const [most] = alike.toSorted((one, other) => other.length - one.length);
  return { shown: shown.size, failed: failed.length, notSent, reason: most?.[0] ?? null };
}

/** Reads up to 20 imports with the most matching rows that are not left out. A run has at most 20,000 matches. */
export async function readMatchedImports(db: Db, of: RunOfRows, facets: readonly RowFacet[]) {
  const issue = 'in-other-import';
  if (!facets.some((facet) => facet.issue === issue)) return [];
  return queryRows<MatchedImport>(db)`
    select imports.id, filename, ${matchedState} as state, matched.rows
    from (
      select other_import, count(*)::int as rows from row_matches
      cross join lateral (
        select issues, ignored, class from rows where rows.import_id = ${of.import_id} and rows.run = ${of.run}
          and rows.row = row_matches.row offset 0
      ) rows
      where row_matches.import_id = ${of.import_id} and row_matches.run = ${of.run} and marked
        and ${hasAnyIssue(issueBit(issue))}
      group by other_import
    ) matched join imports on imports.id = matched.other_import
    order by matched.rows desc, imports.id`;
}
