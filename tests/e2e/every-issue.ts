import type { IssueCode } from '@draftshelf/domain/review/issues';

// A file with every kind of issue that a row can have, and the keys that end each.

const columns = [
  ...['Handle', 'Title', 'Price', 'Currency', 'SKU', 'UPC', 'Quantity', 'Brand', 'Type', 'Tags'],
  ...['Image', 'Compare-at Price', 'Cost', 'Option1 Name', 'Option1 Value'],
  ...['Option2 Name', 'Option2 Value', 'Weight', 'Note'],
] as const;
type Cells = Partial<Record<(typeof columns)[number], string>>;

const long = 'word '.repeat(60).trim();
const manyTags = Array.from({ length: 251 }, (_, at) => `t${at}`).join(';');

/** Rows whose values have an issue. Some issues need two rows, or have two. */
const rowsByIssue: readonly (readonly [Cells, ...IssueCode[]])[] = [
  [{ Title: '' }, 'title-missing'],
  [{ Price: '' }, 'price-missing'],
  [{ Price: '' }, 'price-missing'],
  [{ Price: 'ask' }, 'price-not-numeric'],
  [{ Title: long }, 'title-too-long'],
  [{ Title: long }, 'title-too-long'],
  [{ Brand: long }, 'brand-too-long'],
  [{ Type: long }, 'type-too-long'],
  [{ Tags: `sale;${long}` }, 'tag-too-long'],
  [{ SKU: 'S'.repeat(260) }, 'sku-too-long'],
  [{ UPC: '1'.repeat(260) }, 'upc-too-long', 'upc-check-digit'],
  [
    { 'Option1 Name': 'Size', 'Option1 Value': 'S', 'Option2 Name': 'Engraving', 'Option2 Value': long },
    'option-too-long',
  ],
  [{ Tags: manyTags }, 'too-many-tags'],
  [{ SKU: 'TWICE' }],
  [{ SKU: 'TWICE' }, 'duplicate'],
  [{ Price: '0' }, 'price-zero'],
  [{ 'Compare-at Price': '5' }, 'compare-at-below-price'],
  [{ 'Compare-at Price': '6' }, 'compare-at-below-price'],
  [{ Cost: '12' }, 'cost-above-price'],
  [{ Quantity: 'many' }, 'quantity-not-numeric'],
  [{ Quantity: 'some' }, 'quantity-not-numeric'],
  [{ Quantity: '-3' }, 'quantity-negative'],
  [{ Quantity: '' }, 'quantity-missing'],
  [{ Quantity: '10+' }, 'quantity-loose'],
  [{ UPC: '036000291453' }, 'upc-check-digit'],
  [{ UPC: '3.6E+11' }, 'upc-digits-lost'],
  [{ UPC: '036000291452 4006381333931' }, 'upc-two-codes'],
  [{ Image: 'no address' }, 'image-invalid'],
  [{ Image: 'https://drive.google.com/open?id=1' }, 'image-page'],
  [{ Handle: 'same', 'Option1 Name': 'Size', 'Option1 Value': 'S' }, 'same-options'],
  [{ Handle: 'same', 'Option1 Name': 'Size', 'Option1 Value': 's' }, 'same-options'],
  [{ Cost: '#N/A' }, 'formula-error'],
  [{ Cost: '=B2*0.5' }, 'formula-not-calculated'],
  [{ SKU: '2-Jan' }, 'made-a-date'],
  [{ Brand: 'Salt &amp; Sons' }, 'text-cleaned'],
  [{ Brand: 'CafÃ© Sons' }, 'text-garbled'],
  [{ Weight: '250 ml' }, 'value-unread'],
  [{ SKU: 'ELSEWHERE' }, 'in-other-import'],
  [{ Currency: 'EUR' }, 'other-currency'],
  [{ Handle: 'both', SKU: 'BOTH', Currency: 'GBP' }, 'other-currency'],
  [{ Handle: 'both', SKU: 'BOTH', Title: '' }, 'price-repeated'],
  [{ Handle: 'parent', Price: '', Quantity: '' }, 'parent-without-price'],
  [{ Handle: 'parent', 'Option1 Name': 'Size', 'Option1 Value': 'S' }],
];

