import { refusalOf } from '@draftshelf/domain/review/store-limits';
import { expect, it } from 'vitest';
import { buildDraft, omittedImagesSentence } from './build-draft.ts';

const options = { draftMode: true, importSource: 'draftshelf', currency: 'CAD' };

it('sends a description without its scripts, and other values as they are', () => {
  const description = '<p onclick="steal()">Blue</p><script>steal()</script>';
  const built = buildDraft([{ title: 'Vase <script>', price: '10', description }], options);
  expect(built).toMatchObject({ ok: true, product: { title: 'Vase <script>', body_html: '<p>Blue</p>' } });
});

it.each([
  ['a description over the limit', { description: '<p onclick=x()>'.repeat(40_000) }],
  ['another text over the limit', { title: 'x'.repeat(256), description: '<p onclick=x()>Blue</p>' }],
])('spends no time on the description of a product that the store would refuse: %s', (_what, values) => {
  const row = { title: 'Vase', price: '10', ...values };
  const built = buildDraft([row], options);
  expect(built).toMatchObject({ ok: true, product: { body_html: values.description } });
  expect(built.ok && refusalOf(built.product)).toMatch(/^Over Shopify’s /);
});

it('names the fields that are missing', () => {
  expect(buildDraft([{ title: 'Vase' }], options)).toEqual({
    ok: false,
    reason: 'Missing required fields',
    missing: ['price'],
    omitted: [],
  });
});

it('leaves out pictures that are known to be bad and names whom a picture is by', () => {
  const [good, dead, elsewhere] = [
    'https://a.example/1.png',
    'https://a.example/2.png',
    'https://b.example/3.png',
  ];
  const pictures = {
    bad: { [dead]: 'There is no picture at this address (status 404).' },
    credits: { [good]: 'Open Products Facts contributors, CC BY-SA 3.0' },
    hosts: ['a.example'],
  };
  const row = { title: 'Vase', price: '10', image: [good, dead, elsewhere].join(' ') };
  const built = buildDraft([row], options, pictures);
  expect(built).toMatchObject({ product: { images: [{ src: good }] }, omitted: [dead, elsewhere] });
  expect(built.ok && built.product.metafields.at(-1)).toMatchObject({
    ...{ namespace: 'scd', key: 'image_credit', value: 'Open Products Facts contributors, CC BY-SA 3.0' },
  });
  expect(omittedImagesSentence(built.omitted, pictures)).toBe(
    `2 pictures were left out: ${dead} – There is no picture at this address (status 404).`,
  );
});
