import type { Preferences } from '@draftshelf/domain/access/preferences';
import { preferencesFrom } from '@draftshelf/domain/access/preferences-schema';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { storableJson } from '../connection/storable-json.ts';

/** Returns saved values over the defaults. */
export async function readPreferences(db: Db): Promise<Preferences> {
  const row = await db.selectFrom('preferences').select('value').executeTakeFirst();
  return preferencesFrom(row?.value ?? {});
}

export async function savePreferences(db: Db, changes: Partial<Preferences>): Promise<Preferences> {
  await sql`
    insert into preferences (value) values (${storableJson(changes)}::jsonb)
    on conflict (singleton) do update set value = preferences.value || excluded.value`.execute(db);
  return readPreferences(db);
}
