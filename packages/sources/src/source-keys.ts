import type { SourceName } from '@draftshelf/domain/enrich/sources';
import { z } from 'zod';
import type { Source } from './ask-source.ts';

export const SavedKey = z.strictObject({ key: z.string().min(1) });

/** Reads a source's saved key; the SQL is in packages/core. */
type ReadSaved = (source: SourceName) => Promise<{ savedAt: Date; value: unknown } | undefined>;

/** `server`: from the environment of the process; `saved`: entered in Settings. */
export type SourceKey =
  | { from: 'server'; key: string }
  | { from: 'saved'; key: string; savedAt: Date }
  | { from: 'none'; key: null };

export type SourceKeys = { of(source: Source): Promise<SourceKey> };

/** The environment's key takes precedence. The saved key is read each time: a change applies at once. */
export const openSourceKeys = (readSaved: ReadSaved): SourceKeys => ({
  async of({ name, key }) {
    if (key !== null) return { from: 'server', key };
    const saved = await readSaved(name);
    if (!saved) return { from: 'none', key: null };
    return { from: 'saved', key: SavedKey.parse(saved.value).key, savedAt: saved.savedAt };
  },
});