/** The lines of the file with an issue of their form, from the line that they would be without it. */
const broken: readonly (readonly [(line: string) => string, IssueCode])[] = [
  [(line) => line.replace('Plain', '"Plain" and'), 'bad-quote'],
  // Not in the title, which would be garbled too.
  [(line) => line.replace('Café', 'Caf\xff'), 'invalid-utf8'],
  [(line) => line.replace('Café', 'Caf\0'), 'nul'],
  // In a cell that is no field, because it would be cleaned.
  [(line) => `${line}No\rte`, 'lone-cr'],
  [(line) => `,${line}`, 'extra-separator'],
  [(line) => line.replace(',CAD', 'CAD'), 'missing-separator'],
  [(line) => line.split(',').slice(0, 7).join(','), 'too-few-cells'],
  [(line) => `${line},more,and more`, 'too-many-cells'],
];

const rowsWith = (codes: readonly IssueCode[]) =>
  rowsByIssue.filter(([, ...found]) => found.every((code) => codes.includes(code)));
const brokenWith = (codes: readonly IssueCode[]) => broken.filter(([, code]) => codes.includes(code));

/** As many as the reader needs to know the columns. */
const plainRows = 40;

/** A valid UPC for each row. */
function upcOf(row: number): string {
  const digits = `0400000${String(row).padStart(4, '0')}`;
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** The issues of the last lines, which end in other ways. */
const atEnd: readonly IssueCode[] = ['mixed-line-ends', 'unclosed-quote'];

/** The file with these issues, without the other import that has one of its SKUs. */
export function fileWithIssues(codes: readonly IssueCode[]): Uint8Array<ArrayBuffer> {
  let row = 0;
  const lineOf = (cells: Cells = {}) => {
    row += 1;
    const plain: Cells = {
      ...{
        Handle: `h-${row}`,
        Title: `Plain thing ${row}`,
        Price: '9.50',
        Currency: 'CAD',
        SKU: `EI-${row}`,
      },
      ...{ UPC: upcOf(row), Quantity: '2', Brand: 'Café Zoë' },
    };
    return columns.map((name) => cells[name] ?? plain[name] ?? '').join(',');
  };
  const lines = [
    columns.join(','),
    ...Array.from({ length: plainRows }, () => lineOf()),
    ...rowsWith(codes).map(([cells]) => lineOf(cells)),
    ...brokenWith(codes).map(([change]) => change(lineOf())),
  ];
  const last = [`${lineOf()}\n`, `${lineOf().replace(',Plain', ',"Plain')}\r\n`];
  const hasEnd = atEnd.every((code) => codes.includes(code));
  const text = `${lines.join('\r\n')}\r\n${hasEnd ? last.join('') : ''}`;
  // U+00FF stands for a byte that is no UTF-8.
  return Buffer.concat(
    text.split('\xff').flatMap((part, at) => [...(at > 0 ? [Buffer.of(0xff)] : []), Buffer.from(part)]),
  );
}

/** How many rows of that file have each issue. */
export function issueCounts(codes: readonly IssueCode[]): Partial<Record<IssueCode, number>> {
  const all = [
    ...rowsWith(codes).flatMap(([, ...found]) => found),
    ...brokenWith(codes).map(([, code]) => code),
    ...atEnd.filter((code) => codes.includes(code)),
  ];
  return Object.fromEntries(all.map((code) => [code, all.filter((one) => one === code).length]));
}

/** The other import, which is not pushed yet. */
export const otherFile = 'Title,Price,SKU\nThing elsewhere,5,ELSEWHERE\n';
