import type { StoredFile } from './manifest.ts';

/** `1,234 rows`. */
export const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;

/** `12.3 MB`. */
export function sizeOf(stored: readonly { file: StoredFile }[]): string {
  const bytes = stored.reduce((sum, { file }) => sum + file.bytes, 0);
  const [size, unit] = bytes < 1e6 ? [bytes / 1e3, 'kB'] : [bytes / 1e6, 'MB'];
  return `${size.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${unit}`;
}
