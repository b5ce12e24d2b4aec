import type { SourceName } from '@draftshelf/domain/enrich/sources';
import { z } from 'zod';
import type { Source } from './ask-source.ts';
import type { SourceSets } from './sources-env.ts';

export const SavedKey = z.strictObject({ key: z.string().min(1) });

/** Reads the saved key of a source. The SQL is in packages/core. */
type ReadSaved = (source: SourceName) => Promise<{ savedAt: Date; value: unknown } | undefined>;

/** `server`: from the environment of the process. `saved`: entered in Settings. */
export type SourceKey =
  | { from: 'server'; key: string }
  | { from: 'saved'; key: string; savedAt: Date }
  | { from: 'none'; key: null };

export type SourceKeys = { of(source: Source): Promise<SourceKey> };

/** Prefers the key of the environment. Reads the saved key for each use, so that a change applies at once. */
export const createSourceKeys = (readSaved: ReadSaved): SourceKeys => ({
  async of({ name, key }) {
    if (key !== null) return { from: 'server', key };
    const saved = await readSaved(name);
    if (!saved) return { from: 'none', key: null };
    return { from: 'saved', key: SavedKey.parse(saved.value).key, savedAt: saved.savedAt };
  },
});

/** Reads the stored address of a source. The SQL is in packages/core. */
type ReadAddress = (name: SourceName) => Promise<{ base_url: string; simulated: boolean } | undefined>;

export type SourceFinder = ReturnType<typeof currentSources>;

/** Returns a finder of sources with their current keys. The database stores whether a source is simulated. */
export function currentSources({ real, simulated }: SourceSets, keys: SourceKeys, readAddress: ReadAddress) {
  return {
    /** Returns null if this process has another address for the source, or if a required key is missing. */
    async find(name: SourceName): Promise<Source | null> {
      const stored = await readAddress(name);
      const source = stored?.simulated ? simulated?.[name] : real[name];
      if (!source || source.baseUrl !== stored?.base_url) return null;
      const { key } = await keys.of(source);
      return key === null && source.needsKey ? null : { ...source, key };
    },
  };
}
