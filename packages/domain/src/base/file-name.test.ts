import { expect, test } from 'vitest';
import { toShownFilename } from './file-name.ts';

test.each([
  ['Frühling 春 "2" 🏺.csv', 'Frühling 春 "2" 🏺.csv'],
  ['x\u202egpj.csv', 'xgpj.csv'],
  ['a\u2066\u200b\u00ad\ufeffb\n\u0007.csv', 'ab.csv'],
  [`${'x'.repeat(254)}🏺.csv`, 'x'.repeat(254)],
])('a name is shown without characters that cannot be seen: %j', (name, shown) => {
  expect(toShownFilename(name)).toBe(shown);
});
