import type { Db } from '@draftshelf/database/connection/database';
import { readSourceAddress } from '@draftshelf/database/enrich/sources';
import type { SourceName } from '@draftshelf/domain/sources';
import type { Source } from '@draftshelf/sources/ask-source';
import type { SourceKeys } from '@draftshelf/sources/source-keys';
import type { SourceSets } from '@draftshelf/sources/sources-env';

/** The sources with their current addresses and keys. */
export type CurrentSources = {
  /** A source with its address and key; null: it cannot be asked from here, or it lacks its key. */
  find(db: Db, name: SourceName): Promise<Source | null>;
};

/** Real or simulated sources, as stored in the database, with the current keys. */
export function currentSources({ real, simulated }: SourceSets, keys: SourceKeys): CurrentSources {
  return {
    async find(db, name) {
      const stored = await readSourceAddress(db, name);
      const source = stored?.simulated ? simulated?.[name] : real[name];
      if (!source || source.baseUrl !== stored?.base_url) return null;
      const { key } = await keys.of(source);
      return key === null && source.needsKey ? null : { ...source, key };
    },
  };
}
