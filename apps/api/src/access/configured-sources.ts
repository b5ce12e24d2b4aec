import { sourcesWithKey } from '@draftshelf/core/access/credentials';
import type { Db } from '@draftshelf/core/connection/database';
import { forgetSimulatedAi } from '@draftshelf/core/enrich/ai/service';
import { forgetSimulated } from '@draftshelf/core/enrich/lookups/forget-simulated';
import {
  type ConfiguredSource,
  lockSources,
  recordStore,
  registerSources,
} from '@draftshelf/core/enrich/sources';
import { sourceNames } from '@draftshelf/domain/enrich/sources';
import type { SourceSets } from '@draftshelf/sources/sources-env';

/** The sources of product data, and the real ones that are on when they are stored for the first time. */
export type SourcesDeps = { sources: SourceSets; sourcesOn: readonly string[] };

/** The simulated sources that are on from the start. */
const simulatedOn: readonly string[] = ['upcitemdb', 'open-products-facts'];

/** A start waits this long for transactions that use answers. */
const startMsMax = 30_000;

/**
 * Stores which sources are asked, in a transaction: the simulated ones only while nothing real is configured, that is,
 * no real store and no key of a source. Then they are replaced by the real ones, and what they have found is removed.
 * The way back is only at a start: `isStart`. `storeUrl`: the store that is set, or null.
 */
export async function applySources(
  db: Db,
  { sources, sourcesOn }: SourcesDeps,
  { storeUrl, isStart }: { storeUrl: string | null; isStart: boolean },
): Promise<void> {
  await lockSources(db, isStart ? startMsMax : null);
  const isReal = storeUrl !== null && isRealStore(storeUrl);
  await recordStore(db, { url: storeUrl, isReal });
  if (isReal) await forgetSimulatedAi(db);
  const onlySimulated = !isReal && (await sourcesWithKey(db)).length === 0;
  if (sources.simulated !== null && onlySimulated) {
    if (!isStart) return;
    await registerSources(db, configuredOf(sources.simulated, { on: simulatedOn, simulated: true }));
    return;
  }
  const replaced = await registerSources(db, configuredOf(sources.real, { on: sourcesOn, simulated: false }));
  await forgetSimulated(db, replaced);
}

/** Sources as the database stores them at the first start; those named in `on` are switched on. */
function configuredOf(
  sources: SourceSets['real'],
  { on, simulated }: { on: readonly string[]; simulated: boolean },
): ConfiguredSource[] {
  return sourceNames.map((name) => {
    const { baseUrl, windows } = sources[name];
    const { perWindow, windowMs, perDay, dayMs } = windows;
    return {
      ...{ name, base_url: baseUrl, enabled: on.includes(name), simulated },
      ...{ per_window: perWindow, window_ms: windowMs, per_day: perDay, day_ms: dayMs },
    };
  });
}

/** Whether a store's address is a real one. The simulated store is on this machine or in a neighboring container. */
export function isRealStore(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname.includes('.') && hostname !== '127.0.0.1';
}
