import { expect, test } from 'vitest';
import { plannedEffectWords } from './dry-run.tsx';

test('what a push would do with a product is a sentence', () => {
  const planned = { message: null, parts: [] };
  const said = (one: Partial<Parameters<typeof plannedEffectWords>[0]>) =>
    plannedEffectWords({ outcome: 'created', ...planned, ...one });
  const written = 'Nothing was written to the store.';
  expect(said({})).toBe(`The push would create this product. ${written}`);
  expect(said({ outcome: 'updated', parts: ['vendor', 'price'] })).toBe(
    `The push would update this product and change its brand and price. ${written}`,
  );
  expect(said({ outcome: 'updated' })).toBe(`The push would update this product. ${written}`);
  expect(said({ outcome: 'unchanged' })).toBe(
    `The push would leave this product as it is in the store. ${written}`,
  );
  expect(said({ outcome: 'skipped', message: 'Changed in the store.' })).toBe(
    'The push would skip this product. Changed in the store.',
  );
});
