import { applyRules, listRules, saveRules, suggestRules, tryRules } from '@draftshelf/contract/enrich/rules';
import * as stored from '@draftshelf/core/enrich/category-rules';
import { enqueueRulesInReview, requestApplyRules } from '@draftshelf/core/enrich/rules/enqueue-rules';
import { tryRules as tryOn } from '@draftshelf/core/enrich/rules/rule-products';
import { findShopByUrl } from '@draftshelf/core/push/store/shops';
import { readCopiedTitles } from '@draftshelf/core/push/store/store-products';
import { currentRows } from '@draftshelf/core/work/runs';
import {
  createRuleSuggester,
  type SuggestedRule,
  type TitleWithType,
} from '@draftshelf/domain/enrich/rules/suggest-rules';
import type { StoreConnection } from '../access/store-connection.ts';
import { runChange } from '../http/databases.ts';
import { Refusal } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import { busyReadingRefusal, createTurnQueue } from '../http/turns.ts';
import { serveImport } from '../imports/serve-import.ts';

/** One trial (up to 2 s) and one suggestion (up to 5 s) at a time, so that database connections remain for polls. */
const readsAtOnceMax = 1;
const waitMsMax = 10_000;

export function serveRules(api: Api, { store }: { store: StoreConnection }): void {
  const { db, changes } = api;
  const turns = () => createTurnQueue({ max: readsAtOnceMax, waitMsMax, refuse: busyReadingRefusal });
  const [trials, suggestions] = [turns(), turns()];
  serve(api, listRules, () => stored.readRules(db));
  serve(api, saveRules, async ({ body: { rules, version } }) => {
    const saved = await changes.db.transaction().execute(async (trx) => {
      const done = await stored.saveRules(trx, rules, version);
      if (done && done.version !== version) await enqueueRulesInReview(trx);
      return done;
    });
    if (saved) return saved;
    const message = 'The rules have been changed in another tab. Nothing was saved.';
    const current = await stored.readRules(changes.db);
    throw new Refusal(409, { code: 'changed_elsewhere', message, current });
  });
  serve(api, suggestRules, async () => {
    const current = await store.current();
    const known = current && (await findShopByUrl(db, current.url));
    return suggestions(() =>
      suggestRulesFromPages(async (after) => (known ? readCopiedTitles(db, known.shop, after) : [])),
    );
  });
  serveImport(api, tryRules, ({ record, body: { rules } }) =>
    trials(() => tryOn(db, currentRows(record), rules, record.total_rows)),
  );
  serveImport(api, applyRules, async ({ record }) => {
    await runChange(api, (trx) => requestApplyRules(trx, record.id));
    return { success: true as const, message: 'The rules are applied in the background.' };
  });
}

export const comparedProductsMax = 50_000;
/** Time after which a suggestion reads no further page. */
const compareMsMax = 5_000;

/** Suggests rules from pages of products. `readPage` returns the products after an id, or an empty page at the end. */
export async function suggestRulesFromPages(
  readPage: (after: string) => Promise<readonly (TitleWithType & { id: string })[]>,
): Promise<{ products: number; rules: SuggestedRule[] }> {
  const suggester = createRuleSuggester();
  const until = performance.now() + compareMsMax;
  let products = 0;
  let after: string | undefined = '';
  while (after !== undefined && products < comparedProductsMax && performance.now() < until) {
    const page: readonly (TitleWithType & { id: string })[] = await readPage(after);
    for (const product of page) suggester.add(product);
    products += page.length;
    after = page.at(-1)?.id;
  }
  return { products, rules: suggester.suggest() };
}
