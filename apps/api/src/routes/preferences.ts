import { getPreferences, savePreferences } from '@draftshelf/contract/preferences';
import { readPreferences } from '@draftshelf/database/preferences';
import { saveWithRules } from '@draftshelf/imports/rules/enqueue-rules';
import type { ApiDatabases } from '../databases.ts';
import { type Api, serve } from '../serve.ts';

export function servePreferences(api: Api, { database, changes }: ApiDatabases): void {
  serve(api, getPreferences, () => readPreferences(database.db));
  serve(api, savePreferences, ({ body }) =>
    changes.db.transaction().execute((trx) => saveWithRules(trx, body)),
  );
}
