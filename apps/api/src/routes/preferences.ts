import { getPreferences, savePreferences } from '@draftshelf/contract/preferences';
import * as preferences from '@draftshelf/database/preferences';
import { reapplyRules } from '@draftshelf/imports/rules/enqueue-rules';
import type { ApiDatabases } from '../databases.ts';
import { type Api, serve } from '../serve.ts';

export function servePreferences(api: Api, { database, changes }: ApiDatabases): void {
  serve(api, getPreferences, () => preferences.readPreferences(database.db));
  serve(api, savePreferences, ({ body }) =>
    changes.db.transaction().execute(async (trx) => {
      const saved = await preferences.savePreferences(trx, body);
      if (body.rulesFillEmpty !== undefined) await reapplyRules(trx);
      return saved;
    }),
  );
}
