import type { Row } from '@draftshelf/contract/review/rows';
import { type CanonicalField, canonicalFields } from '@draftshelf/domain/base/canonical-fields';

/** Fields that many products share a value of, before the others. */
const fields: readonly CanonicalField[] = ['vendor', 'type', ...canonicalFields];

/** The first field that one of some rows has a value of; the brand if there is none. */
export function fieldWithValues(rows: readonly Pick<Row, 'values'>[]): CanonicalField {
  return fields.find((field) => rows.some(({ values }) => values[field])) ?? 'vendor';
}
