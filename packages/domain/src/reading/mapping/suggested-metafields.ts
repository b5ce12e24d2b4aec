import { findMetafieldUnit, readMetafieldValue } from '../../base/metafield-values.ts';
import { fieldOfMetafield, type MetafieldDefinition, type MetafieldField } from '../../base/metafields.ts';
import { headerCharsMax, headerKey } from './header-words.ts';

/** Lower than the confidence that screens call likely, because the operator decides about metafields. */
const confidence = 0.55;

/** Removes the unit from a header: 'Width (cm)', 'Width in cm'. */
const withoutUnit = (header: string) => header.replace(/\s*(?:[([].*[)\]]|\bin\s+\S+)\s*$/iu, '');

/** Returns the metafields that a column may hold: the names match, and all cells are values of the metafield's type. */
export function suggestMetafields(
  header: string,
  cells: readonly string[],
  definitions: readonly MetafieldDefinition[],
): [MetafieldField, number][] {
  if (definitions.length === 0 || header.length > headerCharsMax) return [];
  const keys = new Set([header, withoutUnit(header)].map(headerKey));
  const filled = cells.filter((cell) => cell.trim() !== '');
  return definitions
    .filter(({ name, key }) => keys.has(headerKey(name)) || keys.has(headerKey(key)))
    .filter((definition) => {
      const unit = findMetafieldUnit(header, definition);
      return filled.every((cell) => 'value' in readMetafieldValue(cell, { ...definition, unit }));
    })
    .map((definition) => [fieldOfMetafield(definition), confidence]);
}
