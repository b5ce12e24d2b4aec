import * as contract from '@draftshelf/contract/access/settings';
import { readPreferences } from '@draftshelf/core/access/preferences';
import * as settings from '@draftshelf/core/access/settings';
import { resumeLookups } from '@draftshelf/core/enrich/lookups/enqueue-lookups';
import { savePreferencesWithRules } from '@draftshelf/core/enrich/rules/enqueue-rules';
import type { RetentionDays } from '@draftshelf/core/operate/remove-old';
import { bumpFailedImports } from '@draftshelf/core/work/auto-retries';
import type { RetentionName } from '@draftshelf/domain/access/preferences';
import type { Settings } from '@draftshelf/domain/access/settings';
import { Refusal } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';

/** Serves the settings. If-Match has the version on which a save is based. Without If-Match, the last save wins. */
export function serveSettings(api: Api): void {
  const { db, changes } = api;
  serve(api, contract.getSettings, async () => settings.readSettings(db), {
    etag: async () => String((await settings.readVersionedSettings(db)).version),
  });
  serve(api, contract.saveSettings, async ({ body, request, reply, logSecurity }) => {
    const expected = versionIn(request.headers['if-match']);
    const saved = await changes.db.transaction().execute(async (trx) => {
      const done = await settings.saveSettings(trx, body, expected);
      if (done && body.upcLookup) await resumeLookups(trx);
      if (done && body.autoRetry !== undefined) await bumpFailedImports(trx);
      return done;
    });
    const { settings: current, version } = saved ?? (await settings.readVersionedSettings(changes.db));
    reply.header('etag', `"${version}"`);
    if (saved) {
      const detail = changesIn(body);
      if (detail !== '') logSecurity('settings-changed', { detail });
      return current;
    }
    const message = 'Somebody else has changed the settings. Nothing was saved.';
    throw new Refusal(409, { code: 'changed_elsewhere', message, current });
  });
}

function changesIn(body: Partial<Settings>): string {
  const changed = Object.entries(body).filter(([, value]) => value !== undefined);
  return changed.map(([name, value]) => (typeof value === 'string' ? name : `${name}: ${value}`)).join(', ');
}

/** Returns the version in an If-Match header. Null without the header or for '*', -1 for an ETag that is not ours. */
function versionIn(header: string | undefined): number | null {
  if (header === undefined || header.trim() === '*') return null;
  return Number(/^(?:W\/)?"(\d{1,9})"$/.exec(header.trim())?.[1] ?? -1);
}

/** `retention`: days set by the environment, which apply instead of the saved ones. */
type Deps = { retention: Partial<RetentionDays> };

export function servePreferences(api: Api, { retention }: Deps): void {
  const { db, changes } = api;
  serve(api, contract.getPreferences, () => readPreferences(db));
  serve(api, contract.savePreferences, async ({ body, logSecurity }) => {
    const saved = await changes.db.transaction().execute((trx) => savePreferencesWithRules(trx, body));
    logSecurity('settings-changed', { detail: Object.keys(body).join(', ') });
    return saved;
  });
  serve(api, contract.getRetention, async () => {
    const saved = await readPreferences(db);
    const keptOf = (name: RetentionName) => ({
      days: { ...saved, ...retention }[name],
      isFixed: retention[name] !== undefined,
    });
    return { keepRowsDays: keptOf('keepRowsDays'), keepFilesDays: keptOf('keepFilesDays') };
  });
}
