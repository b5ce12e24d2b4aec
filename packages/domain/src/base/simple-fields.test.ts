import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findUnreadableFields, readSimpleValues, simpleFields } from './simple-fields.ts';

test('the values of a row are those that its texts have', () => {
  const row = { seoTitle: 'Bowl', hsCode: '6912.00' };
  expect(readSimpleValues('product', row)).toEqual({ seo_title: 'Bowl' });
  expect(readSimpleValues('variant', row)).toEqual({ harmonized_system_code: '691200' });
  expect(readSimpleValues('variant', { hsCode: 'n/a' })).toEqual({});
  expect(findUnreadableFields({ hsCode: 'n/a' })).toEqual([['hsCode', simpleFields.hsCode.problem]]);
  expect(findUnreadableFields(row)).toEqual([]);
});

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** The list, the fields in the store, the words of headers, and two screens that are about search listings. */
const naming = [
  'apps/api/src/push/readiness-routes.ts',
  'apps/web/src/features/import/product/product-fields.tsx',
  'packages/domain/src/base/simple-fields.ts',
  'packages/domain/src/reading/mapping/field-names.ts',
  'packages/shopify/src/product/fields.ts',
];

test('plan, push, outcome, drift, undo, lists, recipes, bulk changes, corrections and search name no simple field', () => {
  const names = Object.entries(simpleFields).flatMap(([field, { draft }]) => [field, draft]);
  const isNamed = new RegExp(`\\b(?:${names.join('|')})\\b`);
  const sources = globSync('{packages,apps}/*/src/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !/\.test\.tsx?$|\/testing\//.test(file),
  );
  const found = sources.filter((file) => isNamed.test(readFileSync(`${root}/${file}`, 'utf8')));
  expect(found.toSorted()).toEqual(naming);
});
