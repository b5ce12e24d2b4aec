import { listSourcesWithKey } from '@draftshelf/core/access/credentials';
import type { Db } from '@draftshelf/core/connection/database';
import { forgetSimulatedAi } from '@draftshelf/core/enrich/ai/service';
import { removeSimulatedValues } from '@draftshelf/core/enrich/lookups/lookup-tasks';
import {
  type ConfiguredSource,
  lockSources,
  recordConfiguredStore,
  registerSources,
} from '@draftshelf/core/enrich/sources';
import { sourceNames } from '@draftshelf/domain/enrich/sources';
import type { SourceSets } from '@draftshelf/sources/sources-env';

export type SourcesDeps = { sources: SourceSets; sourcesOn: readonly string[] };

const simulatedOn: readonly string[] = ['upcitemdb', 'open-products-facts'];

/** When the api starts, it waits at most this long for transactions that use answers of sources. */
const startMsMax = 30_000;

/**
 * Stores which sources are asked: the simulated ones if there is no real store and no key, else the real ones. A
 * change of the real sources deletes simulated values. Only a start (`isStart`) stores simulated sources.
 */
export async function applySources(
  db: Db,
  { sources, sourcesOn }: SourcesDeps,
  { storeUrl, isStart }: { storeUrl: string | null; isStart: boolean },
): Promise<void> {
  await lockSources(db, isStart ? startMsMax : null);
  const isReal = storeUrl !== null && isRealStore(storeUrl);
  await recordConfiguredStore(db, { url: storeUrl, isReal });
  if (isReal) await forgetSimulatedAi(db);
  const onlySimulated = !isReal && (await listSourcesWithKey(db)).length === 0;
  if (sources.simulated !== null && onlySimulated) {
    if (!isStart) return;
    await registerSources(db, configuredOf(sources.simulated, { on: simulatedOn, simulated: true }));
    return;
  }
  const replaced = await registerSources(db, configuredOf(sources.real, { on: sourcesOn, simulated: false }));
  await removeSimulatedValues(db, replaced);
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

/** Returns whether a URL is a real store's. The simulated store runs on this machine or in a neighboring container. */
export function isRealStore(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname.includes('.') && hostname !== '127.0.0.1';
}
