import { expect, it } from 'vitest';
import type { Prefill } from '../scan/prefill.ts';
import {
  applyScan,
  copyCodeToSku,
  describeFilledFields,
  type FormContent,
  fillLater,
  toFormContent,
  undoScan,
} from './scanned-draft.ts';

const upc = '036000291452';
const photo = { key: 7, src: '/1.jpg', address: '/1.jpg' };
const nothingFound: Prefill = { code: { upc }, found: [], photos: [], note: null };
const found: Prefill = {
  code: { upc },
  found: [{ source: 'UPCitemdb', values: { name: 'Blue Vase', description: 'It is blue.' } }],
  photos: [photo.src],
  note: 'It is known.',
};
const scan = (id: string, offersSku = false) => ({ id, code: upc, offersSku });
const typed = (edited: FormContent, set: Partial<FormContent['draft']>): FormContent => ({
  ...edited,
  draft: { ...edited.draft, ...set },
  sources: Object.fromEntries(Object.entries(edited.sources).filter(([field]) => !(field in set))),
});
const empty = toFormContent(null);

it('a scan fills the code and empty fields, and its undo leaves the form as it was', () => {
  const begun = typed(empty, { name: 'My vase' });
  const filled = applyScan(begun, scan('1'), found, [photo]);
  expect(filled.draft).toEqual({ ...begun.draft, upc, description: 'It is blue.' });
  expect(filled).toMatchObject({ photos: [photo], sources: { description: 'UPCitemdb' } });
  expect(filled.scans.map(describeFilledFields)).toEqual(['UPC, Description and 1 photo']);
  expect(undoScan(filled)).toEqual(begun);
});

it('an undo keeps what was typed since, and goes back one scan at a time', () => {
  const first = applyScan(empty, scan('1'), found, [photo]);
  const second = applyScan(first, scan('2'), { ...nothingFound, code: { upc: '036000291469' } }, []);
  expect(second.draft).toMatchObject({ upc: '036000291469', name: 'Blue Vase' });
  expect(undoScan(second)).toEqual(first);
  const renamed = typed(first, { name: 'Red Vase' });
  expect(undoScan(renamed)).toEqual(typed(empty, { name: 'Red Vase' }));
});

it('a later answer belongs to its scan, and does not come back after the undo', () => {
  const begun = applyScan(empty, scan('1'), nothingFound, []);
  const answered = fillLater(typed(begun, { upc: '' }), '1', found, [photo]);
  expect(answered.draft).toMatchObject({ upc: '', name: 'Blue Vase' });
  expect(answered.scans.map(describeFilledFields)).toEqual(['UPC, Product Name, Description and 1 photo']);
  expect(undoScan(answered)).toEqual(empty);
  expect(fillLater(undoScan(begun), '1', found, [photo])).toEqual(empty);
});

it('a scan that changes nothing has no words, and the same scan fills once', () => {
  const filled = applyScan(empty, scan('1'), nothingFound, []);
  expect(applyScan(filled, scan('1'), found, [photo])).toBe(filled);
  expect(applyScan(filled, scan('2'), nothingFound, []).scans.map(describeFilledFields)).toEqual([
    'UPC',
    null,
  ]);
});

it('a code that was scanned in the SKU field can be the SKU, too', () => {
  const begun = typed(empty, { sku: 'OLD-1' });
  const used = copyCodeToSku(applyScan(begun, scan('1', true), nothingFound, []));
  expect(used.draft).toMatchObject({ upc, sku: upc });
  expect(used.scans).toMatchObject([{ offersSku: false }]);
  expect(undoScan(used)).toEqual(begun);
  expect(copyCodeToSku(empty)).toBe(empty);
});
