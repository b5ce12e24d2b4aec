import { payloadHash } from '@draftshelf/shopify/payload-hash';
import { testDraft, testLive } from '@draftshelf/shopify/testing/drafts';
import { expect, test } from 'vitest';
import { decideUntilDone } from './decide-until-done.ts';
import type { Decision, Listing } from './decision.ts';

const sent = testDraft();
const tagged = testDraft({ tags: `${sent.tags}, gone` });
const live = { ...testLive(sent), title: 'Their new title' };

/** The operator kept the store's title, which the merchant has changed again since. */
const listing: Listing = {
  pushed: {
    ...{ storeProductId: live.id, sent, sentHash: payloadHash(sent), rebuiltDraft: sent },
    ...{ baseline: testLive(sent), kept: { answers: { title: 'Their old title' } } },
  },
  sending: null,
};

const decisionOn = (isOfGone: boolean): Promise<Decision | undefined> =>
  decideUntilDone(
    {
      ...{ ourId: 'id-1', built: { ok: true, product: tagged }, source: null as never, isOfGone },
      ...{
        idInStore: undefined,
        match: null,
        choices: new Map(),
        sendNonOverlapping: true,
        found: undefined,
      },
    },
    {
      store: { locationId: null, collections: [] },
      carryOut: async (decision) =>
        decision.kind === 'read' ? { changed: { listing, live } } : { done: decision },
    },
  );

test('asks again about a kept field in a push, but not where a product is no longer listed', async () => {
  expect(await decisionOn(false)).toMatchObject({ kind: 'skip', code: 'drifted' });
  expect(await decisionOn(true)).toMatchObject({ kind: 'update' });
});
