import { expect, test } from 'vitest';
import { firstText, openBytes, textOf } from './testing/read-all.ts';
import { workbookFile } from './testing/workbook-file.ts';

const rows = [
  ['SKU', 'Title', 'Price', 'Since', 'Stock'],
  ['00123', 'Chair, "oak"\nlarge', 12.5, { value: 45352, format: '14' }, true],
  [
    'A_x000D_',
    ' Größe & <Maß> ',
    { value: '12.300000000000001' },
    { value: 45352.604166666664, format: 'yyyy\\-mm\\-dd hh:mm' },
    false,
  ],
];
const text =
  'SKU,Title,Price,Since,Stock\n' +
  '00123,"Chair, ""oak""\nlarge",12.5,2024-03-01,TRUE\n' +
  '"A\r", Größe & <Maß> ,12.3,2024-03-01 14:30:00,FALSE\n';

test.each(['shared', 'inline'] as const)('a sheet with %s texts is CSV', async (texts) => {
  const container = await openBytes(await workbookFile({ sheets: [{ name: 'Preise', rows }], texts }));
  expect(container.kind).toBe('workbook');
  expect(container.tables).toEqual([
    { n: 0, name: 'Preise', kind: 'sheet', hidden: false, active: true, rows: null },
  ]);
  expect(await textOf(container, 0)).toBe(text);
});

test('a line for each row of the sheet, up to the last with content', async () => {
  const data =
    '<row r="3"><c r="C3"><v>1</v></c></row><row r="5"><c r="A5" t="inlineStr"><is><t>x</t></is></c><c r="Z5" s="1"/></row><row r="9"/>';
  expect(await firstText(await workbookFile({ sheets: [{ name: 'A', data }] }))).toBe('\n\n,,1\n\nx\n');
});
