import { createHash } from 'node:crypto';

/**
 * Our id of a product: a hash of the file's content and the offset of the product's first record in it, so that the
 * same file uploaded twice matches the same products.
 */
export function ourIdOf(sha256: string, byteFrom: number): string {
  return createHash('sha256').update(`${sha256}:${byteFrom}`).digest('hex').slice(0, 32);
}
