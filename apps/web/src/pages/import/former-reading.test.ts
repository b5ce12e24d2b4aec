import type { MappedColumn } from '@draftshelf/contract/mapping';
import { expect, test } from 'vitest';
import { formerDialect, formerMapping } from './former-reading.ts';

const column = (header: string, field: string | null, setBy: MappedColumn['setBy']): MappedColumn => ({
  ...{ header, field, setBy, confidence: 1, reason: '', rememberedFrom: null, samples: [] },
  alternatives: [],
});

test('a dialect is restored by what was changed of it', () => {
  const dialect = { encoding: 'utf-8', delimiter: ';', quote: '"', headerRecord: 0 };
  expect(formerDialect(dialect, { headerRecord: 2, delimiter: ',' })).toEqual({
    dialect: { headerRecord: 0, delimiter: ';' },
  });
});

test('a mapping is restored: detected fields are detected again', () => {
  const columns = [
    column('Price', 'price', null),
    column('Dealer', null, 'operator'),
    column('Name', 'title', 'memory'),
  ];
  expect(formerMapping(columns, { Price: null, Dealer: 'price', Name: 'detect', Gone: 'sku' })).toEqual({
    mapping: { Price: 'detect', Dealer: null, Name: 'title', Gone: 'detect' },
  });
});
