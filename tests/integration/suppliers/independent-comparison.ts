// Compares two lists of a supplier with nothing of the product: with a reader of CSV and rules of money and text of its
// own.

/** How a file is written, as a person would tell who writes a script for it. */
export type FileForm = {
  encoding: 'utf-8' | 'windows-1252' | 'utf-16le';
  delimiter: string;
  decimalMark: '.' | ',';
  /** The header of each field. */
  headers: Record<Field, string>;
};
export type Field = 'sku' | 'title' | 'price' | 'quantity' | 'brand' | 'tags' | 'code';

type Row = Record<Exclude<Field, 'price' | 'quantity'>, string> & {
  key: string | null;
  price: number | null;
  quantity: number | null;
};

/** The changes of each row of the second list, in order, as 'key: changes'. */
export function compareLists(
  first: { bytes: Uint8Array; form: FileForm },
  second: { bytes: Uint8Array; form: FileForm },
): string[] {
  const then = new Map<string, Row>();
  for (const row of rowsOf(first.bytes, first.form)) {
    if (row.key !== null && !then.has(row.key)) then.set(row.key, row);
  }
  const now = rowsOf(second.bytes, second.form);
  return now.map((row) => {
    const alike = now.filter(({ key }) => key === row.key);
    if (row.key === null) return 'none: unkeyed';
    if (alike.some((other) => differences(other, row).length > 0)) return `${row.key}: doubled`;
    return `${row.key}: ${changesOf(then.get(row.key), row).join(' ')}`;
  });
}

function changesOf(then: Row | undefined, now: Row): string[] {
  if (then === undefined) return ['new'];
  const isOther = then.code !== '' && now.code !== '' && then.code !== now.code;
  if (isOther && letters(then) !== letters(now)) return ['doubtful'];
  const groups = differences(then, now);
  if (groups.length === 0) return ['unchanged'];
  const [a, b] = [then.price, now.price];
  if (a === null || b === null || a === b) return ['changed', ...groups];
  return ['changed', b > a ? 'dearer' : 'cheaper', ...(Math.abs(b - a) > a / 2 ? ['jumped'] : []), ...groups];
}

const letters = ({ title }: Row) => title.toLowerCase().replace(/[^a-z0-9]/g, '');

function differences(a: Row, b: Row): string[] {
  return [
    ...(a.price === b.price ? [] : ['price']),
    ...(a.quantity === b.quantity ? [] : ['stock']),
    ...(a.title === b.title && a.brand === b.brand && a.tags === b.tags ? [] : ['text']),
    ...(a.sku === b.sku && a.code === b.code ? [] : ['codes']),
  ];
}

function rowsOf(bytes: Uint8Array, form: FileForm): Row[] {
  const [header = [], ...records] = recordsOf(new TextDecoder(form.encoding).decode(bytes), form.delimiter);
  return records.map((cells) => {
    const cell = (field: Field) =>
      (cells[header.indexOf(form.headers[field])] ?? '')
        .normalize('NFC')
        .split(/\s+/)
        .filter(Boolean)
        .join(' ');
    const number = (field: Field) => {
      const other = form.decimalMark === '.' ? ',' : '.';
      const digits = cell(field)
        .replace(/[^\d.,]/g, '')
        .replaceAll(other, '')
        .replace(',', '.');
      return digits === '' ? null : Math.round(Number(digits) * 100);
    };
    const digits = cell('code').replace(/\D/g, '');
    const code = digits === '' ? '' : digits.padStart(14, '0');
    const sku = cell('sku');
    const tags = [...new Set(cell('tags').split(/\s*[,;|]\s*/))].sort().join();
    const key = sku ? `s:${sku.toUpperCase()}` : code ? `g:${code}` : null;
    return {
      key,
      sku,
      code,
      tags,
      title: cell('title'),
      brand: cell('brand'),
      ...{ price: number('price'), quantity: number('quantity') },
    };
  });
}

function recordsOf(text: string, delimiter: string): string[][] {
  const records: string[][] = [[]];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (isQuoted && char === '"' && text.charAt(at + 1) === '"') {
      cell += char;
      at += 1;
    } else if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === delimiter || char === '\n')) {
      records.at(-1)?.push(cell);
      cell = '';
      if (char === '\n') records.push([]);
    } else if (isQuoted || char !== '\r') cell += char;
  }
  return records.filter((cells) => cells.length > 0);
}
