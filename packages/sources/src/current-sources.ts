import type { SourceName } from '@draftshelf/domain/enrich/sources';
import type { Source } from './ask-source.ts';
import type { SourceKeys } from './source-keys.ts';
import type { SourceSets } from './sources-env.ts';

/** The SQL is in packages/core. */
type ReadAddress = (name: SourceName) => Promise<{ base_url: string; simulated: boolean } | undefined>;

export type CurrentSources = {
  /** Null: it cannot be asked from here, or it lacks its key. */
  find(name: SourceName): Promise<Source | null>;
};

/** Finds real or simulated sources, as stored in the database, with the current keys. */
export function currentSources(
  { real, simulated }: SourceSets,
  keys: SourceKeys,
  readAddress: ReadAddress,
): CurrentSources {
  return {
    async find(name) {
      const stored = await readAddress(name);
      const source = stored?.simulated ? simulated?.[name] : real[name];
      if (!source || source.baseUrl !== stored?.base_url) return null;
      const { key } = await keys.of(source);
      return key === null && source.needsKey ? null : { ...source, key };
    },
  };
}
