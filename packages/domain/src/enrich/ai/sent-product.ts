import { type CanonicalField, optionFields, type RowValues } from '../../base/canonical-fields.ts';
import type { SentProduct } from './answer.ts';
import { canSendOption, findWithheldData, toSentColumn, type WithheldData } from './sent-columns.ts';
import { toSentText } from './sent-text.ts';

/** The maximum length of a sent description. Other values have lower limits. */
export const sentDescriptionCharsMax = 2_000;
const valueCharsMax = 255;
const tagsMax = 30;
const optionValuesMax = 20;

/** Returns values of the first row, all options and some unmapped columns, but no prices, stock, codes or pictures. */
export function toSentProduct(
  rows: readonly RowValues[],
  columns: readonly { name: string; value: string }[],
): SentProduct {
  const first = rows[0] ?? {};
  const own = findWithheldData(rows);
  const text = (field: CanonicalField, charsMax = valueCharsMax) => toSentText(first[field] ?? '', charsMax);
  const tags = (first.tags ?? '').split(',').map((tag) => toSentText(tag, valueCharsMax));
  const sent: Required<SentProduct> = {
    title: text('title'),
    description: text('description', sentDescriptionCharsMax),
    vendor: text('vendor'),
    type: text('type'),
    tags: [...new Set(tags.filter((tag) => tag !== ''))].slice(0, tagsMax),
    options: optionsOf(rows, own),
    columns: columns.flatMap(({ name, value }) => toSentColumn(name, value, own) ?? []),
  };
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value.length > 0));
}

function optionsOf(rows: readonly RowValues[], own: WithheldData): { name: string; values: string[] }[] {
  const found = new Map<string, Set<string>>();
  for (const row of rows) {
    for (const fields of optionFields) {
      const [name, value] = [fields.name, fields.value].map((field) => toSentText(row[field] ?? '', 100));
      if (!name || !value || !canSendOption(value, own)) continue;
      const values = found.get(name) ?? new Set();
      found.set(name, values.size < optionValuesMax ? values.add(value) : values);
    }
  }
  return [...found].map(([name, values]) => ({ name, values: [...values] }));
}
