import { type Settings, settingsFrom } from '@draftshelf/domain/settings';
import { sql } from 'kysely';
import type { Db } from './connection/database.ts';

/** The current settings: saved values over the defaults. */
export async function readSettings(db: Db): Promise<Settings> {
  const row = await db.selectFrom('settings').select('value').executeTakeFirst();
  return settingsFrom(row?.value ?? {});
}

/** Saves some or all settings and returns all of them. */
export async function saveSettings(db: Db, changes: Partial<Settings>): Promise<Settings> {
  await sql`
    insert into settings (value) values (${JSON.stringify(changes)}::jsonb)
    on conflict (singleton) do update set value = settings.value || excluded.value`.execute(db);
  return readSettings(db);
}
