import { getSettings, saveSettings } from '@draftshelf/contract/settings';
import * as settings from '@draftshelf/database/settings';
import { resumeLookups } from '@draftshelf/imports/lookups/enqueue-lookups';
import type { ApiDatabases } from '../databases.ts';
import { type Api, serve } from '../serve.ts';

export function serveSettings(api: Api, { database, changes }: ApiDatabases): void {
  serve(api, getSettings, () => settings.readSettings(database.db));
  serve(api, saveSettings, ({ body }) =>
    changes.db.transaction().execute(async (trx) => {
      const saved = await settings.saveSettings(trx, body);
      if (body.upcLookup) await resumeLookups(trx);
      return saved;
    }),
  );
}
