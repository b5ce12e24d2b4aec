/**
 * A piece of HTML, as the tokenizer of browsers finds it (https://html.spec.whatwg.org/multipage/parsing.html), in one
 * pass and without a tree. Markup that would swallow the page after it, such as a tag without its '>', is no piece.
 */
export type HtmlPiece =
  | { kind: 'text'; raw: string }
  | { kind: 'start'; raw: string; name: string; attributes: HtmlAttribute[]; isPlain: boolean }
  | { kind: 'end'; raw: string; name: string; isPlain: boolean }
  | { kind: 'comment'; raw: string };

/** `value` as written, with its entities. Null if the attribute has no value. */
export type HtmlAttribute = { name: string; value: string | null };

/** Elements whose content is left out: browsers read it as raw text, or, for 'select', as options. */
const withoutTags = new Set(
  'script style textarea title xmp iframe noembed noframes plaintext select'.split(' '),
);

const tagName = /[a-z][^\t\n\f\r />]*/iy;
const plainEndTag = /^<\/[a-z][a-z0-9]*[\t\n\f\r ]*>$/i;

/** Returns the pieces of `html` in order. Leaves out the content of elements that browsers read as raw text. */
export function* splitHtml(html: string): Generator<HtmlPiece> {
  let at = 0;
  while (at < html.length) {
    const open = openingAt(html, at);
    if (open > at) yield { kind: 'text', raw: closedText(html.slice(at, open)) };
    if (open === html.length) return;
    const piece = markupAt(html, open);
    // The markup is not closed: a browser would take the rest of the page as its content.
    if (!piece) return;
    if (piece.found) yield piece.found;
    at = piece.end;
    if (piece.found?.kind === 'start' && withoutTags.has(piece.found.name)) {
      at = endOfRaw(html, at, piece.found.name);
    }
  }
}

/** Escapes a final '<': if the next piece is left out, the '<' would form a tag with the text after that piece. */
const closedText = (text: string): string => (text.endsWith('<') ? `${text.slice(0, -1)}&lt;` : text);

/** Returns the index of the next tag or comment. A '<' before anything else is text. */
function openingAt(html: string, from: number): number {
  const opening = /<[a-z!/?]/gi;
  opening.lastIndex = from;
  return opening.exec(html)?.index ?? html.length;
}

type Markup = { found: HtmlPiece | null; end: number };

function markupAt(html: string, at: number): Markup | null {
  if (html.startsWith('<!--', at)) return commentAt(html, at);
  const isEnd = html[at + 1] === '/';
  tagName.lastIndex = at + (isEnd ? 2 : 1);
  const name = tagName.exec(html)?.[0].toLowerCase();
  // Browsers read '<!x', '<?x', '</ x' and '<![CDATA[' as comments up to the first '>'.
  if (name === undefined) {
    const close = html.indexOf('>', at + 1);
    return close < 0 ? null : { found: null, end: close + 1 };
  }
  const tag = readAttributes(html, tagName.lastIndex);
  if (!tag) return null;
  const raw = html.slice(at, tag.end);
  const found: HtmlPiece = isEnd
    ? { kind: 'end', raw, name, isPlain: plainEndTag.test(raw) }
    : {
        kind: 'start',
        raw,
        name,
        attributes: tag.attributes,
        isPlain: tag.isPlain && /^[a-z0-9]+$/.test(name),
      };
  return { found, end: tag.end };
}

/** Reads a comment. `found` is null if the comment has angle brackets, because it could end a surrounding element. */
function commentAt(html: string, at: number): Markup | null {
  const empty = ['<!-->', '<!--->'].find((one) => html.startsWith(one, at));
  if (empty) return { found: null, end: at + empty.length };
  const close = /--!?>/g;
  close.lastIndex = at + 4;
  if (!close.exec(html)) return null;
  const end = close.lastIndex;
  const raw = html.slice(at, end);
  const isPlain = raw.endsWith('-->') && !/[<>]/.test(raw.slice(4, -3));
  return { found: isPlain ? { kind: 'comment', raw } : null, end };
}

/** Returns the end of raw content: the element's end tag, or the end of the text if there is none. */
function endOfRaw(html: string, from: number, name: string): number {
  const close = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi');
  close.lastIndex = from;
  return name === 'plaintext' ? html.length : (close.exec(html)?.index ?? html.length);
}

const beforeName = /[\t\n\f\r /]*/y;
const attributeName = /=?[^\t\n\f\r />=]*/y;
const equals = /[\t\n\f\r ]*=[\t\n\f\r ]*/y;
const unquoted = /[^\t\n\f\r >]*/y;

/** Returns null if the tag has no '>'. `isPlain`: all parsers agree on the tag, and no value could end an element. */
function readAttributes(html: string, from: number) {
  const attributes = new Map<string, string | null>();
  let isPlain = true;
  let at = from;
  for (;;) {
    const gap = matchAt(beforeName, html, at);
    at += gap.length;
    if (at >= html.length) return null;
    if (html[at] === '>') {
      isPlain &&= /^[\t\n\f\r ]*\/?$/.test(gap);
      break;
    }
    const name = matchAt(attributeName, html, at).toLowerCase();
    at += name.length;
    isPlain &&= gap !== '' && !gap.includes('/') && /^[a-z_:][a-z0-9_:.-]*$/.test(name);
    isPlain &&= !attributes.has(name);
    const sign = matchAt(equals, html, at);
    at += sign.length;
    const value = sign === '' ? null : valueAt(html, at);
    if (value === undefined) return null;
    at = value?.end ?? at;
    isPlain &&=
      value === null || (!/[<>]/.test(value.text) && (value.isQuoted || /^[^"'=`]+$/.test(value.text)));
    if (!attributes.has(name)) attributes.set(name, value === null ? null : value.text);
  }
  return { attributes: [...attributes].map(([name, value]) => ({ name, value })), isPlain, end: at + 1 };
}

/** Returns undefined if the value's quote is not closed. */
function valueAt(html: string, at: number): { text: string; end: number; isQuoted: boolean } | undefined {
  const quote = html[at];
  if (quote === '"' || quote === "'") {
    const close = html.indexOf(quote, at + 1);
    return close < 0 ? undefined : { text: html.slice(at + 1, close), end: close + 1, isQuoted: true };
  }
  const text = matchAt(unquoted, html, at);
  return { text, end: at + text.length, isQuoted: false };
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
