import { expect, test } from 'vitest';
import { canonicalJson, payloadHash } from './canonical-json.ts';
import { testDraft } from './testing/drafts.ts';

test('the order of keys and undefined keys do not matter, the order of lists does', () => {
  expect(canonicalJson({ b: [1, { d: 2, c: undefined }], a: null })).toBe('{"a":null,"b":[1,{"d":2}]}');
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
});

test('a draft read back from jsonb has the same hash, a changed one has another', () => {
  const draft = testDraft();
  const reversed = Object.fromEntries(Object.entries(draft).reverse());
  expect(payloadHash(reversed)).toBe(payloadHash(draft));
  expect(payloadHash(draft)).toMatch(/^[0-9a-f]{64}$/);
  expect(payloadHash({ ...draft, title: 'Other' })).not.toBe(payloadHash(draft));
});
