/** A global id as the Admin API writes it. */
export function gid(type: string, id: number): string {
  return `gid://shopify/${type}/${id}`;
}

/** The number in a global id of the given type; null for other values. */
export function numberOfGid(type: string, text: string): number | null {
  const [, found, digits] = /^gid:\/\/shopify\/(\w+)\/(\d{1,15})$/.exec(text) ?? [];
  return found === type ? Number(digits) : null;
}
