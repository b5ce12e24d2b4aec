import type { ShownScanned } from '../../api/scanner.ts';

type Measured = Pick<ShownScanned, 'dimensions' | 'weight'>;

/** '10×5×3 in'; null if no side was measured. */
export function dimensionWords({ dimensions: { length, width, height, unit } }: Measured): string | null {
  if (length === 0 && width === 0 && height === 0) return null;
  return `${length}×${width}×${height} ${unit}`;
}

/** '2 lb'; null if it was not weighed. */
export function weightWords({ weight: { value, unit } }: Measured): string | null {
  return value === 0 ? null : `${value} ${unit}`;
}

/** The specification's count. */
export function countWords(count: string): string {
  return `${count} product(s) scanned`;
}
