import { expect, it } from 'vitest';
import { buildDraft } from './build-draft.ts';

const options = { draftMode: true, importSource: 'draftshelf', currency: 'CAD' };

it('sends a description without its scripts, and other values as they are', () => {
  const description = '<p onclick="steal()">Blue</p><script>steal()</script>';
  const built = buildDraft([{ title: 'Vase <script>', price: '10', description }], options);
  expect(built).toMatchObject({ ok: true, product: { title: 'Vase <script>', body_html: '<p>Blue</p>' } });
});

it('names the fields that are missing', () => {
  expect(buildDraft([{ title: 'Vase' }], options)).toEqual({
    ok: false,
    reason: 'Missing required fields',
    missing: ['price'],
  });
});
