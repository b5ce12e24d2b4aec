import type { DraftVariant } from './draft-product.ts';

type OptionFields = Pick<DraftVariant, 'option1' | 'option2' | 'option3'>;

/** The option values of a variant, in the order of its product's options. */
export const optionValuesOf = ({ option1, option2, option3 }: OptionFields) => [option1, option2, option3];

/** The fields of a variant for its option values, at most three. An option that it does not have is no field. */
export const optionFieldsOf = ([option1, option2, option3]: readonly (
  | string
  | undefined
)[]): OptionFields => ({
  ...(option1 === undefined ? {} : { option1 }),
  ...(option2 === undefined ? {} : { option2 }),
  ...(option3 === undefined ? {} : { option3 }),
});

/** A variant with these option values instead of its own. */
export function withOptionValues(
  { option1: _1, option2: _2, option3: _3, ...rest }: DraftVariant,
  values: readonly (string | undefined)[],
): DraftVariant {
  return { ...rest, ...optionFieldsOf(values) };
}
