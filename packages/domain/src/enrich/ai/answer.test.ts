import { expect, it } from 'vitest';
import { flagReasons, flagSentence } from './answer.ts';
import { listAskedFields } from './asked-fields.ts';

it('each remark is a sentence, and a repeated one is said once', () => {
  for (const reason of flagReasons)
    expect(flagSentence([{ field: 'title', reason }])).toMatch(/^AI remarks: .+\.$/);
  const flag = { field: 'title', reason: 'not-a-product' } as const;
  expect(flagSentence([flag, { ...flag, field: 'vendor' }])).toBe(
    'AI remarks: This doesn’t look like a product.',
  );
  expect(flagSentence([])).toBeNull();
});

it('remarks are asked for only along with a value, whose proposal shows them', () => {
  const whole = {
    title: 'Vase',
    description: 'x'.repeat(300),
    type: 'Vases',
    vendor: 'Acme',
    tags: ['vase'],
  };
  expect(listAskedFields(whole, ['description', 'type', 'flags'])).toEqual([]);
  expect(listAskedFields({ ...whole, description: 'A vase.' }, ['description', 'flags'])).toEqual([
    'description',
    'flags',
  ]);
  expect(listAskedFields({ title: 'Vase' }, ['type', 'flags'])).toEqual(['type']);
});
