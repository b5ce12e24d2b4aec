/** What operators call the parts of a product, where that is not the part's own name. */
const labels: Record<string, string> = { vendor: 'brand', type: 'product type' };

const label = (part: string): string => labels[part] ?? part;
const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** 'title, brand and variants' */
export function partsWords(parts: readonly string[]): string {
  const words = parts.map(label);
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** The heading of a value: its part, or its name within the variants and metafields. */
export function valueLabel({ part, name }: { part: string; name: string }): string {
  if (name === '') return capitalized(label(part));
  return part === 'variants' ? capitalized(name) : `${capitalized(label(part))} ${name}`;
}
