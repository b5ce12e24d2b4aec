import type { Package } from '../book/package.ts';
import { onTags, readPart } from '../xml/read-part.ts';
import { rangeOf } from './cell-reference.ts';

/** How many rows a sheet says it has; null if it says nothing before its first row. */
export async function readRowCount(parts: Package, part: string): Promise<number | null> {
  let rows: number | null = null;
  const handler = onTags((name, tag) => {
    if (name === 'dimension') rows = rangeOf(tag.attribute('ref') ?? '')?.toRow ?? null;
    tag.paused ||= name === 'dimension' || name === 'sheetData';
  });
  await readPart(parts.bytes(part), handler);
  return rows;
}
