import { SourceState } from '@draftshelf/contract/enrich/sources';
import { removeCredentials, saveCredential } from '@draftshelf/core/access/credentials';
import type { Db } from '@draftshelf/core/connection/database';
import { resumeLookups } from '@draftshelf/core/enrich/lookups/enqueue-lookups';
import * as stored from '@draftshelf/core/enrich/sources';
import {
  type KeyedSource,
  type SourceName,
  sourceLabel,
  sourcesWithKey,
} from '@draftshelf/domain/enrich/sources';
import { isKeyTestCounted, testKey } from '@draftshelf/sources/ask-source';
import type { SourceKey, SourceKeys } from '@draftshelf/sources/source-keys';
import { conflict, notFound } from '../http/refusal.ts';
import { createWireMapper } from '../http/wire-fields.ts';
import { applySources } from './configured-sources.ts';
import { type CredentialsDeps, cannotSealMessage } from './store-credentials.ts';

export type SourceKeysDeps = CredentialsDeps & {
  sourceKeys: SourceKeys;
  /** Contact details in each request, so that a source's operator can reach us. */
  contact: string;
};

const variables: Record<KeyedSource, string> = {
  upcitemdb: 'UPCITEMDB_KEY',
  'barcode-lookup': 'BARCODE_LOOKUP_KEY',
};
const setByServer = (name: KeyedSource) =>
  `The server’s environment sets this key. Change ${variables[name]} there.`;
const noKey = cannotSealMessage('Keys');

function keyLockedBecause(
  name: KeyedSource,
  { from }: SourceKey,
  { sealingKeys }: Pick<CredentialsDeps, 'sealingKeys'>,
): string | null {
  if (from === 'server') return setByServer(name);
  return sealingKeys === null ? noKey : null;
}

type KeySaved = { success: boolean; message: string; cause?: string };

/** Tests a key with one request and saves it. A saved key is not tested again, because a test may cost a call. */
export async function saveKey(
  deps: SourceKeysDeps,
  { name, key, storeUrl }: { name: KeyedSource; key: string; storeUrl: string | null },
): Promise<KeySaved> {
  const label = sourceLabel(name);
  const source = deps.sources.real[name];
  const current = await deps.sourceKeys.of(source);
  const keys = deps.sealingKeys;
  const reason = keyLockedBecause(name, current, deps);
  if (reason !== null || keys === null) throw conflict(reason ?? noKey);
  if (current.key === key) return { success: true, message: `This key of ${label} is already saved.` };
  const test = await testKey(source, key, deps);
  if (!test.accepted) {
    if (test.refused) return { success: false, message: `${label} refuses the key.` };
    return { success: false, message: `${label} couldn’t test the key.`, cause: test.cause };
  }
  await deps.changes.db.transaction().execute(async (trx) => {
    await saveCredential(trx, keys, { service: name, value: { key }, shop: null, origin: 'operator' });
    await useChangedKey(trx, deps, { name, storeUrl, taken: isKeyTestCounted(name) === true });
  });
  const spent = test.quotaSpent ? ' The key’s quota is used up for now.' : '';
  return { success: true, message: `${label} accepts the key.${spent}` };
}

export async function removeKey(
  deps: SourceKeysDeps,
  { name, storeUrl }: { name: KeyedSource; storeUrl: string | null },
): Promise<string> {
  const source = deps.sources.real[name];
  if (source.key !== null) throw conflict(setByServer(name));
  await deps.changes.db.transaction().execute(async (trx) => {
    if (!(await removeCredentials(trx, name))) throw notFound('No key is saved.');
    const off = source.needsKey ? { enabled: false } : {};
    await useChangedKey(trx, deps, { name, storeUrl, taken: false, ...off });
  });
  const after = source.needsKey ? 'It’s turned off.' : 'The free plan is used.';
  return `Key of ${sourceLabel(name)} removed. ${after}`;
}

async function useChangedKey(
  trx: Db,
  deps: SourceKeysDeps,
  change: { name: KeyedSource; storeUrl: string | null; taken: boolean; enabled?: boolean },
): Promise<void> {
  await applySources(trx, deps, { storeUrl: change.storeUrl, isStart: false });
  await stored.resetSourceAccount(trx, change.name, change);
  await resumeLookups(trx);
}

const stateFields = createWireMapper(SourceState);
const quotaFields = createWireMapper(SourceState.shape.quota);

export async function readSourceStates(
  db: Db,
  deps: Pick<SourceKeysDeps, 'sources' | 'sourceKeys' | 'sealingKeys'>,
): Promise<SourceState[]> {
  const calls = await stored.countSourceCalls(db);
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
  const name = sourcesWithKey.find((one) => one === source);
  if (name === undefined) return null;
  return {
    source: key.from,
    savedAt: key.from === 'saved' ? key.savedAt.toISOString() : null,
    lockedBecause: keyLockedBecause(name, key, deps),
  };
}
