import type { VariantSetInput } from '../../documents.ts';
import type { LiveVariant } from '../live-product.ts';

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
