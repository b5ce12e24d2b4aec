import type { SourceName } from '@draftshelf/domain/enrich/sources';
import { z } from 'zod';
import type { Source } from './ask-source.ts';

export const SavedKey = z.strictObject({ key: z.string().min(1) });

type Saved = { version: number; savedAt: Date; value: unknown };

/** Reads saved keys, by source; the SQL is in packages/core. */
export type SavedKeys = {
  version(source: SourceName): Promise<number | undefined>;
  read(source: SourceName): Promise<Saved | undefined>;
};

/** `server`: from the environment of the process; `saved`: entered in Settings. */
export type SourceKey =
  | { from: 'server'; key: string }
  | { from: 'saved'; key: string; savedAt: Date }
  | { from: 'none'; key: null };

export type SourceKeys = { of(source: Source): Promise<SourceKey> };

/** The environment's key takes precedence. The saved key's version is read each time: a change applies at once. */
export function openSourceKeys(saved: SavedKeys): SourceKeys {
  const kept = new Map<SourceName, { version: number; key: SourceKey }>();
  return {
    async of({ name, key }) {
      if (key !== null) return { from: 'server', key };
      const version = await saved.version(name);
      if (version === undefined) return { from: 'none', key: null };
      const before = kept.get(name);
      if (before?.version === version) return before.key;
      const found = await saved.read(name);
      if (!found) return { from: 'none', key: null };
      const { key: entered } = SavedKey.parse(found.value);
      const opened: SourceKey = { from: 'saved', key: entered, savedAt: found.savedAt };
      kept.set(name, { version: found.version, key: opened });
      return opened;
    },
  };
}
