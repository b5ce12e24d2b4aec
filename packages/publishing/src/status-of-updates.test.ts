import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { toProductFacts } from '@draftshelf/domain/products/silent-fields';
import { payloadHash } from '@draftshelf/shopify/payload-hash';
import { testLive } from '@draftshelf/shopify/testing/drafts';
import { expect, test } from 'vitest';
import { buildDraft } from './build-draft.ts';
import { decideProduct } from './decide-product.ts';
import type { ProductFacts } from './decision.ts';
import { rebuildDraft } from './draft-source.ts';

const statuses = ['draft', 'active', 'archived'] as const;
const live = (status: string) => status.toUpperCase();
const modes = [true, false];

/** The draft of a row with a status in its cell, and one that a person has set. */
function built(cell: string, draftMode: boolean, set?: string, price = '10.00') {
  const row: RowValues = { title: 'Vase', sku: 'V', price, status: set ?? cell };
  const sources = set === undefined ? {} : { status: 'edit' as const };
  const said = toProductFacts(['title', 'sku', 'price', 'status'], [{ values: row, sources }]);
  const options = { draftMode, importSource: 'draftshelf', currency: 'EUR' };
  const pictures = { bad: {}, credits: {}, hosts: [] };
  const draft = buildDraft([row], options, pictures, [], said);
  if (!draft.ok) throw new Error(draft.reason);
  return { draft, source: { rows: [row], options, pictures, said } };
}

const facts: Omit<ProductFacts, 'built' | 'listing' | 'live' | 'stamp' | 'match'> = {
  ...{ ourId: 'id-1', idInStore: undefined, choices: new Map(), sendNonOverlapping: true },
  store: { locationId: null, collections: [] },
};

/** The facts of each product that we have pushed, or that a merchant made, as it is in the store now. */
function* situations() {
  for (const before of statuses)
    for (const wasSafe of modes) {
      const sent = built(before, wasSafe);
      const { product } = sent.draft;
      const baseline = testLive(product, { status: live(product.status) });
      const pushed = {
        ...{ storeProductId: baseline.id, sent: product, sentHash: payloadHash(product) },
        ...{ rebuiltDraft: rebuildDraft(product, sent.source), baseline, kept: null },
      };
      for (const now of statuses)
        for (const cell of statuses)
          for (const isSafe of modes)
            for (const price of ['10.00', '12.00'])
              for (const set of [undefined, ...statuses])
                for (const isOurs of modes) {
                  const inStore = { ...baseline, status: live(now), updatedAt: '2026-11-26T00:00:00Z' };
                  const merchants = { ...inStore, externalId: null, payloadHash: null };
                  const match = {
                    storeProductId: baseline.id,
                    kind: 'sku',
                    supplier: null,
                    choice: 'update',
                  } as const;
                  yield {
                    set,
                    facts: {
                      ...facts,
                      built: built(cell, isSafe, set, price).draft,
                      listing: isOurs ? { pushed, sending: null } : null,
                      live: isOurs ? inStore : merchants,
                      stamp: inStore.updatedAt,
                      match: isOurs ? null : { ...match, state: null, isOurs: false },
                    },
                  };
                }
    }
}

test('an update writes no status but one that a person has set, whatever cell, mode and merchant say', () => {
  const seen = { updates: 0, statuses: 0 };
  for (const { set, facts: of } of situations()) {
    const decision = decideProduct(of);
    if (decision.kind !== 'update') continue;
    const { status } = decision.variables.input;
    seen.updates += 1;
    if (status === undefined) continue;
    seen.statuses += 1;
    expect(status, JSON.stringify({ set, status })).toBe(set?.toUpperCase());
  }
  expect(seen.updates).toBeGreaterThan(500);
  expect(seen.statuses).toBeGreaterThan(50);
});
