import type { SilentFields, SilentVariantField } from '@draftshelf/domain/products/draft-product';
import { type DriftedField, driftedFields, type VariantKey } from './drifted-fields.ts';
import { type SaidVariantFields, variantFieldList } from './fields.ts';
import { type ComparedPart, comparedPartNames, comparedParts, type LiveProduct } from './live-product.ts';

/** The field of a variant in the store, and of an intended one, for each field of a draft's variant. */
export const liveFields = {
  ...Object.fromEntries(variantFieldList.flatMap(({ draft, key }) => (draft ? [[draft, key]] : []))),
  inventory_quantity: 'quantity',
} as Record<SilentVariantField, keyof SaidVariantFields | 'quantity'>;

/** The compared parts that the file lacks. */
export const silentParts = (silent: SilentFields | undefined): ComparedPart[] =>
  comparedPartNames.filter((part) => {
    const { draft } = comparedParts[part];
    return draft !== undefined && silent?.ofOurs.product.includes(draft);
  });

export const silentInAll = (silent: SilentFields | undefined): SilentVariantField[] =>
  silent?.ofOurs.variants.reduce((common, fields) => common.filter((field) => fields.includes(field))) ?? [];

/** The fields that differ from an earlier state. `ignored`: the file is silent about them; no question arises. */
export function driftBeside(
  live: LiveProduct,
  earlier: LiveProduct,
  silent: SilentFields | undefined,
): { drifted: DriftedField[]; ignored: DriftedField[] } {
  const parts = silentParts(silent);
  const keys = silentKeys(silent);
  const isSilent = {
    part: (part: ComparedPart) => parts.includes(part),
    key: (key: VariantKey) => keys.includes(key),
  };
  return {
    drifted: driftedFields(live, earlier, {
      part: (part) => !isSilent.part(part),
      key: (key) => !isSilent.key(key),
    }),
    ignored: silent
      ? driftedFields(live, earlier, isSilent).filter(({ change }) => change === undefined)
      : [],
  };
}

export const silentKeys = (silent: SilentFields | undefined): VariantKey[] => [
  ...silentInAll(silent).flatMap((field) => {
    const key = liveFields[field];
    return key === 'quantity' ? [] : [key];
  }),
  ...(silentParts(silent).includes('options') ? (['options'] as const) : []),
];
