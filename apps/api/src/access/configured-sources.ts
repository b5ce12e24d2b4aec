import { sourcesWithKey } from '@draftshelf/core/access/credentials';
import type { Db } from '@draftshelf/core/connection/database';
import { forgetSimulatedAi } from '@draftshelf/core/enrich/ai/service';
import { forgetSimulated } from '@draftshelf/core/enrich/lookups/lookup-tasks';
import {
  type ConfiguredSource,
  lockSources,
  recordStore,
  registerSources,
} from '@draftshelf/core/enrich/sources';
import { sourceNames } from '@draftshelf/domain/enrich/sources';
import type { SourceSets } from '@draftshelf/sources/sources-env';

export type SourcesDeps = { sources: SourceSets; sourcesOn: readonly string[] };

const simulatedOn: readonly string[] = ['upcitemdb', 'open-products-facts'];

/** A start waits this long for transactions that use answers. */
const startMsMax = 30_000;

/**
 * Stores which sources are asked: simulated ones only without a real store or key, else real ones replace them and
 * their found values. They come back only at a start (`isStart`). `storeUrl`: the current store.
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
