import { type HtmlAttribute, type HtmlPiece, splitHtml } from './html-pieces.ts';
import { OpenElements } from './open-elements.ts';
import { cleanStyle } from './safe-style.ts';

const voidTags = new Set(['br', 'col', 'hr', 'img', 'source', 'wbr']);

/**
 * Returns a description without active content, so that it cannot change the page around it. Allowed plain HTML stays
 * unchanged. Other tags are rewritten, so that a browser finds no unchecked tag. Takes linear time.
 */
export function cleanHtml(html: string): string {
  if (!html.includes('<')) return html;
  const open = new OpenElements();
  const parts: string[] = [];
  for (const piece of splitHtml(html)) parts.push(cleanPiece(piece, open));
  return parts.join('') + open.endTags();
}

function cleanPiece(piece: HtmlPiece, open: OpenElements): string {
  if (piece.kind === 'text') open.text();
  if (piece.kind === 'text' || piece.kind === 'comment') return piece.raw;
  const { name } = piece;
  if (!tags.has(name)) return '';
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

function cleanAttribute(tag: string, attribute: HtmlAttribute): HtmlAttribute[] {
  if (!isAllowedAttribute(tag, attribute)) return [];
  if (attribute.name !== 'style') return [attribute];
  const style = cleanStyle(tag, attribute.value ?? '');
  if (style === attribute.value) return [attribute];
  return style === '' ? [] : [{ name: 'style', value: style }];
}

function startTag(name: string, attributes: readonly HtmlAttribute[]): string {
  const written = attributes.map(({ name, value }) =>
    value === null ? ` ${name}` : ` ${name}="${escaped(value)}"`,
  );
  return `<${name}${written.join('')}${voidTags.has(name) ? ' />' : '>'}`;
}

/** Ampersands are not escaped, because the value still contains its entities. */
const escaped = (value: string): string =>
  value.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Tags that a description may have: text, lists, tables, pictures and embedded videos. */
const tags = new Set(
  `address article aside footer header h1 h2 h3 h4 h5 h6 hgroup main nav section
  blockquote dd div dl dt figcaption figure hr li menu ol p pre ul
  a abbr b bdi bdo br cite code data del dfn em font i ins kbd mark q rb rp rt rtc ruby s samp small span strike strong
  sub sup time u var wbr center details summary
  caption col colgroup table tbody td tfoot th thead tr
  img picture source video iframe`.split(/\s+/),
);

/** Attributes allowed on all tags, without 'id', 'name' and 'data-*', by which scripts of the page find elements. */
const ofAllTags = new Set('class style title lang dir align valign width height role'.split(' '));
const ofTag: Record<string, readonly string[]> = {
  a: ['href', 'target', 'rel'],
  img: ['src', 'srcset', 'sizes', 'alt', 'loading', 'border'],
  source: ['src', 'srcset', 'type', 'media'],
  video: ['src', 'poster', 'controls', 'loop', 'muted'],
  iframe: ['src', 'allow', 'allowfullscreen', 'frameborder'],
  font: ['color', 'face', 'size'],
  table: ['border', 'cellpadding', 'cellspacing', 'summary'],
  td: ['colspan', 'rowspan', 'bgcolor'],
  th: ['colspan', 'rowspan', 'scope', 'bgcolor'],
  ol: ['start', 'type', 'reversed'],
  col: ['span'],
  time: ['datetime'],
};
const addresses = new Set(['href', 'src', 'poster']);

function isAllowedAttribute(tag: string, { name, value }: HtmlAttribute): boolean {
  const isNamed =
    ofAllTags.has(name) ||
    /^aria-[a-z0-9_.-]+$/.test(name) ||
    (Object.hasOwn(ofTag, tag) && ofTag[tag]?.includes(name) === true);
  if (!isNamed) return false;
  if (name === 'srcset')
    return (value ?? '').split(/[\t\n\f\r ]+/).every((part) => isAllowedAddress('img', part));
  return !addresses.has(name) || isAllowedAddress(tag, value ?? '');
}

const schemes = /^(?:https?|mailto|tel):/i;
const videoHosts =
  /^(?:https?:)?\/\/(?:www\.youtube\.com|www\.youtube-nocookie\.com|player\.vimeo\.com)(?:[/?]|$)/i;

/** Accepts a scheme only if it is written without entities: 'java&#115;cript:' is refused. */
function isAllowedAddress(tag: string, written: string): boolean {
  const address = written.replace(/^[\t\n\f\r ]+/, '');
  if (tag === 'iframe') return videoHosts.test(address);
  if (schemes.test(address) || (tag === 'img' && /^data:image\//i.test(address))) return true;
  // A relative address has no colon, and no character that may encode a colon, before its path, query or fragment.
  return /^[^:&\p{Cc}]*(?:[/?#]|$)/u.test(address);
}
