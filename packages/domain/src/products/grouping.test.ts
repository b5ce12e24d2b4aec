import { describe, expect, it } from 'vitest';
import type { RowValues } from '../base/canonical-fields.ts';
import { mapHeaders } from '../reading/mapping/header-mapping.ts';
import { readRowValues } from '../reading/row-values.ts';
import { addsOnlyImage, createGrouper, groupingOf, productRowsMax } from './grouping.ts';

const groupingOfHeaders = (headers: string) => groupingOf(mapHeaders(headers.split(',')));
const run = (headers: string, rows: RowValues[]) => {
  const next = createGrouper(groupingOfHeaders(headers));
  return rows.map((values) => next(values));
};
const starts = (headers: string, rows: RowValues[]): string =>
  run(headers, rows)
    .map((row) => (row.startsProduct ? 'S' : '-'))
    .join('');

describe('which files group rows', () => {
  it('groups only with handle, parent or option columns', () => {
    expect(groupingOfHeaders('title,price,sku')).toEqual({ kind: 'none' });
    expect(groupingOfHeaders('handle,title')).toEqual({ kind: 'rows', byHandle: true, byParentSku: false });
    expect(groupingOfHeaders('sku,parent_sku,title')).toEqual({
      kind: 'rows',
      byHandle: false,
      byParentSku: true,
    });
    expect(groupingOfHeaders('title,option1 value')).toEqual({
      kind: 'rows',
      byHandle: false,
      byParentSku: false,
    });
  });

  it('a blank title alone never groups', () => {
    expect(starts('title,price', [{ title: 'A' }, { price: '1' }, {}, { title: 'A' }])).toBe('SSSS');
  });
});

