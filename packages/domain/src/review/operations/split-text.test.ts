import { expect, test } from 'vitest';
import { splitText } from './split-text.ts';

const split = (text: string, find: string, matchCase = false) =>
  splitText(text, { find, whole: false, matchCase });

/** Every character with a case, and some without. */
const chars = Array.from({ length: 0x1_f000 }, (_, code) => String.fromCodePoint(code)).filter((char) =>
  /[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}ßıſﬃ]/u.test(char),
);
const text = chars.join('');

test('finds with and without case what a regular expression finds, whatever the letter', () => {
  expect(chars.length).toBeGreaterThan(2_500);
  const some = chars.filter((char, at) => at % 8 === 0 || '\u1fd3\u0390\ufb05ßKſıİςµ'.includes(char));
  for (const char of some) {
    const literal = RegExp.escape(char);
    expect(split(text, char), char).toEqual(text.split(new RegExp(literal, 'iu')));
  }
  expect(split(text, 'Ä', true)).toEqual(text.split('Ä'));
});

test('finds texts that begin within themselves where a regular expression does', () => {
  const texts = ['aabaabaaab', 'abababac', 'aaaaa', 'ABabAB', '', 'ab'];
  const finds = ['aa', 'aab', 'abab', 'ababac', 'b', 'aaaaaa', 'ab'];
  for (const one of texts) {
    for (const find of finds) expect(split(one, find)).toEqual(one.split(new RegExp(find, 'iu')));
  }
});
