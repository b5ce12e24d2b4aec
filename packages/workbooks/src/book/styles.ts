import { tooLargeError } from '../container-error.ts';
import { formatLengthMax, stylesMax } from '../limits.ts';
import { createTagHandler } from '../xml/read-part.ts';
import type { XmlHandler } from '../xml/xml-scanner.ts';
import { type NumberFormat, parseNumberFormat } from './number-format.ts';
import type { Package } from './package.ts';

/** Returns the format of a cell style, or null if the style shows only a number. */
export type FormatLookup = (style: number) => NumberFormat | null;

/** Reads cell styles. Parses a format code only when a cell uses it: a workbook may have 65,000 unused codes. */
export function createStyleReader(parts: Package): { handler: XmlHandler; formatOf: FormatLookup } {
  const codes = new Map<number, string>();
  const ids: number[] = [];
  const formats: (NumberFormat | null | undefined)[] = [];
  let inCells = false;
  const handler = createTagHandler(
    (name, tag) => {
      if (name === 'cellXfs') inCells = true;
      else if (name === 'numFmt') {
        const id = Number(tag.attribute('numFmtId') ?? Number.NaN);
        // Formats in differential styles come after the cell styles and belong to conditional formatting.
        if (!inCells && !codes.has(id)) {
          codes.set(id, parts.kept(tag.attribute('formatCode', formatLengthMax) ?? 'General'));
        }
      } else if (name === 'xf' && inCells) ids.push(Number(tag.attribute('numFmtId') ?? 0));
      if (codes.size > stylesMax || ids.length > stylesMax) {
        throw tooLargeError(
          'The workbook has too many styles to read. Save the list as CSV and upload that.',
        );
      }
    },
    (name) => {
      // Styles after this element are named styles, not cell styles.
      if (name === 'cellXfs') inCells = false;
    },
  );
  const formatOf = (style: number) => {
    const known = formats[style];
    if (known !== undefined) return known;
    const id = ids[style];
    if (id === undefined) return null;
    const format = parseNumberFormat(id, codes.get(id));
    formats[style] = format;
    return format;
  };
  return { handler, formatOf };
}
