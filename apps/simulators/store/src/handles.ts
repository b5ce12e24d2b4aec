/** Derives a handle from a title: letters and digits of any script, hyphens for others; "product" if none. */
export function handleOf(title: string): string {
  const handle = title
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 255);
  return handle || 'product';
}

/** The first free handle: trailing digits are incremented, other handles get "-1" first. */
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