describe('adjacent rows', () => {
  it('belong together by equal handle', () => {
    const rows = [
      { handle: 'lamp', title: 'Lamp' },
      { handle: 'Lamp', price: '2' },
      { handle: 'rug', title: 'Rug' },
      { handle: 'lamp', title: 'Lamp' },
    ];
    expect(starts('handle,title,price', rows)).toBe('S-SS');
    const keys = run('handle,title,price', rows).map((row) => row.groupKey);
    expect(keys).toEqual(['handle:lamp', 'handle:lamp', 'handle:rug', 'handle:lamp']);
  });

  it('belong together by title and brand, if the operator has said which column has options', () => {
    const by = { field: 'option1Value', by: 'operator' } as const;
    const mapping = mapHeaders(['Title', 'Brand', '_additional'], [], { _additional: by });
    expect(mapping.optionNames).toEqual({ option1Name: 'additional' });
    const next = createGrouper(groupingOf(mapping));
    const rows = [
      { title: 'Jug', vendor: 'Heide', option1Value: 'Red' },
      { title: 'jug ', vendor: 'Heide', option1Value: 'Blue' },
      { option1Value: 'Green' },
      { title: 'Jug', vendor: 'Other', option1Value: 'Red' },
      { title: 'Cup', vendor: 'Heide' },
      { title: 'Jug', vendor: 'Heide', option1Value: 'White' },
      // Without an option, nothing says that they are one product.
      { title: 'Jug', vendor: 'Heide' },
      { title: 'Jug', vendor: 'Heide' },
    ].map((values) => next(values));
    expect(rows.map((row) => (row.startsProduct ? 'S' : '-')).join('')).toBe('S--SSSSS');
    expect(rows.slice(6).map(({ groupKey }) => groupKey)).toEqual([null, null]);
    expect(rows[5]?.groupKey).toBe(rows[0]?.groupKey);
    expect(rows[3]?.groupKey).not.toBe(rows[0]?.groupKey);
    // Another key says what belongs together.
    const withHandle = mapHeaders(['Handle', 'Title', '_additional'], [], { _additional: by });
    expect(groupingOf(withHandle)).toEqual({ kind: 'rows', byHandle: true, byParentSku: false });
  });

  it('belong together by parent SKU, with or without a row for the parent', () => {
    const rows = [
      { sku: 'P1', title: 'Coat' },
      { sku: 'P1-S', parentSku: 'P1', title: 'Coat S' },
      { sku: 'P1-M', parentSku: 'p1', title: 'Coat M' },
      { sku: 'Q', title: 'Hat' },
      { sku: 'R-1', parentSku: 'R', title: 'Belt 1' },
      { sku: 'R-2', parentSku: 'R', title: 'Belt 2' },
      { sku: 'P1-L', parentSku: 'P1', title: 'Coat L' },
    ];
    expect(starts('sku,parent_sku,title', rows)).toBe('S--SS-S');
    const found = run('sku,parent_sku,title', rows);
    expect(found[0]).toMatchObject({ groupKey: null, parentKey: 'parent:p1' });
    expect(found[6]).toMatchObject({ groupKey: 'parent:p1', parentKey: null });
  });

  it('belong together by the id of the parent, wherever its row stands', () => {
    const headers = ['id', 'parent_id', 'product_number', 'name', 'price'];
    const sample = [
      ['c1', 'p1', 'C-S', '', '9'],
      ['p1', '', 'C', 'Coat', '9'],
      ['p2', '', 'R', 'Rug', '5'],
      ['c2', 'p1', 'C-M', '', '9'],
    ];
    const mapping = mapHeaders(headers, sample);
    const next = createGrouper(groupingOf(mapping));
    const keys = sample.map((cells) => next(readRowValues(cells, mapping)).groupKey);
    expect(keys).toEqual(['parent:p1', 'parent:p1', 'parent:p2', 'parent:p1']);
    // A file whose rows name the SKU of their parent has no use for ids.
    const bySku = sample.map((cells) => cells.with(1, cells[1] === '' ? '' : 'C'));
    expect(mapHeaders(headers, bySku).parentIds).toBeUndefined();
  });

  it('with the same SKU and no parent are two products', () => {
    expect(
      starts('sku,parent_sku,title', [
        { sku: 'A', title: 'A' },
        { sku: 'A', title: 'A' },
      ]),
    ).toBe('SS');
    expect(
      starts('sku,parent_sku,title', [
        { sku: 'A', parentSku: 'A', title: 'A' },
        { sku: 'A', parentSku: 'A', title: 'A' },
      ]),
    ).toBe('SS');
  });

  it('belong together by parent even if their handles differ', () => {
    const rows = [
      { sku: 'P', handle: 'coat', title: 'Coat' },
      { sku: 'P-S', parentSku: 'P', handle: 'coat-s', title: 'Coat S' },
    ];
    expect(starts('sku,parent_sku,url_key,title', rows)).toBe('S-');
  });

  it('without a title belong to the product before, unless they name another one', () => {
    const rows = [
      { title: 'Rug', option1Value: 'S' },
      { option1Value: 'M' },
      { title: 'Rug', option1Value: 'L' },
    ];
    expect(starts('title,option1 value', rows)).toBe('S-S');
    expect(starts('handle,title', [{ handle: 'a', title: 'A' }, {}, { handle: 'b' }, {}])).toBe('S-S-');
    expect(starts('title,option1 value', [{ option1Value: 'S' }, { option1Value: 'M' }])).toBe('S-');
  });

  it('inherit the title, and the price if they only add an image', () => {
    const found = run('handle,title,price,image', [
      { handle: 'a', title: 'A', price: '5', image: 'http://x/1' },
      { handle: 'a', image: 'http://x/2' },
      { handle: 'a', sku: 'A-2' },
      { handle: 'a', title: 'Other', price: '6' },
    ]);
    expect(found.map((row) => row.inherited)).toEqual([{}, { title: 'A', price: '5' }, { title: 'A' }, {}]);
  });

  it('are split at the store’s limit of variants', () => {
    const next = createGrouper({ kind: 'rows', byHandle: true, byParentSku: false });
    const found = Array.from({ length: productRowsMax * 2 + 1 }, () => next({ handle: 'a', title: 'A' }));
    expect(found.flatMap((row, at) => (row.startsProduct ? [at] : []))).toEqual([
      0,
      productRowsMax,
      productRowsMax * 2,
    ]);
  });

  it('are grouped the same when a new grouper starts at any product', () => {
    const headers = 'handle,sku,parent_sku,title,option1 value';
    const rows: RowValues[] = [
      { handle: 'a', title: 'A' },
      {},
      { handle: 'b', title: 'B', sku: 'B' },
      { sku: 'B1', parentSku: 'B' },
      { option1Value: 'x' },
      { sku: 'C1', parentSku: 'C', title: 'C' },
      { sku: 'C2', parentSku: 'C' },
      { handle: 'd' },
      { title: 'E' },
    ];
    const whole = run(headers, rows);
    for (const [border, row] of whole.entries()) {
      if (row.startsProduct) expect(run(headers, rows.slice(border))).toEqual(whole.slice(border));
    }
    expect(whole.filter((row) => row.startsProduct)).toHaveLength(5);
  });
});

it('recognizes a row that only adds an image', () => {
  expect(addsOnlyImage({ handle: 'a', image: 'http://x/1' })).toBe(true);
  expect(addsOnlyImage({ moreImages: 'http://x/1' })).toBe(true);
  expect(addsOnlyImage({ image: 'http://x/1', sku: 'A' })).toBe(false);
  expect(addsOnlyImage({ handle: 'a' })).toBe(false);
});
