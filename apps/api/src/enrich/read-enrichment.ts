import type { Enrichment } from '@draftshelf/contract/imports/enrichment';
import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { readCoverage } from '@draftshelf/core/enrich/coverage';
import { countWaiting } from '@draftshelf/core/enrich/lacks';
import { countCalls } from '@draftshelf/core/enrich/sources';
import { currentRows } from '@draftshelf/core/work/runs';
import { lookupsReadyMs } from '@draftshelf/domain/enrich/lookup-time';
import { lookupFields, sourceLabel } from '@draftshelf/domain/enrich/sources';

/** What look-ups have found for an import and what they wait for; undefined if its products are not looked up. */
export async function readEnrichment(db: Db, record: ImportRecord): Promise<Enrichment | undefined> {
  const coverage = await readCoverage(db, currentRows(record));
  if (coverage.length === 0) return undefined;
  const waiting = await countWaiting(db, currentRows(record));
  const calls = waiting.length === 0 ? new Map() : await countCalls(db);
  return {
    coverage: lookupFields.flatMap((field) => coverage.find((one) => one.field === field) ?? []),
    waiting: waiting.map(({ source, products, lookups, until, because, now, ...waits }) => {
      const { perWindow, windowMs, perDay } = waits;
      const dayLeft = perDay - (calls.get(source)?.day ?? 0);
      const quota = { perWindow, windowMs, dayLeft, blockedUntilMs: until?.getTime() ?? null };
      const readyMs = lookupsReadyMs(lookups, quota, now.getTime());
      return {
        ...{ source: sourceLabel(source), products, because, perWindow, windowMs },
        until: until?.toISOString() ?? null,
        readyAt: readyMs === null ? null : new Date(readyMs).toISOString(),
      };
    }),
  };
}
