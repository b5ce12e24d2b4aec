import { expect, it } from 'vitest';
import { type SessionScan, sessionScansMax, withScan } from './session-scans.ts';

const scanOf = (text: string, name: string | null = null): SessionScan => ({
  ...{ code: { text, format: null }, text, name },
});

it('the latest code is first, and one that is scanned again moves up with its product', () => {
  const two = withScan([scanOf('1')], scanOf('2'));
  expect(withScan(two, scanOf('1', 'Vase'))).toEqual([scanOf('1', 'Vase'), scanOf('2')]);
});

it('the oldest code leaves a full list', () => {
  const full = Array.from({ length: sessionScansMax }, (_, at) => scanOf(`${at}`));
  const texts = withScan(full, scanOf('new')).map(({ text }) => text);
  expect(texts).toHaveLength(sessionScansMax);
  expect([texts[0], texts.at(-1)]).toEqual(['new', '18']);
});
