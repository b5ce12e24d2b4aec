import type { Db } from '../connection/database.ts';
import type { RunOfRows } from '../work/runs.ts';
import { addBitmaps, newRowBitmaps } from './row-bitmaps.ts';
import { type FacetedRow, facetCounter, moveFacets } from './row-facets.ts';

/** Collects facets and bitmaps of new rows as they stream by. No duplicates are known then. */
export function rowSummary() {
  const facets = facetCounter();
  const bitmaps = newRowBitmaps();
  return {
    *passed<R extends FacetedRow & { row: number }>(rows: Iterable<R>): Generator<R> {
      for (const row of rows) {
        facets.add(row, false, 1);
        bitmaps.add(row);
        yield row;
      }
    },
    /** Stores the summary of the rows that have passed. The caller's transaction holds the import's lock. */
    async store(db: Db, of: RunOfRows): Promise<void> {
      await addBitmaps(db, of, bitmaps.bitmaps());
      await moveFacets(db, of, facets.facets());
    },
  };
}
