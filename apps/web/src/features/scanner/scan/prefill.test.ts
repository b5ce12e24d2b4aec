import { readScan } from '@draftshelf/domain/scanner/read-scan';
import { expect, it } from 'vitest';
import type { CodeReply } from '../scanner-api.ts';
import { addScan, type SessionScan, sessionScansMax, toPrefill } from './prefill.ts';

const scanOf = (text: string) => {
  const scan = readScan(text);
  if (scan === null) throw new Error(`${text} is empty`);
  return scan;
};
const nothingKnown: CodeReply = {
  code: { kind: 'gtin', text: '036000291452', gtin: '00036000291452', problem: null },
  ...{ product: null, inStore: null, inImports: [], found: null, asked: 'missing', waiting: null },
};
const found = {
  ...{ source: 'UPCitemdb', title: 'Blue Vase', brand: 'Acme', description: null, category: null },
  ...{ images: ['https://a.example/1.jpg', 'https://a.example/2.jpg'], attribution: null },
};
const row = {
  id: 'i',
  filename: 'a.csv',
  row: 12,
  title: 'Red Vase',
  description: 'Red.',
  price: '7.50',
  images: [],
};

it('puts a product number into the UPC, and another code into the SKU', () => {
  expect(toPrefill(scanOf('036000291452'), nothingKnown)).toEqual({
    ...{ code: { upc: '036000291452' }, found: [], photos: [], note: 'No source knows this code.' },
  });
  expect(toPrefill(scanOf('VA-12'), { ...nothingKnown, asked: 'off' })).toEqual({
    ...{ code: { sku: 'VA-12' }, found: [], photos: [], note: null },
  });
});

it('takes values of a source before those of a row, and never a price of a source', () => {
  const reply: CodeReply = { ...nothingKnown, asked: 'answered', found, inImports: [row] };
  expect(toPrefill(scanOf('036000291452'), reply)).toMatchObject({
    found: [
      { source: 'UPCitemdb', values: { name: 'Blue Vase' } },
      { source: 'a.csv', values: { name: 'Red Vase', description: 'Red.', price: '7.50' } },
    ],
    photos: ['https://a.example/1.jpg'],
    note: 'In a.csv, row 12.',
  });
});

it('says what is wrong with a code, and why sources know nothing', () => {
  const noteOf = (text: string, reply: CodeReply | null) => toPrefill(scanOf(text), reply).note;
  expect(noteOf('10614141000415', { ...nothingKnown, asked: 'failed' })).toBe(
    'This is the code of a case, not of one piece. Couldn’t look up this code.',
  );
  const waiting = { source: 'UPCitemdb', until: '2026-11-21T14:05:00.000Z' };
  expect(noteOf('036000291452', { ...nothingKnown, asked: 'quota', waiting })).toMatch(
    /^UPCitemdb answers again at .*05/,
  );
  expect(noteOf('036000291452', null)).toBe('Couldn’t look up this code.');
});

const sessionScan = (text: string, name: string | null = null): SessionScan => ({
  ...{ code: { text, format: null }, text, name },
});

it('the latest code is first, and one that is scanned again moves up with its product', () => {
  const two = addScan([sessionScan('1')], sessionScan('2'));
  expect(addScan(two, sessionScan('1', 'Vase'))).toEqual([sessionScan('1', 'Vase'), sessionScan('2')]);
});

it('the oldest code leaves a full list', () => {
  const full = Array.from({ length: sessionScansMax }, (_, at) => sessionScan(`${at}`));
  const texts = addScan(full, sessionScan('new')).map(({ text }) => text);
  expect(texts).toHaveLength(sessionScansMax);
  expect([texts[0], texts.at(-1)]).toEqual(['new', '18']);
});
