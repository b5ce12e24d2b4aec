import { expect, it } from 'vitest';
import { createRowFilter } from './command-columns.ts';
import { mapHeaders } from './header-mapping.ts';

const leftOut = (headers: string, ...rows: string[]) => {
  const cells = rows.map((row) => row.split('|'));
  const isToLeaveOut = createRowFilter(mapHeaders(headers.split('|'), cells).commands);
  return cells.flatMap((row) => (isToLeaveOut(row, row[0] !== '') ? [row.join(' ')] : []));
};

it.each<[string, string[], string[]]>([
  [
    'Handle|Command|Variant Command',
    ['a|MERGE|DELETE', 'b|Ignore|', '|||', 'c||'],
    ['a MERGE DELETE', 'b Ignore ', '   '],
  ],
  ['sku|update_delete', ['a|Update', 'b|Delete', 'c|PartialUpdate', 'd|'], ['b Delete']],
  ['SKU|Listing Action', ['a|Create or Replace (Full Update)', 'b|Delete'], ['b Delete']],
  ['SKU|::record_action', ['a|full_update', 'b|delete'], ['b delete']],
  ['SKU|*Action(SiteID=US,Version=1193)', ['a|Revise', 'b|End'], ['b End']],
  ['SKU|Tags Command|Image Command', ['a|DELETE|REPLACE'], []],
  ['SKU|Action', ['a|Delete', 'b|Cordless'], []],
  ['SKU|Action figure', ['a|Delete'], []],
])('of %s, rows that a command deletes or ignores are left out', (headers, rows, out) => {
  expect(leftOut(headers, ...rows)).toEqual(out);
});
