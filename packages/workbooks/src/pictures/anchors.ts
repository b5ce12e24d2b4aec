import type { Package } from '../book/package.ts';
import { addressLengthMax, picturesMax, rowsMax } from '../limits.ts';
import type { XmlHandler } from '../xml/xml-scanner.ts';

/** A place in a sheet: a 0-based cell, and how far below the top of its row, in points. */
type Corner = { column: number; row: number; points: number };

/** A picture that lies on a sheet. */
export type AnchoredPicture = { part: string; from: Corner; to: Corner | null };

const emuPerPoint = 12_700;
const decoder = new TextDecoder();

/** Reads the pictures of a drawing. One that lies at a point of the page, not in a cell, belongs to no row. */
export async function readAnchors(parts: Package, drawing: string): Promise<AnchoredPicture[]> {
  const relations = await parts.relations(drawing);
  const found: AnchoredPicture[] = [];
  let corners: { from?: Corner; to?: Corner } = {};
  /** The pictures of an anchor, which names them again as a fallback. */
  let own = new Set<string>();
  let corner: Corner | undefined;
  let text = '';
  const handler: XmlHandler = {
    wantsText: false,
    open(name, tag) {
      if (name.endsWith('Anchor')) {
        corners = {};
        own = new Set();
      } else if (name === 'from' || name === 'to') {
        corner = { column: 0, row: 0, points: 0 };
        corners[name] = corner;
      } else if (name === 'blip') {
        const target = relations.get(tag.attribute('embed') ?? '')?.target;
        const { from, to = null } = corners;
        if (target !== undefined && from && !own.has(target)) {
          own.add(target);
          if (found.length <= picturesMax) found.push({ part: target, from, to });
        }
      }
      text = '';
      handler.wantsText = corner !== undefined;
    },
    close(name) {
      if (name === 'from' || name === 'to') corner = undefined;
      const number = Number(text) || 0;
      if (corner && name === 'col') corner.column = number;
      if (corner && name === 'row') corner.row = Math.min(Math.max(0, number), rowsMax - 1);
      if (corner && name === 'rowOff') corner.points = number / emuPerPoint;
      handler.wantsText = false;
    },
    text(bytes, from, to) {
      if (text.length < addressLengthMax) text += decoder.decode(bytes.subarray(from, to));
    },
  };
  await parts.read(drawing, handler);
  return found;
}
