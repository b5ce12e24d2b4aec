import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

test('the order of keys and undefined keys do not matter, the order of lists does', () => {
  expect(canonicalJson({ b: [1, { d: 2, c: undefined }], a: null })).toBe('{"a":null,"b":[1,{"d":2}]}');
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
});
