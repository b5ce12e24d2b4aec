import type { Enrichment } from '@draftshelf/contract/enrichment';
import { currentRows } from '@draftshelf/database/chunks/runs';
import type { Db } from '@draftshelf/database/connection/database';
import { readCoverage } from '@draftshelf/database/enrich/coverage';
import { countWaiting } from '@draftshelf/database/enrich/lacks';
import type { ImportRecord } from '@draftshelf/database/schema';
import { lookupFields, sourceLabel } from '@draftshelf/domain/sources';

/** What look-ups have found for an import and what they wait for; undefined if its products are not looked up. */
export async function readEnrichment(db: Db, record: ImportRecord): Promise<Enrichment | undefined> {
  const coverage = await readCoverage(db, currentRows(record));
  if (coverage.length === 0) return undefined;
  const waiting = await countWaiting(db, currentRows(record));
  return {
    coverage: lookupFields.flatMap((field) => coverage.find((one) => one.field === field) ?? []),
    waiting: waiting.map(({ source, products, lookups, until, because, perWindow, windowMs, perDay }) => {
      const dayLeft = perDay - (calls.get(source)?.day ?? 0);
      const quota = { perWindow, windowMs, dayLeft, blockedUntilMs: until?.getTime() ?? null };
      const readyMs = lookupsReadyMs(lookups, quota, Date.now());
      return {
        ...{ source: sourceLabel(source), products, because, perWindow, windowMs },
        until: until?.toISOString() ?? null,
        readyAt: readyMs === null ? null : new Date(readyMs).toISOString(),
      };
    }),
  };
}
