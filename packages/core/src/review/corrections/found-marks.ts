import {
  type CanonicalField,
  canonicalFields,
  type RowValues,
} from '@draftshelf/domain/base/canonical-fields';
import { normalizeCell } from '@draftshelf/domain/review/corrections/compare-cell';
import type { RowKey } from '@draftshelf/domain/review/corrections/row-key';
import { hashText } from '@draftshelf/domain/suppliers/hash-text';
import type { EffectiveRow } from '../effective-rows.ts';

type Values = Pick<EffectiveRow, 'values' | 'sources'>;

/** `lost`: fields whose found value at the time of the download is no longer known. */
export type DownloadedValues = Values & { lost: ReadonlySet<CanonicalField> };

export const hashFoundValue = (text: string): string =>
  (hashText(normalizeCell(text)) % 36 ** 4).toString(36).padStart(4, '0');

export const hashFoundValues = ({ values, sources }: Values): RowKey['found'] =>
  Object.fromEntries(
    canonicalFields.flatMap((field) =>
      sources[field] === 'found' ? [[field, hashFoundValue(values[field] ?? '')]] : [],
    ),
  );

/** Returns the values that a row had when downloaded. Keeps a found value only if its hash equals the key's mark. */
export function restoreFoundValues({ found }: RowKey, now: Values, parsed: RowValues): DownloadedValues {
  const values = { ...now.values };
  const sources = { ...now.sources };
  const lost = new Set<CanonicalField>();
  for (const field of canonicalFields) {
    const mark = found[field];
    if (sources[field] === 'found' && hashFoundValue(values[field] ?? '') !== mark) {
      if (parsed[field] === undefined) delete values[field];
      else values[field] = parsed[field];
      delete sources[field];
    }
    if (mark !== undefined && sources[field] === undefined) lost.add(field);
  }
  return { values, sources, lost };
}
