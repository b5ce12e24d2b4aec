import { optionFields, type RowValues } from '../base/canonical-fields.ts';

type OptionPair = { name: string; value: string };

const cellCharsMax = 500;
const ofBigCommerce = /Type=[^|]*\|Name=([^|]*)\|Value=([^|;]*)/g;

/** Returns the options in a cell such as 'color=Yellow,size=M' or '[Size: 42]', or null if it lists none. */
export function parseOptionPairs(cell: string | undefined): OptionPair[] | null {
  const text = (cell ?? '')
    .trim()
    .replace(/^[[{(]|[\])}]$/g, '')
    .replace(ofBigCommerce, '$1=$2');
  if (text === '' || text.length > cellCharsMax) return null;
  const pairs = text.split(/[,;|\n]/).map((part): OptionPair => {
    const end = part.search(/[:=]/);
    return { name: unquoted(part.slice(0, Math.max(0, end))), value: unquoted(part.slice(end + 1)) };
  });
  const names = new Set(pairs.map(({ name }) => name.toLowerCase()));
  const arePairs = pairs.every(
    ({ name, value }) => isName.test(name) && value !== '' && !value.startsWith('//'),
  );
  return arePairs && names.size === pairs.length && pairs.length <= optionFields.length ? pairs : null;
}

const isName = /^\p{L}[\p{L}\p{N} _-]{0,39}$/u;
const unquoted = (text: string): string => text.trim().replace(/^["']|["']$/g, '');

/** A column lists options if this share of its cells does. */
const shareMin = 0.8;

/** Whether the cells of a column are lists of options. */
export function areOptionLists(cells: readonly (string | undefined)[]): boolean {
  const full = cells.filter((cell) => cell !== undefined && cell.trim() !== '');
  return (
    full.length > 0 && full.filter((cell) => parseOptionPairs(cell) !== null).length >= shareMin * full.length
  );
}

/** Adds the options that a cell lists to a row's values. */
export function setOptions(values: RowValues, cell: string | undefined): void {
  for (const [at, { name, value }] of (parseOptionPairs(cell) ?? []).entries()) {
    const fields = optionFields[at] ?? optionFields[0];
    values[fields.name] = name;
    values[fields.value] = value;
  }
}
