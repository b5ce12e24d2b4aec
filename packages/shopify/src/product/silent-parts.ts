import type { SilentFields, SilentVariantField } from '@draftshelf/domain/products/draft-product';
import { type DriftedField, findDriftedFields, type VariantKey } from './drifted-fields.ts';
import { type IntendedVariantFields, variantFieldList } from './fields.ts';
import { type ComparedPart, comparedPartNames, comparedParts, type LiveProduct } from './live-product.ts';

/** Names of variant fields in the store and in intended variants, by their names in a draft's variant. */
export const liveFieldNames = {
  ...Object.fromEntries(variantFieldList.flatMap(({ draft, key }) => (draft ? [[draft, key]] : []))),
  inventory_quantity: 'quantity',
} as Record<SilentVariantField, keyof IntendedVariantFields | 'quantity'>;

/** Returns the compared parts that the file lacks. */
export const listSilentParts = (silent: SilentFields | undefined): ComparedPart[] =>
  comparedPartNames.filter((part) => {
    const { draft } = comparedParts[part];
    return draft !== undefined && silent?.ofOurs.product.includes(draft);
  });

export const listCommonSilentFields = (silent: SilentFields | undefined): SilentVariantField[] =>
  silent?.ofOurs.variants.reduce((common, fields) => common.filter((field) => fields.includes(field))) ?? [];

/** Returns the fields that differ from an earlier state. `ignored`: changed fields that the file lacks. */
export function splitDrift(
  live: LiveProduct,
  earlier: LiveProduct,
  silent: SilentFields | undefined,
): { drifted: DriftedField[]; ignored: DriftedField[] } {
  const [parts, keys] = [listSilentParts(silent), silentKeys(silent)];
  const drift = (isSilent: boolean) =>
    findDriftedFields(live, earlier, {
      part: (part) => parts.includes(part) === isSilent,
      key: (key) => keys.includes(key) === isSilent,
    });
  const ignored = silent ? drift(true) : [];
  return { drifted: drift(false), ignored: ignored.filter(({ change }) => change === undefined) };
}

/** Returns all fields that the file has, for products whose changes are unknown. */
export function listDriftableFields(silent: SilentFields | undefined): DriftedField[] {
  const [parts, silentOnes] = [listSilentParts(silent), silentKeys(silent)];
  const all = [...variantFieldList.map(({ key }) => key), 'options' as const];
  const keys = all.filter((key) => !silentOnes.includes(key));
  return comparedPartNames
    .filter((part) => !parts.includes(part))
    .map((part) => ({ part, name: part, ...(part === 'variants' && { keys }) }));
}

const silentKeys = (silent: SilentFields | undefined): VariantKey[] => [
  ...listCommonSilentFields(silent).flatMap((field) => {
    const key = liveFieldNames[field];
    return key === 'quantity' ? [] : [key];
  }),
  ...(listSilentParts(silent).includes('options') ? (['options'] as const) : []),
];
