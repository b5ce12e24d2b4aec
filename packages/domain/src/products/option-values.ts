/** The option values of a variant. An option that the variant does not have is absent. */
export type OptionFields = { option1?: string; option2?: string; option3?: string };

/** Returns the option values of a variant, in the order of its product's options. */
export const optionValuesOf = ({ option1, option2, option3 }: OptionFields) => [option1, option2, option3];

/** Returns the fields for a variant's option values, at most three. An undefined value gets no field. */
export const optionFieldsOf = ([option1, option2, option3]: readonly (
  | string
  | undefined
)[]): OptionFields => ({
  ...(option1 === undefined ? {} : { option1 }),
  ...(option2 === undefined ? {} : { option2 }),
  ...(option3 === undefined ? {} : { option3 }),
});

/** Returns a variant with these option values instead of its own. */
export function setOptionValues<Variant extends OptionFields>(
  { option1: _1, option2: _2, option3: _3, ...rest }: Variant,
  values: readonly (string | undefined)[],
): Omit<Variant, keyof OptionFields> & OptionFields {
  return { ...rest, ...optionFieldsOf(values) };
}
