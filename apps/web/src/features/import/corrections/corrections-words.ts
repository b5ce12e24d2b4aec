import type { Corrections } from '@draftshelf/contract/review/corrections';
import { type LineKind, lineKindNames, lineKinds } from '@draftshelf/domain/review/corrections/line-kinds';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { fieldLabel } from '../mapping/mapping-words.ts';

/** 'This file changes 1,377 cells in 1,204 of 10,000 rows.' */
export function changesWords({ rows, lines, records }: Corrections): string {
  const cells = lines.change ?? 0;
  if (cells === 0) return `Nothing in the ${countOf(records.total, 'row')} of this file is to be changed.`;
  const all = records.total === rows ? '' : ` of ${formatCount(records.total)}`;
  return `This file changes ${countOf(cells, 'cell')} in ${formatCount(rows)}${all} ${records.total === 1 ? 'row' : 'rows'}.`;
}

/** 'Price 900, Brand 12' */
export const fieldsWords = ({ fields }: Corrections): string =>
  fields.map(({ field, changed }) => `${fieldLabel(field)} ${formatCount(changed)}`).join(', ');

/** What is left as it is: how many, and why. */
export const leftWords = ({ lines }: Corrections): { kind: LineKind; count: number; why: string }[] =>
  lineKindNames.flatMap((kind) =>
    kind !== 'change' && lines[kind] ? [{ kind, count: lines[kind], why: lineKinds[kind] }] : [],
  );

/** So much of a column is rarely emptied on purpose. */
const emptiedShare = 0.2;

/** The fields of which many values would be gone. */
export const emptiedWords = ({ fields }: Corrections): string[] =>
  fields
    .filter(({ emptied, filled }) => emptied > emptiedShare * filled)
    .map(
      ({ field, emptied, filled }) =>
        `${fieldLabel(field)} becomes empty in ${formatCount(emptied)} of ${formatCount(filled)} rows.`,
    );

/** What is said of columns from which nothing is taken. */
export function columnWords({ unused, unknown }: Corrections): string[] {
  const named = (names: readonly string[]) => names.map((name) => `‘${name}’`).join(', ');
  return [
    ...(unused.length === 0 ? [] : [`Not used for products, so not changed: ${named(unused)}.`]),
    ...(unknown.length === 0 ? [] : [`Not in the download, so not read: ${named(unknown)}.`]),
  ];
}
