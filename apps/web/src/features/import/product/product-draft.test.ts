import type { ProductRow } from '@draftshelf/contract/review/rows';
import { buildDraftProduct } from '@draftshelf/domain/products/draft-product';
import { picturesOf } from '@draftshelf/domain/products/images';
import { expect, test } from 'vitest';
import { moveItem } from './picture-order.ts';
import {
  applyFieldChanges,
  applySavedChanges,
  changeFieldValue,
  changePictures,
  findFieldProblems,
  findLaterChanges,
  findUndoTarget,
  formatEarlierValue,
  readFieldText,
  replaceSavedValues,
  restoreEarlierValue,
  toEditedRow,
  toProductRequest,
  toSearchPreview,
  undoFieldChange,
} from './product-draft.ts';

const rowOf = (row: number, set: Partial<ProductRow>): ProductRow => ({
  row,
  line: row + 1,
  product: 1,
  ofProduct: null,
  class: 'valid',
  ignored: null,
  values: {},
  sources: {},
  leftOut: false,
  cells: [],
  cellsAsRead: null,
  issues: [],
  outcome: null,
  unedited: {},
  ...set,
});

const lamp = rowOf(1, {
  values: { title: 'Lamp', price: '10', status: 'Published', vendor: 'Edited' },
  sources: { vendor: 'edit' },
  unedited: {
    title: { value: 'Lamp', column: 'Name' },
    price: { value: '10', column: 'Cost' },
    status: { value: 'Published', column: 'Status' },
    vendor: { value: 'Acme', column: 'Brand' },
  },
});
const edited = toEditedRow(lamp, lamp);

test('a row shows its choices in the specification’s words, and the defaults', () => {
  expect(readFieldText(edited, {}, 'status')).toBe('active');
  expect(readFieldText(edited, {}, 'trackQuantity')).toBe('shopify');
  expect(readFieldText(edited, {}, 'continueSelling')).toBe('deny');
  expect(readFieldText(edited, {}, 'pointOfSale')).toBe('Canada');
  expect(readFieldText(edited, {}, 'collections')).toBe('All Products');
  expect(readFieldText(edited, {}, 'title')).toBe('Lamp');
});

test('only what differs from the shown values is sent, trimmed, with these values', () => {
  let changes = changeFieldValue(edited, {}, 'title', ' Floor lamp ');
  changes = changeFieldValue(edited, changes, 'price', '10');
  changes = changeFieldValue(edited, changes, 'status', 'active');
  changes = changeFieldValue(edited, changes, 'collections', 'Decor');
  expect(changes).toEqual({ title: ' Floor lamp ', collections: 'Decor' });
  expect(toProductRequest(edited, changes)).toEqual({
    values: { title: 'Floor lamp', collections: 'Decor' },
    expected: { title: 'Lamp', collections: null },
  });
  expect(toProductRequest(edited, changeFieldValue(edited, {}, 'title', 'Lamp '))).toBeNull();
  expect(toProductRequest(edited, changeFieldValue(edited, {}, 'pointOfSale', ''))).toBeNull();
});

test('after a save, what was typed meanwhile is a change of the saved values', () => {
  const sent = { title: 'Floor lamp', price: '12', vendor: null };
  const reply = rowOf(1, { values: { ...lamp.values, title: 'Floor lamp', price: '12', vendor: 'Acme' } });
  const saved = applySavedChanges(edited, sent, { ...reply, sources: { title: 'edit', price: 'edit' } });
  expect(findUndoTarget(saved, {}, 'vendor')).toBeNull();
  expect(findLaterChanges(edited, saved, sent, sent)).toEqual({});
  // The price was typed back to what it was before the save.
  const changes = findLaterChanges(
    edited,
    saved,
    { title: 'Floor lamp, tall', vendor: null, cost: '5' },
    sent,
  );
  expect(changes).toEqual({ title: 'Floor lamp, tall', price: '10', cost: '5' });
  expect(toProductRequest(saved, changes)?.expected).toEqual({
    title: 'Floor lamp',
    price: '12',
    cost: null,
  });
});

