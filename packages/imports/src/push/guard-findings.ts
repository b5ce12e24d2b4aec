import type { Db } from '@draftshelf/database/connection/database';
import { type RowFacet, readFacets } from '@draftshelf/database/review/row-facets';
import { countMatching } from '@draftshelf/database/review/search/row-filter';
import { type RunOfRows, readRowRules } from '@draftshelf/database/work/runs';
import { type GuardFinding, guardFindings } from '@draftshelf/domain/push/guard-findings';

/** What the guards of a supplier hold of a run's rows. `facets`: the run's, if they have been read. */
export async function readGuardFindings(
  db: Db,
  of: RunOfRows,
  facets?: readonly RowFacet[],
): Promise<GuardFinding[]> {
  const { guards, mapping } = await readRowRules(db, of);
  if (guards === null || mapping === null) return [];
  const counted = facets ?? (await readFacets(db, of));
  return guardFindings(guards, (issue) => countMatching(counted, { issue }), mapping);
}
