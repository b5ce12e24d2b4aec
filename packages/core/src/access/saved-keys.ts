import { type KeyedSource, keyedSources } from '@draftshelf/domain/enrich/sources';
import type { Db } from '../connection/database.ts';
import { readCredential, readCredentialVersion, type SavedCredential } from './credentials.ts';
import type { SealingKeys } from './sealing.ts';

/** The saved keys of sources, in the form that the sources package takes. A source's name is its service. */
export function savedKeys(db: Db, keys: SealingKeys | null) {
  return {
    version: (source: string): Promise<number | undefined> => readCredentialVersion(db, source),
    read: (source: string): Promise<SavedCredential | undefined> => readCredential(db, keys, source),
  };
}

/** The sources with a saved key. */
export async function sourcesWithKey(db: Db): Promise<KeyedSource[]> {
  const rows = await db
    .selectFrom('credentials')
    .select('service')
    .where('service', 'in', keyedSources)
    .where('replaced_at', 'is', null)
    .execute();
  return rows.map(({ service }) => service as KeyedSource);
}
