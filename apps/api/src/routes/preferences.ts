import { getPreferences, savePreferences } from '@draftshelf/contract/preferences';
import * as preferences from '@draftshelf/database/preferences';
import type { ApiDatabases } from '../databases.ts';
import { type Api, serve } from '../serve.ts';

export function servePreferences(api: Api, { database, changes }: ApiDatabases): void {
  serve(api, getPreferences, () => preferences.readPreferences(database.db));
  serve(api, savePreferences, ({ body }) => preferences.savePreferences(changes.db, body));
}
