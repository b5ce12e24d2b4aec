import {
  changeSources,
  forgetAnswers,
  listSources,
  removeSourceKey,
  type SourceState,
  saveSourceKey,
} from '@draftshelf/contract/sources';
import type { Db } from '@draftshelf/database/connection/database';
import { purgeAnswers } from '@draftshelf/database/enrich/lookups';
import * as stored from '@draftshelf/database/enrich/sources';
import type { SourceRecord } from '@draftshelf/database/schema';
import { keyedSources, type SourceName, sourceLabel } from '@draftshelf/domain/sources';
import { resumeLookups } from '@draftshelf/imports/lookups/enqueue-lookups';
import type { SourceKey } from '@draftshelf/sources/source-keys';
import type { ApiDatabases } from '../databases.ts';
import { conflict } from '../refusal.ts';
import type { SecurityLog } from '../security-log.ts';
import { type Api, serve } from '../serve.ts';
import { keyLockedBecause, removeKey, type SourceKeysDeps, saveKey } from '../source-keys.ts';
import type { StoreConnection } from '../store-connection.ts';

type Deps = ApiDatabases & SourceKeysDeps & { store: StoreConnection; securityLog: SecurityLog };

/** The sources of product data by UPC: switches, order, quotas, keys, and what they have said. */
export function serveSources(api: Api, deps: Deps): void {
  const { database, changes, store, securityLog } = deps;
  serve(api, listSources, () => readStates(database.db, deps));
  serve(api, changeSources, async ({ body, request }) => {
    const states = await readStates(database.db, deps);
    const refused = body.sources.find(
      ({ name, enabled }) =>
        enabled === true && states.some((state) => state.name === name && state.keyMissing),
    );
    if (refused) throw conflict(`${sourceLabel(refused.name)} needs a key. Enter it, then turn it on.`);
    const after = await changes.db.transaction().execute(async (trx) => {
      await stored.changeSources(
        trx,
        body.sources.map(({ perWindow, perDay, ...change }) => ({
          ...change,
          ...(perWindow === undefined ? {} : { per_window: perWindow }),
          ...(perDay === undefined ? {} : { per_day: perDay }),
        })),
      );
      await resumeLookups(trx);
      return readStates(trx, deps);
    });
    const detail = body.sources.map(({ name, enabled }) => `${sourceLabel(name)}${switchWord(enabled)}`);
    securityLog.record(request, 'settings-changed', { detail: detail.join(', ') });
    return after;
  });
  serve(api, forgetAnswers, async ({ body }) => {
    const forgotten = await purgeAnswers(changes.db, body?.source ?? null);
    return { success: true as const, message: 'Answers forgotten.', forgotten };
  });
  const storeUrl = async () => (await store.current())?.url ?? null;
  serve(api, saveSourceKey, async ({ params, body, request }) => {
    const saved = await saveKey(deps, { name: params.name, key: body.key, storeUrl: await storeUrl() });
    const detail = `Key of ${sourceLabel(params.name)}`;
    if (saved.success) securityLog.record(request, 'credentials-saved', { detail });
    return saved;
  });
  serve(api, removeSourceKey, async ({ params, request }) => {
    const message = await removeKey(deps, { name: params.name, storeUrl: await storeUrl() });
    const detail = `Key of ${sourceLabel(params.name)}`;
    securityLog.record(request, 'credentials-removed', { detail });
    return { success: true as const, message };
  });
}

const switchWord = (enabled: boolean | undefined) =>
  enabled === undefined ? '' : enabled ? ': on' : ': off';

/** The sources with their states, in order. */
export async function readStates(
  db: Db,
  deps: Pick<SourceKeysDeps, 'sources' | 'sourceKeys' | 'sealingKeys'>,
): Promise<SourceState[]> {
  const calls = await stored.countCalls(db);
  const states: SourceState[] = [];
  for (const record of await stored.listSources(db)) {
    const source = deps.sources.real[record.name as SourceName];
    const key = await deps.sourceKeys.of(source);
    const keyMissing = source.needsKey && key.from === 'none' && !record.simulated;
    states.push({
      ...toState(record, calls.get(record.name)),
      keyMissing,
      key: toKeyInfo(record.name, key, deps),
    });
  }
  return states;
}

function toKeyInfo(
  source: string,
  key: SourceKey,
  deps: Pick<SourceKeysDeps, 'sealingKeys'>,
): SourceState['key'] {
  const name = keyedSources.find((one) => one === source);
  if (name === undefined) return null;
  return {
    source: key.from,
    savedAt: key.from === 'saved' ? key.savedAt.toISOString() : null,
    lockedBecause: keyLockedBecause(name, key, deps),
  };
}

function toState(
  source: SourceRecord,
  calls: { window: number; day: number; freeAt: Date | null } | undefined,
): Omit<SourceState, 'key' | 'keyMissing'> {
  const { name, enabled, simulated, per_window, window_ms, per_day, day_ms } = source;
  const { blocked_until, blocked_because } = source;
  const isBlocked = blocked_until !== null && blocked_until.getTime() > Date.now();
  return {
    ...{ name, label: sourceLabel(name), enabled, simulated },
    quota: {
      ...{ perWindow: per_window, windowMs: window_ms, perDay: per_day, dayMs: day_ms },
      ...{ window: calls?.window ?? 0, day: calls?.day ?? 0, freeAt: calls?.freeAt?.toISOString() ?? null },
    },
    blockedUntil: isBlocked ? blocked_until.toISOString() : null,
    blockedBecause: isBlocked ? (blocked_because === 'failure' ? 'failure' : 'quota') : null,
  };
}
