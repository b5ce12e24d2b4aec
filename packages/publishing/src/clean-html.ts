import { isAllowedAttribute, isAllowedTag } from './allowed-html.ts';
import { type HtmlAttribute, type HtmlPiece, piecesOf } from './html-pieces.ts';
import { OpenElements } from './open-elements.ts';
import { safeStyle } from './safe-style.ts';

const voidTags = new Set(['br', 'col', 'hr', 'img', 'source', 'wbr']);

/**
 * A description without scripts, event handlers and other active content, which cannot change the page around it.
 * Allowed plain parts are returned character by character; other tags are rewritten from their allowed attributes, or
 * left out. So a browser finds no tag in it that was not checked. Takes linear time.
 */
export function cleanHtml(html: string): string {
  if (!html.includes('<')) return html;
  const open = new OpenElements();
  const parts: string[] = [];
  for (const piece of piecesOf(html)) parts.push(cleanPiece(piece, open));
  return parts.join('') + open.endTags();
}

function cleanPiece(piece: HtmlPiece, open: OpenElements): string {
  if (piece.kind === 'text') open.text();
  if (piece.kind === 'text' || piece.kind === 'comment') return piece.raw;
  const { name } = piece;
  if (!isAllowedTag(name)) return '';
  if (piece.kind === 'end') {
    // Browsers read '</br>' as a line break.
    if (name === 'br') return '<br />';
    if (!open.end(name)) return '';
    return piece.isPlain ? piece.raw : `</${name}>`;
  }
  if (!open.start(name, voidTags.has(name))) return '';
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
