import { sql } from 'kysely';
import { readCredential } from '../../access/credentials.ts';
import type { SealingKeys } from '../../access/sealing.ts';
import type { Db } from '../../connection/database.ts';
import { aiCredential, readAiService } from './service.ts';

/** A key with the origin that it was entered for. */
type SavedKey = { key: string; origin: string };

/** What Settings have saved about an AI service, in the form that the ai package takes. */
export function savedAi(db: Db, keys: SealingKeys | null) {
  return {
    address: async (): Promise<{ baseUrl: string | null; model: string | null }> => {
      const { base_url: baseUrl, model } = await readAiService(db);
      return { baseUrl, model };
    },
    key: async (): Promise<SavedKey | null> => {
      const saved = await readCredential(db, keys, aiCredential);
      return (saved?.value ?? null) as SavedKey | null;
    },
    hasRealStore: async (): Promise<boolean> => {
      const { rows } = await sql<{ real: boolean }>`
        select exists (select 1 from outside_access where real_store) as real`.execute(db);
      return rows[0]?.real ?? false;
    },
  };
}
