import { expect, test } from 'vitest';
import { NameOfSupplier } from './suppliers.ts';

test('the name of a supplier has no characters that cannot be seen', () => {
  expect(NameOfSupplier.parse('Ac\u202eme\u0000 \u2066A/S ')).toBe('Acme A/S');
  expect(NameOfSupplier.safeParse('\u202e').success).toBe(false);
});
