import { expect, it } from 'vitest';
import { wordDiff } from './word-diff.ts';

const marked = (before: string, after: string) =>
  wordDiff(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'removed' ? `[-${text}]` : `[+${text}]`))
    .join('');

it('marks the words that were removed and added', () => {
  expect(marked('A blue vase of glass.', 'A tall blue vase, hand made.')).toBe(
    'A [+tall ]blue vase[-of glass][+, hand made].',
  );
  expect(marked('Vase', 'Vase')).toBe('Vase');
  expect(marked('', 'Wall Art')).toBe('[+Wall Art]');
});

it('shows texts without a shared word, and those with very many differences, as a whole', () => {
  expect(marked('Bowls', 'Lamps')).toBe('[-Bowls][+Lamps]');
  expect(marked('Tea & Coffee', 'Art & Craft')).toBe('[-Tea & Coffee][+Art & Craft]');
  const words = (of: string) => Array.from({ length: 900 }, (_, at) => `${of}${at}`).join(' ');
  const kindsOf = (after: string) => wordDiff(`${words('w')} end`, after).map(({ kind }) => kind);
  expect(kindsOf(`${words('w')} more`)).toEqual(['same', 'removed', 'added']);
  expect(kindsOf(`${words('v')} end`)).toEqual(['removed', 'added']);
});

it('keeps every word of both texts', () => {
  const [before, after] = ['<p>Red  bowl – 20 cm</p>', '<p>Bowl, red, 20 cm wide</p>\nNew'];
  const parts = wordDiff(before, after);
  const words = (kinds: string[]) =>
    parts
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ text }) => text)
      .join('')
      .replace(/\s+/g, '');
  expect(words(['same', 'added'])).toBe(after.replace(/\s+/g, ''));
  expect(words(['same', 'removed'])).toBe(before.replace(/\s+/g, ''));
});
