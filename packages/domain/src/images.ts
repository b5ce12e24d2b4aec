import type { RowValues } from './canonical-fields.ts';

/**
 * The image addresses of a row, first the main one, each once. A cell may hold several, separated by commas,
 * semicolons, bars or spaces. Only http and https count: nothing else can be fetched by the store (decision D8).
 */
export function imageUrls(values: RowValues): string[] {
  const parts = [values.image, values.moreImages]
    .flatMap((cell) => (cell ?? '').split(/[\s,;|]+(?=https?:\/\/)|\n/i))
    .map((part) => part.split(/[,;|]\s/)[0] ?? '')
    .map((part) => part.replace(/[\s,;|]+$/, '').trim())
    .filter((part) => /^https?:\/\//i.test(part))
    .map((part) => part.replaceAll(' ', '%20'));
  return [...new Set(parts)].filter((part) => URL.canParse(part));
}