test('a field of the product that was saved from a later row is as it was sent', () => {
  const variant = toEditedRow(rowOf(2, {}), lamp);
  const { values, sources } = applySavedChanges(variant, { title: 'Floor lamp', vendor: null }, rowOf(2, {}));
  expect(values).toEqual({ title: 'Floor lamp', status: 'Published', vendor: 'Acme' });
  expect(sources).toEqual({ title: 'edit' });
});

test('a value that is not sent has its reason until it is changed, and after a save the row’s', () => {
  const care = {
    code: 'value-unread',
    field: 'm:custom.care',
    message: 'Care: “Hot” isn’t one of the choices.',
  };
  const washed = rowOf(1, { ...lamp, values: { ...lamp.values, 'm:custom.care': 'Hot' }, issues: [care] });
  const opened = toEditedRow(washed, washed);
  expect(findFieldProblems(opened, {})).toEqual({ 'm:custom.care': care.message });
  const changes = changeFieldValue(opened, {}, 'm:custom.care', 'Cold');
  expect(findFieldProblems(opened, changes)).toEqual({});
  const sent = toProductRequest(opened, changes)?.values ?? {};
  expect(sent).toEqual({ 'm:custom.care': 'Cold' });
  expect(findFieldProblems(applySavedChanges(opened, sent, { ...washed, issues: [] }), {})).toEqual({});
  const variant = rowOf(2, { values: { price: '11' } });
  const later = toEditedRow(variant, washed);
  expect(findFieldProblems(later, {})).toEqual({ 'm:custom.care': care.message });
  expect(findFieldProblems(applySavedChanges(later, sent, variant), {})).toEqual({});
});

test('an undo takes back the change, then the saved edit', () => {
  const changes = changeFieldValue(edited, {}, 'vendor', 'Other');
  expect(findUndoTarget(edited, changes, 'vendor')).toBe('change');
  expect(undoFieldChange(edited, changes, 'vendor')).toEqual({});
  expect(findUndoTarget(edited, {}, 'vendor')).toBe('edit');
  const undone = undoFieldChange(edited, {}, 'vendor');
  expect(undone).toEqual({ vendor: null });
  expect(readFieldText(edited, undone, 'vendor')).toBe('Acme');
  expect(applyFieldChanges(edited, undone).vendor).toBe('Acme');
  expect(toProductRequest(edited, undone)).toEqual({
    values: { vendor: null },
    expected: { vendor: 'Edited' },
  });
  expect(findUndoTarget(edited, {}, 'title')).toBeNull();
  expect(undoFieldChange(edited, {}, 'title')).toEqual({});
});

test('the price of all pieces stays that, also when the price or the quantity is changed', () => {
  const line = { price: '129', quantity: '8', compareAtPrice: '1032' };
  const unedited = Object.fromEntries(
    Object.entries(line).map(([field, value]) => [field, { value, column: field }]),
  );
  const saved = {
    values: { ...line, price: '135', compareAtPieces: '8' },
    sources: { price: 'edit' },
  } as const;
  for (const row of [rowOf(1, { values: line, unedited }), rowOf(1, { ...saved, unedited })]) {
    const form = toEditedRow(row, row);
    const changes = changeFieldValue(form, changeFieldValue(form, {}, 'price', '140'), 'quantity', '6');
    expect(applyFieldChanges(form, changes)).toMatchObject({ price: '140', compareAtPieces: '8' });
    expect(applyFieldChanges(form, { ...changes, compareAtPrice: '149' })).not.toHaveProperty(
      'compareAtPieces',
    );
    expect(applyFieldChanges(form, undoFieldChange(form, {}, 'price'))).toEqual(line);
  }
});

test('after a conflict the next save expects the values now', () => {
  const changes = changeFieldValue(edited, {}, 'price', '11');
  const now = replaceSavedValues(edited, { price: '12', vendor: null });
  expect(toProductRequest(now, changes)).toEqual({ values: { price: '11' }, expected: { price: '12' } });
  expect(readFieldText(now, {}, 'price')).toBe('12');
  expect(readFieldText(now, {}, 'vendor')).toBe('');
});

