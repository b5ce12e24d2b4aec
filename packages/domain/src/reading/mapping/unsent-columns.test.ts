import { expect, it } from 'vitest';
import { mapHeaders } from './header-mapping.ts';

const rowsOf = (rows: string[]) => rows.map((row) => row.split('|'));
const unsent = (headers: string, ...rows: string[]) => {
  const { columns, unsent = [] } = mapHeaders(headers.split('|'), rowsOf(rows));
  return unsent.map((one) => [one.field, ...one.columns.map((column) => columns[column]?.header)].join(' '));
};

it.each<[string, string[], string[]]>([
  ['SKU|Name|Price A|Price B', ['A-1|Lamp|10.00|19.00', 'A-2|Mug|4.00|5.00'], ['price Price B']],
  ['SKU|Name|Price|Price', ['A-1|Lamp|10.00|19.00', 'A-2|Mug|4.00|5.00'], ['price Price (2)']],
  ['SKU|Nombre|Precio tienda|Precio web', ['A-1|Mesa|10,00|19,00'], ['price Precio tienda']],
  ['SKU|Name|Preis|Gesamtgewicht', ['A-1|Lampe|10,00|2 kg'], ['weight Gesamtgewicht']],
])('of %s, columns that are not sent are named', (headers, rows, named) => {
  expect(unsent(headers, ...rows)).toEqual(named);
});

it.each<[string, string[]]>([
  ['SKU|Name|Price|Discount %', ['A-1|Lamp|10.00|5', 'A-2|Mug|4.00|10']],
  ['SKU|Name|Price|Length|Width', ['A-1|Lamp|10.00|5.5|7.5']],
  ['SKU|Name|Price|Was', ['A-1|Lamp|10.00|12.00']],
  ['SKU|Name|Price|EAN Karton', ['A-1|Lamp|10.00|14006381333938']],
  ['SKU|Name|Price|Sale price', ['A-1|Lamp|10.00|8.00', 'A-2|Mug|4.00|']],
])('of %s, other columns are not', (headers, rows) => expect(unsent(headers, ...rows)).toEqual([]));

it('kinds of rows tell that variants are not combined, unless something else combines them', () => {
  const rows = rowsOf(['Product|Tote|T|24', 'SKU|Tote S|T-S|', 'Product|Mug|M|16']);
  const apart = (headers: string[], cells = rows) => mapHeaders(headers, cells).variantsApart;
  expect(apart(['Item Type', 'Name', 'SKU', 'Price'])).toBe(0);
  expect(
    apart(['Item Type', 'Name', 'SKU', 'Price'], rowsOf(['Product|Tote|T|24', 'Product|Mug|M|16'])),
  ).toBeUndefined();
  // Handles that no two rows share combine none.
  const withHandle = rowsOf(['Product|Tote|T|24|tote', 'SKU|Tote S|T-S||tote-s', 'Product|Mug|M|16|']);
  expect(apart(['Item Type', 'Name', 'SKU', 'Price', 'Handle'], withHandle)).toBe(0);
  expect(
    apart(
      ['Item Type', 'Name', 'SKU', 'Price', 'Parent SKU'],
      rows.map((row) => [...row, 'T']),
    ),
  ).toBeUndefined();
});
