import { expect, test } from 'vitest';
import { EnteredSupplierName } from './suppliers.ts';

test('the name of a supplier has no characters that cannot be seen', () => {
  expect(EnteredSupplierName.parse('Ac\u202eme\u0000 \u2066A/S ')).toBe('Acme A/S');
  expect(EnteredSupplierName.safeParse('\u202e').success).toBe(false);
});
