import { type Preferences, preferencesDefault } from '@draftshelf/domain/access/preferences';
import type { Db } from '../connection/database.ts';
import { changeRows } from '../connection/query-rows.ts';
import { storableJson } from '../connection/storable-json.ts';

/** Reads the preferences, with defaults for those that are not saved. */
export async function readPreferences(db: Db): Promise<Preferences> {
  const row = await db.selectFrom('settings').select('preferences').executeTakeFirst();
  return { ...preferencesDefault, ...row?.preferences };
}

export async function savePreferences(db: Db, changes: Partial<Preferences>): Promise<Preferences> {
  await changeRows(db)`
    insert into settings (value, preferences) values ('{}', ${storableJson(changes)}::jsonb)
    on conflict (singleton) do update set preferences = settings.preferences || excluded.preferences`;
  return readPreferences(db);
}
