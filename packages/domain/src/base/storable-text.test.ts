import { expect, test } from 'vitest';
import { isStorable, toStorableText } from './storable-text.ts';

test('any script and line breaks can be stored, NUL and half a surrogate pair cannot', () => {
  expect(['', 'Lamp\nblue', '产品 🪔', 'مصباح'].map(isStorable)).toEqual([true, true, true, true]);
  expect(['a\0b', 'a\ud800b', '\udc00'].map(isStorable)).toEqual([false, false, false]);
});

test('U+FFFD replaces what cannot be stored, and nothing else', () => {
  expect(toStorableText('a\0b\ud83d🪔\udc00')).toBe('a\uFFFDb\uFFFD🪔\uFFFD');
  expect(toStorableText('\\u0000 \t🪔')).toBe('\\u0000 \t🪔');
});
