import { expect, test } from 'vitest';
import { cutText, shortenText } from './cut-text.ts';

test('a text is cut before an emoji that does not fit, never within it', () => {
  expect(['ab🪔', 'a🪔b', '🪔ab'].map((text) => cutText(text, 3))).toEqual(['ab', 'a🪔', '🪔a']);
  expect(['', 'abc', 'abcd'].map((text) => cutText(text, 3))).toEqual(['', 'abc', 'abc']);
});

test('a shortened text ends in an ellipsis', () => {
  expect(['abc', 'abcd', 'ab🪔'].map((text) => shortenText(text, 3))).toEqual(['abc', 'abc…', 'ab…']);
});
