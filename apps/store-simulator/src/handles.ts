/**
 * The handle that the store makes of a title: letters and digits of any script, the rest is a hyphen; "%%%" gives
 * "product" (facts 6).
 */
export function handleOf(title: string): string {
  const handle = title
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 255);
  return handle || 'product';
}

/** The first free handle from a wish on: trailing digits count up, anything else gets "-1" first (facts 6). */
export function freeHandle(wish: string, isTaken: (handle: string) => boolean): string {
  let handle = wish;
  while (isTaken(handle)) {
    const digits = /\d+$/.exec(handle)?.[0];
    handle = digits
      ? handle.slice(0, -digits.length) + (BigInt(digits) + 1n).toString().padStart(digits.length, '0')
      : `${handle}-1`;
  }
  return handle;
}
