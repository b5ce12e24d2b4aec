import type { VariantSetInput, WeightInput } from './documents.ts';
import type { LiveVariant, SelectedOption } from './product-state.ts';

/** Values of a variant, of the store or of a draft. An absent one is not known. */
export type VariantValues = Partial<
  Pick<
    LiveVariant,
    'price' | 'compareAtPrice' | 'cost' | 'sku' | 'barcode' | 'inventoryPolicy' | 'tracked' | 'weight'
  >
>;

type VariantField = {
  key: keyof VariantValues;
  /** As the operator sees it. */
  name: string;
  /** The value as it is compared and shown; '' if there is none. */
  text: (variant: VariantValues) => string;
  /** Sets the value of `before` again. */
  restore: (before: LiveVariant, after: LiveVariant) => Omit<VariantSetInput, 'id' | 'optionValues'>;
};

/** An amount as the store shows it: 9 and 9.5 are 9.00 and 9.50. */
function amount(value: string | null | undefined): string {
  const [, whole, cents = ''] = /^(\d+)(?:\.(\d*?)0*)?$/.exec(value ?? '') ?? [];
  return whole === undefined ? (value ?? '') : `${whole}.${cents.padEnd(2, '0')}`;
}

const yesOrNo = (value: boolean | undefined) => (value === undefined ? '' : value ? 'yes' : 'no');

/** The store has 0 for a weight that is not known. */
const earlierWeight = (before: LiveVariant, after: LiveVariant): WeightInput =>
  (before.weight ?? { value: 0, unit: after.weight?.unit ?? 'KILOGRAMS' }) as WeightInput;

/** The fields of a variant that a push sets, except its options and quantity: for plan, push and undo alike. */
export const variantFields: readonly VariantField[] = [
  { key: 'price', name: 'price', text: ({ price }) => amount(price), restore: ({ price }) => ({ price }) },
  {
    key: 'compareAtPrice',
    name: 'compare-at price',
    text: ({ compareAtPrice }) => amount(compareAtPrice),
    restore: ({ compareAtPrice }) => ({ compareAtPrice }),
  },
  {
    key: 'cost',
    name: 'cost',
    text: ({ cost }) => amount(cost),
    restore: ({ cost }) => ({ inventoryItem: { cost } }),
  },
  { key: 'sku', name: 'SKU', text: ({ sku }) => sku ?? '', restore: ({ sku }) => ({ sku: sku ?? '' }) },
  {
    key: 'barcode',
    name: 'UPC',
    text: ({ barcode }) => barcode ?? '',
    restore: ({ barcode }) => ({ barcode: barcode || null }),
  },
  {
    key: 'inventoryPolicy',
    name: 'sell when out of stock',
    text: ({ inventoryPolicy: policy }) => yesOrNo(policy === undefined ? policy : policy === 'CONTINUE'),
    restore: ({ inventoryPolicy }) => ({
      inventoryPolicy: inventoryPolicy === 'CONTINUE' ? 'CONTINUE' : 'DENY',
    }),
  },
  {
    key: 'tracked',
    name: 'tracked',
    text: ({ tracked }) => yesOrNo(tracked),
    restore: ({ tracked }) => ({ inventoryItem: { tracked } }),
  },
  {
    key: 'weight',
    name: 'weight',
    text: ({ weight }) => (weight?.value ? `${weight.value} ${weight.unit.toLowerCase()}` : ''),
    restore: (before, after) => ({
      inventoryItem: { measurement: { weight: earlierWeight(before, after) } },
    }),
  },
];

/** The input of a variant that the store has: a barcode goes before all others, in the place of `ours`. */
export function keepBarcodes(
  input: VariantSetInput,
  { barcodes }: LiveVariant,
  ours: string | null | undefined,
): VariantSetInput {
  const { barcode, ...rest } = input;
  if (barcode === undefined || !barcodes) return input;
  const first = barcodes.find(({ value }) => value === barcode) ?? { type: null, value: barcode ?? '' };
  const others = barcodes.filter(({ value }, at) => value !== barcode && (at > 0 || value !== ours));
  return { ...rest, barcodes: barcode === null ? others : [first, ...others] };
}

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

/** The name of a field of a variant, within the variants of a product. */
export const variantFieldName = (variant: string, field: string): string =>
  variant === '' ? field : `${variant} · ${field}`;
