import type { LiveProduct, SelectedOption } from './live-product.ts';

/** The name of a variant: its option values; '' for the only one of a product without options. */
export const variantName = ({ options }: { options: readonly SelectedOption[] }): string =>
  options
    .map(({ value }) => value)
    .filter((value) => value !== 'Default Title')
    .join(' / ');

/** The options of a variant as they are compared and shown; '' for the only one of a product without options. */
export const optionsText = ({ options }: { options: readonly SelectedOption[] }): string =>
  options
    .filter(({ value }) => value !== 'Default Title')
    .map(({ name, value }) => `${name}: ${value}`)
    .join(', ');

/** The options of a product with their values, as they are compared and shown. */
export const productOptionsText = ({ options }: { options: LiveProduct['options'] }): string =>
  options.map(({ name, values }) => `${name}: ${values.join(', ')}`).join('; ');

/** The name of a field of a variant, within the variants of a product. */
export const variantFieldName = (variant: string, field: string): string =>
  variant === '' ? field : `${variant} · ${field}`;

/** Whether a name of `variantFieldName` is of a variant among several, or of one with options. */
export const isOfNamedVariant = (name: string): boolean => name.includes(' · ');

/** Whether a name of `variantFieldName` is that of a price. */
export const isPriceOfVariant = (name: string): boolean => name === 'price' || name.endsWith(' · price');
