import type { SourceState } from '@draftshelf/contract/enrich/sources';
import type { Db } from '@draftshelf/core/connection/database';
import type { SourceRecord } from '@draftshelf/core/connection/schema';
import * as stored from '@draftshelf/core/enrich/sources';
import { keyedSources, type SourceName, sourceLabel } from '@draftshelf/domain/enrich/sources';
import type { SourceKey } from '@draftshelf/sources/source-keys';
import { keyLockedBecause, type SourceKeysDeps } from './source-keys.ts';

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
