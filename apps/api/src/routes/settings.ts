import { getSettings, saveSettings } from '@draftshelf/contract/settings';
import type { OpenDatabase } from '@draftshelf/database/connect';
import * as settings from '@draftshelf/database/settings';
import { type Api, serve } from '../serve.ts';

export function serveSettings(api: Api, { database: { db } }: { database: OpenDatabase }): void {
  serve(api, getSettings, () => settings.readSettings(db));
  serve(api, saveSettings, ({ body }) => settings.saveSettings(db, body));
}
