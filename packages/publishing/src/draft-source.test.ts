import type { DraftOptions } from '@draftshelf/domain/products/draft-product';
import { expect, test } from 'vitest';
import { buildDraft } from './build-draft.ts';
import { rebuildDraft } from './draft-source.ts';

const options: DraftOptions = { draftMode: true, importSource: 'draftshelf', currency: 'CAD' };
const rows = [{ title: 'Lamp', price: '10', quantity: '5', description: 'A lamp', collections: 'Lamps' }];

function draftOf(changes: object = {}) {
  const built = buildDraft([{ ...rows[0], ...changes }], options);
  if (!built.ok) throw new Error(built.reason);
  return built.product;
}

test('what another version sent is compared as this version would have sent it', () => {
  const sent = { ...draftOf(), product_type: 'Another default', body_html: '<p>A lamp</p>', metafields: [] };
  expect(rebuildDraft(sent, { rows, options })).toEqual(draftOf());
  expect(rebuildDraft(sent, { rows, options: { ...options, draftMode: false } }).status).toBe('active');
});

test('a description that is cleaned otherwise since it was sent is no change', () => {
  const description = '<p data-mce-fragment="1" id="care">A lamp</p>';
  const today = draftOf({ description });
  expect(today.body_html).toBe('<p>A lamp</p>');
  const source = { rows: [{ ...rows[0], description }], options };
  expect(rebuildDraft({ ...today, body_html: description }, source)).toEqual(today);
});

test('a weight that the former version did not send is no change', () => {
  const values = [{ ...rows[0], weight: '2.5', weightUnit: 'kg' }];
  const today = draftOf(values[0]);
  expect(today.variants).toMatchObject([{ weight: 2.5, weight_unit: 'kg' }]);
  expect(rebuildDraft(draftOf(), { rows: values, options })).toEqual(today);
});

test('quantities and collections are those that were really sent', () => {
  const sent = draftOf({ quantity: '2', collections: '' });
  const today = rebuildDraft(sent, { rows, options });
  expect(today.variants[0]?.inventory_quantity).toBe(2);
  expect(today.collections).toBeUndefined();
});

test('without its values, or with other variants, it is compared as it was sent', () => {
  const sent = draftOf({ title: 'Other' });
  expect(rebuildDraft(sent, null)).toBe(sent);
  expect(rebuildDraft(sent, { rows: [{ title: 'Lamp' }], options })).toBe(sent);
});

test('pictures are left out and credited as they were', () => {
  const [good, dead] = ['https://a.example/1.png', 'https://a.example/2.png'];
  const withPictures = [{ ...rows[0], image: `${good} ${dead}` }];
  const pictures = { bad: { [dead]: 'Not found' }, credits: { [good]: 'A. Photographer' }, hosts: [] };
  const built = buildDraft(withPictures, options, pictures);
  if (!built.ok) throw new Error(built.reason);
  const stored = JSON.parse(JSON.stringify({ rows: withPictures, options, pictures }));
  expect(rebuildDraft(built.product, stored)).toEqual(built.product);
  expect(built.product.images).toHaveLength(1);
});
