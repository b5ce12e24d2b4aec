import { type Settings, settingsDefault } from '@draftshelf/domain/access/settings';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow } from '../connection/query-rows.ts';
import { storableJson } from '../connection/storable-json.ts';

/** `version` is the number of saves. */
export type VersionedSettings = { settings: Settings; version: number };

/** Reads the settings, with defaults for those that are not saved. */
export async function readSettings(db: Db): Promise<Settings> {
  return (await readVersionedSettings(db)).settings;
}

export async function readVersionedSettings(db: Db): Promise<VersionedSettings> {
  const row = await db.selectFrom('settings').select(['value', 'version']).executeTakeFirst();
  return { settings: { ...settingsDefault, ...row?.value }, version: row?.version ?? 0 };
}

/** Saves settings and returns all of them. Returns null, without a change, if their version is not `expected`. */
export async function saveSettings(
  db: Db,
  changes: Partial<Settings>,
  expected: number | null = null,
): Promise<VersionedSettings | null> {
  const isExpected: RawBuilder<boolean> = expected === null ? sql`true` : sql`settings.version = ${expected}`;
  const saved = await findRow<{ value: Partial<Settings>; version: number }>(db)`
    insert into settings (value) values (${storableJson(changes)}::jsonb)
    on conflict (singleton) do update set value = settings.value || excluded.value, version = settings.version + 1
      where ${isExpected}
    returning value, version`;
  return saved ? { settings: { ...settingsDefault, ...saved.value }, version: saved.version } : null;
}
