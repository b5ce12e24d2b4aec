import type { LiveProduct, SelectedOption } from './live-product.ts';

/** Returns the name of a variant: its option values, or '' for the only variant of a product without options. */
export const variantName = ({ options }: { options: readonly SelectedOption[] }): string =>
  options
    .map(({ value }) => value)
    .filter((value) => value !== 'Default Title')
    .join(' / ');

/** Returns the options of a variant for comparison and display, or '' if the product has no options. */
export const optionsText = ({ options }: { options: readonly SelectedOption[] }): string =>
  options
    .filter(({ value }) => value !== 'Default Title')
    .map(({ name, value }) => `${name}: ${value}`)
    .join(', ');

/** Returns the options of a product with their values, for comparison and display. */
export const productOptionsText = ({ options }: { options: LiveProduct['options'] }): string =>
  options.map(({ name, values }) => `${name}: ${values.join(', ')}`).join('; ');

/** Returns the name of a variant's field, unique within the product. */
export const variantFieldName = (variant: string, field: string): string =>
  variant === '' ? field : `${variant} · ${field}`;

/** Returns whether a name from `variantFieldName` contains a variant's name. */
export const hasVariantName = (name: string): boolean => name.includes(' · ');

/** Returns whether a name from `variantFieldName` is the name of a price. */
export const isPriceFieldName = (name: string): boolean => name === 'price' || name.endsWith(' · price');
