import { getSettings, saveSettings } from '@draftshelf/contract/settings';
import * as settings from '@draftshelf/database/settings';
import type { ApiDatabases } from '../databases.ts';
import { type Api, serve } from '../serve.ts';

export function serveSettings(api: Api, { database, changes }: ApiDatabases): void {
  serve(api, getSettings, () => settings.readSettings(database.db));
  serve(api, saveSettings, ({ body }) => settings.saveSettings(changes.db, body));
}
