import { expect, it } from 'vitest';
import { keysOf, matchText } from './product-keys.ts';

const variant = (sku: string, barcode: string) => ({
  title: 'Default Title',
  price: '5',
  compare_at_price: null,
  cost: null,
  sku,
  barcode,
  inventory_quantity: 0,
  inventory_management: null,
  inventory_policy: 'deny' as const,
});

it('are each SKU as sent, each valid GTIN as 14 digits, and each item number, once', () => {
  const variants = [variant(' A-1 ', '4006381333931'), variant('A-1', '123'), variant('', '04006381333931')];
  expect(keysOf({ variants }, [{ itemNumber: '100' }, { itemNumber: '100 ' }, {}])).toEqual([
    { kind: 'sku', value: 'A-1' },
    { kind: 'gtin', value: '04006381333931' },
    { kind: 'item', value: '100' },
  ]);
  expect(keysOf({ variants: [variant('', '')] })).toEqual([]);
});

it('says why a product is not sent', () => {
  expect(matchText('gtin')).toBe('Already in the store with the same UPC.');
});
