import { describe, expect, it } from 'vitest';
import {
  addKey,
  type Burst,
  type BurstEnd,
  endBurst,
  isPhoneScan,
  noBurst,
  toScannerChar,
} from './listen-for-scanner.ts';

/** Types a text with the given gaps (the last one repeats) and ends it. Returns also what the page got meanwhile. */
function type(text: string, gapsMs: readonly number[], holdsFirst = false): BurstEnd & { page: string } {
  let burst: Burst = noBurst;
  let timeMs = 1_000;
  let page = '';
  for (const [at, char] of [...text].entries()) {
    if (at > 0) timeMs += gapsMs[Math.min(at, gapsMs.length) - 1] ?? 0;
    const added = addKey(burst, { char, timeMs }, holdsFirst);
    page += added.released.join('') + (added.isHeld ? '' : char);
    burst = added.burst;
  }
  const end = endBurst(burst);
  return { ...end, page: page + (end.scan === null ? end.released.join('') : '') };
}

describe('a scanner', () => {
  it.each([10, 35, 50])('with %i ms between keys is read', (gapMs) => {
    for (const code of ['036000291452', '4006381333931', '01234565', 'g/d?A-12']) {
      expect(type(code, [gapMs])).toEqual({ scan: code, passed: 1, page: code[0] });
      expect(type(code, [gapMs], true)).toEqual({ scan: code, passed: 0, page: '' });
    }
  });

  it('that pauses within a code is not cut in the middle', () => {
    expect(type('036000291452', [8, 8, 90, 8, 8, 8, 95, 8])).toMatchObject({ scan: '036000291452' });
  });

  it('whose first gaps are slow is read, and the page gives its characters back', () => {
    expect(type('036000291452', [80, 80, 10])).toMatchObject({ scan: '036000291452' });
    const { passed, page } = type('036000291452', [80, 10]) as { passed: number; page: string };
    expect(page).toHaveLength(passed);
  });
});

describe('a person', () => {
  it.each([
    ['slowly', [180]],
    ['quickly', [95]],
    ['with two keys rolled', [200, 30, 160]],
    ['with three keys rolled', [40, 40, 150, 140]],
  ])('who types %s is no scanner, and the page gets every character in order', (_, gapsMs) => {
    for (const holdsFirst of [false, true]) {
      expect(type('ceramic vase', gapsMs, holdsFirst)).toMatchObject({ scan: null, page: 'ceramic vase' });
    }
  });

  it('who types few characters at once is no scanner', () => {
    expect(type('12345', [10])).toMatchObject({ scan: null, page: '12345' });
    expect(type('gd', [30], true)).toEqual({ scan: null, released: ['g', 'd'], page: 'gd' });
  });
});

describe('the character of a key', () => {
  const press = (key: string, code: string, set: object = {}) =>
    toScannerChar({ key, code, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...set });

  it.each([
    ['7', 'Digit7', '7'],
    // French, Czech and Arabic layouts.
    ['&', 'Digit1', '1'],
    ['é', 'Digit2', '2'],
    ['٣', 'Digit3', '3'],
    ['End', 'Numpad1', '1'],
    ['4', 'Numpad4', '4'],
    ['g', 'KeyG', 'g'],
    ['/', 'Slash', '/'],
    ['-', 'Minus', '-'],
    ['😀', '', '😀'],
  ])('%j (%s) is %j', (key, code, char) => {
    expect(press(key, code)).toBe(char);
  });

  it('follows Shift', () => {
    expect(press('!', 'Digit1', { shiftKey: true })).toBe('!');
    expect(press('1', 'Digit1', { shiftKey: true })).toBe('1');
    expect(press('A', 'KeyA', { shiftKey: true })).toBe('A');
  });

  it('is none for keys that write nothing', () => {
    expect(['Shift', 'CapsLock', 'Unidentified', 'F5', 'Dead'].map((key) => press(key, ''))).toEqual(
      Array(5).fill(null),
    );
    expect(press('c', 'KeyC', { ctrlKey: true })).toBeNull();
    expect(press('ArrowDown', 'ArrowDown')).toBeNull();
  });

  it('is a separator for Ctrl+], which transmits FNC1', () => {
    expect(press(']', 'BracketRight', { ctrlKey: true })).toBe('\u001d');
  });
});

it('tells a scan that a phone’s keyboard wrote from typing and from a suggested word', () => {
  expect(isPhoneScan('036000291452', 0)).toBe(true);
  expect(isPhoneScan('01234565', 150)).toBe(true);
  expect(isPhoneScan('01234565', 900)).toBe(false);
  expect(isPhoneScan('1234567', 10)).toBe(false);
  expect(isPhoneScan('ceramics', 0)).toBe(false);
  expect(isPhoneScan('vase no. 12', 0)).toBe(false);
});
