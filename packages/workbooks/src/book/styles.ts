import { tooMuch } from '../container-error.ts';
import { formatLengthMax, stylesMax } from '../limits.ts';
import { onTags } from '../xml/read-part.ts';
import type { XmlHandler } from '../xml/xml-scanner.ts';
import { type NumberFormat, numberFormat } from './number-format.ts';
import type { Package } from './package.ts';

/** Reads the format of each cell style: `formats` is filled by the number of the style. */
export function styleReader(parts: Package, formats: (NumberFormat | null)[]): XmlHandler {
  const codes = new Map<number, string>();
  const byId = new Map<number, NumberFormat | null>();
  let inCells = false;
  const formatOf = (id: number) => {
    if (!byId.has(id)) byId.set(id, numberFormat(id, codes.get(id)));
    return byId.get(id) ?? null;
  };
  return onTags(
    (name, tag) => {
      if (name === 'cellXfs') inCells = true;
      else if (name === 'numFmt') {
        const id = Number(tag.attribute('numFmtId') ?? Number.NaN);
        // Those in differential styles come later and belong to conditions.
        if (!inCells && !codes.has(id)) {
          codes.set(id, parts.kept(tag.attribute('formatCode', formatLengthMax) ?? 'General'));
        }
      } else if (name === 'xf' && inCells) {
        formats.push(formatOf(Number(tag.attribute('numFmtId') ?? 0)));
      }
      if (codes.size > stylesMax || formats.length > stylesMax) {
        throw tooMuch('The workbook has too many styles to read. Save the list as CSV and upload that.');
      }
    },
    (name) => {
      // What follows are styles by name, not those of cells.
      if (name === 'cellXfs') inCells = false;
    },
  );
}
