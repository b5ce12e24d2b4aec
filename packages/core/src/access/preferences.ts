import type { Preferences } from '@draftshelf/domain/access/preferences';
import { preferencesFrom } from '@draftshelf/domain/access/preferences-schema';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { storableJson } from '../connection/storable-json.ts';

/** Returns saved values over the defaults. */
export async function readPreferences(db: Db): Promise<Preferences> {
  const row = await db.selectFrom('settings').select('preferences').executeTakeFirst();
  return preferencesFrom(row?.preferences ?? {});
}

export async function savePreferences(db: Db, changes: Partial<Preferences>): Promise<Preferences> {
  await sql`
    insert into settings (value, preferences) values ('{}', ${storableJson(changes)}::jsonb)
    on conflict (singleton) do update set preferences = settings.preferences || excluded.preferences`.execute(
    db,
  );
  return readPreferences(db);
}
