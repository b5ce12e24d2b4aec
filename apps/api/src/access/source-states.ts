import { SourceState } from '@draftshelf/contract/enrich/sources';
import type { Db } from '@draftshelf/core/connection/database';
import * as stored from '@draftshelf/core/enrich/sources';
import { keyedSources, type SourceName, sourceLabel } from '@draftshelf/domain/enrich/sources';
import type { SourceKey } from '@draftshelf/sources/source-keys';
import { wireFields } from '../http/wire-fields.ts';
import { keyLockedBecause, type SourceKeysDeps } from './source-keys.ts';

const stateFields = wireFields(SourceState);
const quotaFields = wireFields(SourceState.shape.quota);

export async function readStates(
  db: Db,
  deps: Pick<SourceKeysDeps, 'sources' | 'sourceKeys' | 'sealingKeys'>,
): Promise<SourceState[]> {
  const calls = await stored.countCalls(db);
  const states: SourceState[] = [];
  for (const record of await stored.listSources(db)) {
    const source = deps.sources.real[record.name as SourceName];
    const key = await deps.sourceKeys.of(source);
    const { window = 0, day = 0, freeAt = null } = calls.get(record.name) ?? {};
    const { blocked_until: until, blocked_because: because } = record;
    const isBlocked = until !== null && until.getTime() > Date.now();
    states.push({
      ...stateFields(record),
      label: sourceLabel(record.name),
      keyMissing: source.needsKey && key.from === 'none' && !record.simulated,
      key: toKeyInfo(record.name, key, deps),
      quota: { ...quotaFields(record), window, day, freeAt: freeAt?.toISOString() ?? null },
      blockedUntil: isBlocked ? until.toISOString() : null,
      blockedBecause: isBlocked ? (because === 'failure' ? 'failure' : 'quota') : null,
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
