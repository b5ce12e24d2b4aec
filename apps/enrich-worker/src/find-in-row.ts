import type { FoundValue } from '@draftshelf/database/found-values';

export type LackingRow = {
  row: number;
  cells: readonly string[];
  vendor: string | null;
  image: string | null;
};

const imageTag = /<img[^>]*?\ssrc\s*=\s*["']?(https?:\/\/[^"'\s>]+)/i;
const imageUrl = /https?:\/\/[^\s"'<>|,;]+\.(?:jpe?g|png|webp|gif|avif)(?:\?[^\s"'<>|,;]*)?/i;
/** 'Brand: Threshold' in a text, up to the end of the sentence, line or tag. */
const brandPhrase =
  /\b(?:brand|manufacturer|made by|marke|marque|marca)\s*[:=]\s*([^\s<>.;,|\n][^<>.;,|\n]{0,79})/i;

/**
 * Finds what a row lacks in the row itself: an image address in any of its cells, a brand that a text names. Only
 * what stands there; nothing is asked of the network.
 */
export function findInRow(row: LackingRow): FoundValue[] {
  const found: FoundValue[] = [];
  if (row.image === null) {
    const value = firstMatch(row.cells, imageTag, 1) ?? firstMatch(row.cells, imageUrl, 0);
    if (value)
      found.push({ row: row.row, field: 'image', value: value.replaceAll('&amp;', '&'), source: 'row' });
  }
  if (row.vendor === null) {
    const value = firstMatch(row.cells, brandPhrase, 1)?.trim();
    if (value) found.push({ row: row.row, field: 'vendor', value, source: 'row' });
  }
  return found;
}

function firstMatch(cells: readonly string[], pattern: RegExp, group: number): string | undefined {
  for (const cell of cells) {
    const value = pattern.exec(cell)?.[group];
    if (value) return value;
  }
  return undefined;
}
