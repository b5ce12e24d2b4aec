import { type GuardFinding, guardFindings } from '@draftshelf/domain/push/guard-findings';
import type { Db } from '../connection/database.ts';
import { type RowFacet, readFacets } from '../review/row-facets.ts';
import { countMatching } from '../review/search/row-filter.ts';
import { type RowRules, type RunOfRows, readRowRules } from '../work/runs.ts';

/** What the guards of a supplier hold of a run's rows. */
export async function readGuardFindings(db: Db, of: RunOfRows): Promise<GuardFinding[]> {
  const rules = await readRowRules(db, of);
  return rules.guards === null ? [] : findingsIn(await readFacets(db, of), rules);
}

/** The same of a run of which all that it takes has been read. */
export function findingsIn(
  facets: readonly RowFacet[],
  { guards, mapping }: Pick<RowRules, 'guards' | 'mapping'>,
): GuardFinding[] {
  if (guards === null || mapping === null) return [];
  return guardFindings(guards, (issue) => countMatching(facets, { issue }), mapping);
}
