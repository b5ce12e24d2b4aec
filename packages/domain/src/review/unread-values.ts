import type { RowField, RowValues } from '../base/canonical-fields.ts';
import { hsCodeOf } from '../base/hs-code.ts';
import { metafieldProblem } from '../base/metafield-values.ts';
import { fieldOfMetafield, type MappedMetafield } from '../base/metafields.ts';
import { hasUnsentWeight } from '../base/weight.ts';

/** The values of a row that their fields cannot have, so that they are not sent, with a sentence about each. */
export function unreadValues(
  values: RowValues,
  metafields: readonly MappedMetafield[] = [],
): [RowField, string][] {
  const unread: [RowField, string][] = [];
  if (values.weight !== undefined && hasUnsentWeight(values)) {
    unread.push(['weight', 'Weight isn’t sent: it needs a number and a unit that is known.']);
  }
  if (values.hsCode !== undefined && hsCodeOf(values.hsCode) === null) {
    unread.push(['hsCode', 'HS code isn’t sent: it needs 6 to 13 digits.']);
  }
  for (const definition of metafields) {
    const problem = metafieldProblem(values, definition);
    if (problem !== null) unread.push([fieldOfMetafield(definition), `${problem} It isn’t sent.`]);
  }
  return unread;
}
