import { isAllowedAttribute, isAllowedTag } from './allowed-html.ts';
import { type HtmlAttribute, type HtmlPiece, piecesOf } from './html-pieces.ts';
import { safeStyle } from './safe-style.ts';

/** Elements may be inside each other this deep. Browsers stop at 512, and the page around a description needs some. */
const depthMax = 256;

const voidTags = new Set(['br', 'col', 'hr', 'img', 'source', 'wbr']);
/** Elements that end by themselves where another one begins or ends. */
const selfEnding = new Set('p li dt dd tr td th thead tbody tfoot caption colgroup rb rt rp rtc'.split(' '));

/**
 * A description without scripts, event handlers and other active content, that leaves the page around it as it is. Every
 * piece of it is either plain and allowed, and returned character by character, or written anew from what is allowed of
 * it, or left out. So browsers find no tag in it that was not checked. Takes time in proportion to the length.
 */
export function cleanHtml(html: string): string {
  if (!html.includes('<')) return html;
  const open = new OpenElements();
  const parts: string[] = [];
  for (const piece of piecesOf(html)) parts.push(cleanPiece(piece, open));
  return parts.join('') + open.endTags();
}

function cleanPiece(piece: HtmlPiece, open: OpenElements): string {
  if (piece.kind === 'text' || piece.kind === 'comment') return piece.raw;
  const { name } = piece;
  if (!isAllowedTag(name)) return '';
  if (piece.kind === 'end') {
    // Browsers read '</br>' as a line break.
    if (name === 'br') return '<br />';
    if (!open.end(name)) return '';
    return piece.isPlain ? piece.raw : `</${name}>`;
  }
  if (!voidTags.has(name) && !open.start(name)) return '';
  const attributes = piece.attributes.flatMap((one) => cleanAttribute(name, one));
  const isUnchanged =
    piece.isPlain &&
    attributes.length === piece.attributes.length &&
    attributes.every((one, at) => one === piece.attributes[at]);
  return isUnchanged ? piece.raw : startTag(name, attributes);
}

/** The attribute itself if it may stay as it is. */
function cleanAttribute(tag: string, attribute: HtmlAttribute): HtmlAttribute[] {
  if (!isAllowedAttribute(tag, attribute)) return [];
  if (attribute.name !== 'style') return [attribute];
  const style = safeStyle(tag, attribute.value ?? '');
  if (style === attribute.value) return [attribute];
  return style === '' ? [] : [{ name: 'style', value: style }];
}

function startTag(name: string, attributes: readonly HtmlAttribute[]): string {
  const written = attributes.map(({ name, value }) =>
    value === null ? ` ${name}` : ` ${name}="${escaped(value)}"`,
  );
  return `<${name}${written.join('')}${voidTags.has(name) ? ' />' : '>'}`;
}

/** An ampersand stays: the value is written with its entities. */
const escaped = (value: string): string =>
  value.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The elements that are open, so that a description ends none of the page around it, and leaves none open. */
class OpenElements {
  /** Null: ended. */
  #names: (string | null)[] = [];
  #placesByName = new Map<string, number[]>();
  #depth = 0;

  /** False if it would be too deep. */
  start(name: string): boolean {
    const isCounted = !selfEnding.has(name);
    if (isCounted && this.#depth >= depthMax) return false;
    if (isCounted) this.#depth += 1;
    const places = this.#placesByName.get(name) ?? [];
    places.push(this.#names.length);
    this.#placesByName.set(name, places);
    this.#names.push(name);
    return true;
  }

  /** False if none is open. */
  end(name: string): boolean {
    const place = this.#placesByName.get(name)?.pop();
    if (place === undefined) return false;
    this.#names[place] = null;
    if (!selfEnding.has(name)) this.#depth -= 1;
    return true;
  }

  /** The end tags that are missing, the innermost first. */
  endTags(): string {
    const missing = this.#names.filter((name) => name !== null && !selfEnding.has(name));
    return missing
      .reverse()
      .map((name) => `</${name}>`)
      .join('');
  }
}
