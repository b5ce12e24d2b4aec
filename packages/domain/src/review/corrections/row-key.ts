import { type CanonicalField, canonicalFields } from '../../base/canonical-fields.ts';

/** `run`: the parse run; `edit`: the row's last edit; `found`: by field, 4 characters of a found value's hash. */
export type RowKey = {
  tag: string;
  row: number;
  place: number;
  run: number;
  edit: number;
  found: Partial<Record<CanonicalField, string>>;
};

/** Returns the part of a key that names an import. Because of its first letter, spreadsheets keep the key as text. */
export const importTag = (importId: string): string => `r${importId.slice(0, 8)}`;

export const idRangeOfTag = (tag: string): [string, string] => [
  `${tag.slice(1)}-0000-0000-0000-000000000000`,
  `${tag.slice(1)}-ffff-ffff-ffff-ffffffffffff`,
];

/** Returns a key as text: 'r1a2b3c4d-3a-1x9-1-3f-52b8hx'. The last character is a checksum. */
export function formatRowKey({ tag, found, ...numbers }: RowKey): string {
  const { row, place, run, edit } = numbers;
  const marks = canonicalFields.map((field, at) => (found[field] ? at.toString(36) + found[field] : ''));
  const parts = [row, place, run, edit].map((number) => number.toString(36));
  const text = [tag, ...parts, marks.join('')].join('-');
  return text + checkOf(text);
}

const parts = /^(r[\da-f]{8})-([\da-z]+)-(-?[\da-z]+)-([\da-z]+)-([\da-z]+)-((?:[\da-z]{5})*)[\da-z]$/;

/** Parses a key. Null if the text is not a key, or if the checksum shows a change. */
export function parseRowKey(text: string): RowKey | null {
  const key = text.trim().toLowerCase();
  const [, tag, row, place, run, edit, marks] = parts.exec(key) ?? [];
  if (tag === undefined || checkOf(key.slice(0, -1)) !== key.at(-1)) return null;
  const number = (digits = '') => Number.parseInt(digits, 36);
  const found = marks?.match(/.{5}/g)?.map((mark) => [canonicalFields[number(mark[0])], mark.slice(1)]);
  return {
    ...{ tag, row: number(row), place: number(place), run: number(run), edit: number(edit) },
    found: Object.fromEntries(found ?? []),
  };
}

function checkOf(text: string): string {
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) sum = (sum * 7 + text.charCodeAt(index)) % 31;
  return sum.toString(36);
}
