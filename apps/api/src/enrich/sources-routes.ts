import * as contract from '@draftshelf/contract/enrich/sources';
import { purgeAnswers } from '@draftshelf/core/enrich/lookups';
import { resumeLookups } from '@draftshelf/core/enrich/lookups/enqueue-lookups';
import * as lookups from '@draftshelf/core/enrich/lookups/lookup-tasks';
import * as stored from '@draftshelf/core/enrich/sources';
import { formatCount } from '@draftshelf/domain/base/format';
import { sourceLabel } from '@draftshelf/domain/enrich/sources';
import { readSourceStates, removeKey, type SourceKeysDeps, saveKey } from '../access/source-keys.ts';
import type { StoreConnection } from '../access/store-connection.ts';
import { runChange } from '../http/databases.ts';
import { conflict } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import { serveImport } from '../imports/serve-import.ts';

type Deps = SourceKeysDeps & { store: StoreConnection };

export function serveSources(api: Api, deps: Deps): void {
  const { db, changes } = api;
  serve(api, contract.listSources, () => readSourceStates(db, deps));
  serve(api, contract.changeSources, async ({ body, logSecurity }) => {
    const states = await readSourceStates(db, deps);
    const refused = body.sources.find(
      ({ name, enabled }) =>
        enabled === true && states.some((state) => state.name === name && state.keyMissing),
    );
    if (refused)
      throw conflict(`${sourceLabel(refused.name)} needs a key. Enter the key, then turn the source on.`);
    const after = await changes.db.transaction().execute(async (trx) => {
      await stored.changeSources(
        trx,
        body.sources.map(({ perWindow, perDay, ...change }) => ({
          ...change,
          ...(perWindow === undefined ? {} : { per_window: perWindow }),
          ...(perDay === undefined ? {} : { per_day: perDay }),
        })),
      );
      await resumeLookups(trx);
      return readSourceStates(trx, deps);
    });
    const detail = body.sources.map(({ name, enabled }) => `${sourceLabel(name)}${switchWord(enabled)}`);
    logSecurity('settings-changed', { detail: detail.join(', ') });
    return after;
  });
  serve(api, contract.forgetAnswers, async ({ body }) => {
    const forgotten = await purgeAnswers(changes.db, body?.source ?? null);
    return { success: true as const, message: 'Answers forgotten.', forgotten };
  });
  const storeUrl = async () => (await deps.store.current())?.url ?? null;
  serve(api, contract.saveSourceKey, async ({ params, body, logSecurity }) => {
    const saved = await saveKey(deps, { name: params.name, key: body.key, storeUrl: await storeUrl() });
    const detail = `Key of ${sourceLabel(params.name)}`;
    if (saved.success) logSecurity('credentials-saved', { detail });
    return saved;
  });
  serve(api, contract.removeSourceKey, async ({ params, logSecurity }) => {
    const message = await removeKey(deps, { name: params.name, storeUrl: await storeUrl() });
    const detail = `Key of ${sourceLabel(params.name)}`;
    logSecurity('credentials-removed', { detail });
    return { success: true as const, message };
  });
  serveImport(api, contract.reprocessImages, async ({ record }) => {
    const done = await runChange(api, (trx) => lookups.reprocessImages(trx, record.id));
    return { success: true, updatedCount: done.updated, message: updatedSentence(done) };
  });
}

const switchWord = (enabled: boolean | undefined) =>
  enabled === undefined ? '' : enabled ? ': on' : ': off';

function updatedSentence({ updated, continues }: lookups.ReprocessImagesResult): string {
  const words =
    updated === 0
      ? 'No new images were found.'
      : updated === 1
        ? '1 product has a new image.'
        : `${formatCount(updated)} products have new images.`;
  return continues ? `${words} The other rows are looked up in the background.` : words;
}