test('a further row shows the product’s fields of the first row, and inherits its title', () => {
  const second = rowOf(2, { values: { price: '12', title: 'Own', vendor: 'Own' } });
  const further = toEditedRow(second, lamp);
  expect(further.values).toMatchObject({ title: 'Lamp', vendor: 'Edited', price: '12' });
  expect(findUndoTarget(further, {}, 'vendor')).toBe('edit');
  expect(findFieldProblems(further, {})).toEqual({});
  const image = toEditedRow(rowOf(3, { values: { image: 'https://x.example/a.jpg' } }), lamp);
  expect(findFieldProblems(image, {})).toEqual({});
});

test('problems follow the changes', () => {
  const changes = changeFieldValue(edited, changeFieldValue(edited, {}, 'title', ''), 'price', 'ask');
  expect(findFieldProblems(edited, { ...changes, upc: '036000291453' })).toEqual({
    title: 'Title is missing.',
    price: 'Price isn’t a valid number, so it counts as missing.',
    upc: 'UPC is invalid (wrong length or check digit). It’s sent as it is.',
  });
  expect(findFieldProblems(edited, { price: '-4,50' })).toEqual({
    price: 'Price is below 0, so it counts as missing.',
  });
  expect(findFieldProblems(edited, {})).toEqual({});
});

const [a, b, c] = [
  'https://x.example/w_1,h_2/a.jpg',
  'https://x.example/b.jpg',
  'https://x.example/c.jpg',
] as const;

test('pictures in another order are sent in this order, and in the saved one they are no change', () => {
  const row = rowOf(1, {
    values: { title: 'Lamp', price: '10', image: `${a}|${b} ${b}, x.jpg`, moreImages: c },
  });
  const form = toEditedRow(row, row);
  const srcs = picturesOf(form.values).map(({ src }) => src);
  expect(srcs).toEqual([a, b, c]);
  const changes = changePictures(form, {}, moveItem(srcs, 2, 0));
  expect(changes).toEqual({ image: c, moreImages: `${a}\n${b}` });
  const options = { draftMode: true, importSource: 'a.csv', currency: 'CAD' };
  const draft = buildDraftProduct([applyFieldChanges(form, changes)], options);
  expect(draft.ok && draft.product.images.map(({ src }) => src)).toEqual([c, a, b]);
  expect(changePictures(form, { ...changes, title: 'Other' }, srcs)).toEqual({ title: 'Other' });
});

test('a removed picture leaves its cell, and the last one clears it', () => {
  const row = rowOf(1, { values: { image: a, moreImages: b } });
  const form = toEditedRow(row, row);
  expect(toProductRequest(form, changePictures(form, {}, [b]))).toEqual({
    values: { image: b, moreImages: '' },
    expected: { image: a, moreImages: b },
  });
  expect(changePictures(form, {}, [])).toEqual({ image: '', moreImages: '' });
});

test('the search preview cuts the title at 60 characters and the description at 120', () => {
  const { title, description } = toSearchPreview('t'.repeat(80), 'd'.repeat(200));
  expect(title).toBe(`${'t'.repeat(60)}...`);
  expect(description).toBe(`${'d'.repeat(120)}...`);
  expect(toSearchPreview('灯'.repeat(60), 'd')).toEqual({ title: '灯'.repeat(60), description: 'd' });
});

test('a value of the history is a change of the field, and the value of the file removes its edit', () => {
  expect(restoreEarlierValue(edited, {}, 'title', 'Old lamp')).toEqual({ title: 'Old lamp' });
  expect(restoreEarlierValue(edited, { title: 'New' }, 'title', 'Lamp')).toEqual({});
  expect(restoreEarlierValue(edited, { vendor: 'New' }, 'vendor', null)).toEqual({ vendor: null });
  expect(restoreEarlierValue(edited, { title: 'New' }, 'title', null)).toEqual({});
  expect(restoreEarlierValue(edited, {}, 'status', 'yes')).toEqual({});
  expect(formatEarlierValue(edited, 'vendor', null)).toBe('Acme');
  expect(formatEarlierValue(edited, 'status', 'Draft')).toBe('draft');
});
