import { expect, test } from 'vitest';
import { payloadHash } from './payload-hash.ts';
import { testDraft } from './testing/drafts.ts';

test('a draft read back from jsonb has the same hash, a changed one has another', () => {
  const draft = testDraft();
  const reversed = Object.fromEntries(Object.entries(draft).reverse());
  expect(payloadHash(reversed)).toBe(payloadHash(draft));
  expect(payloadHash(draft)).toMatch(/^[0-9a-f]{64}$/);
  expect(payloadHash({ ...draft, title: 'Other' })).not.toBe(payloadHash(draft));
});
