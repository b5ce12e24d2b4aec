import { getPreferences, getRetention, savePreferences } from '@draftshelf/contract/access/preferences';
import { readPreferences } from '@draftshelf/core/access/preferences';
import { saveWithRules } from '@draftshelf/core/enrich/rules/enqueue-rules';
import type { Retention } from '@draftshelf/core/operate/remove-old';
import type { RetentionName } from '@draftshelf/domain/access/preferences';
import type { ApiDatabases } from '../http/databases.ts';
import type { SecurityLog } from '../http/security-log.ts';
import { type Api, serve } from '../http/serve.ts';

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
    return { keepRowsDays: keptOf('keepRowsDays'), keepFilesDays: keptOf('keepFilesDays') };
  });
}
