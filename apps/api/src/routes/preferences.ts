import { getPreferences, savePreferences } from '@draftshelf/contract/preferences';
import { getRetention } from '@draftshelf/contract/retention';
import { readPreferences } from '@draftshelf/database/preferences';
import type { RetentionName } from '@draftshelf/domain/preferences';
import type { Retention } from '@draftshelf/imports/retention/remove-old';
import { saveWithRules } from '@draftshelf/imports/rules/enqueue-rules';
import type { ApiDatabases } from '../databases.ts';
import type { SecurityLog } from '../security-log.ts';
import { type Api, serve } from '../serve.ts';

/** `retention`: what the environment sets instead of the preferences. */
type Deps = ApiDatabases & { retention: Partial<Retention>; securityLog: SecurityLog };

export function servePreferences(api: Api, { database, changes, retention, securityLog }: Deps): void {
  serve(api, getPreferences, () => readPreferences(database.db));
  serve(api, savePreferences, async ({ body, request }) => {
    const saved = await changes.db.transaction().execute((trx) => saveWithRules(trx, body));
    securityLog.record(request, 'settings-changed', { detail: Object.keys(body).join(', ') });
    return saved;
  });
  serve(api, getRetention, async () => {
    const saved = await readPreferences(database.db);
    const keptOf = (name: RetentionName) => ({
      days: { ...saved, ...retention }[name],
      isFixed: retention[name] !== undefined,
    });
    return {
      keepSearchDays: keptOf('keepSearchDays'),
      keepRowsDays: keptOf('keepRowsDays'),
      keepFilesDays: keptOf('keepFilesDays'),
    };
  });
}
