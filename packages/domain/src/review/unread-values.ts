import type { RowField, RowValues } from '../base/canonical-fields.ts';
import { findMetafieldProblem } from '../base/metafield-values.ts';
import { fieldOfMetafield, type MappedMetafield } from '../base/metafields.ts';
import { findUnreadableFields } from '../base/simple-fields.ts';
import { hasUnsentWeight } from '../base/weight.ts';
import { findListedOption } from '../products/variant-options.ts';

/** Returns the values of a row that are not sent because they are invalid for their fields, each with a sentence. */
export function findUnsentValues(
  values: RowValues,
  metafields: readonly MappedMetafield[] = [],
): [RowField, string][] {
  const unread: [RowField, string][] = findUnreadableFields(values);
  if (values.weight !== undefined && hasUnsentWeight(values)) {
    unread.push(['weight', 'Weight isn’t sent: it needs a number and a unit that is known.']);
  }
  const listed = findListedOption(values);
  if (listed !== null) {
    const sentence = `SKU isn’t sent: the cell lists a SKU for each of “${listed}”, but these are sent as one variant.`;
    unread.push(['sku', sentence]);
  }
  for (const definition of metafields) {
    const problem = findMetafieldProblem(values, definition);
    if (problem !== null) unread.push([fieldOfMetafield(definition), `${problem} It isn’t sent.`]);
  }
  return unread;
}
