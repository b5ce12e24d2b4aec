import { expect, it } from 'vitest';
import { describeMatch, keysOf } from './product-keys.ts';

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

it('say of a SKU that it is only an item number', () => {
  expect(keysOf({ variants: [variant('1001', ''), variant('B', '')] }, [{ itemNumber: ' 1001' }])).toEqual([
    { kind: 'sku', value: '1001', isItemNumber: true },
    { kind: 'sku', value: 'B' },
    { kind: 'item', value: '1001' },
  ]);
});

it('says why a product is not sent', () => {
  expect(describeMatch('gtin')).toBe('Already in the store with the same UPC.');
  expect(describeMatch('gtin', 'Beta')).toBe('Also sold by Beta.');
  expect(describeMatch('sku', 'Beta')).toBe('Beta’s product has the same SKU.');
});
