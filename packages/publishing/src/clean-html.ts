import { Parser } from 'htmlparser2';
import sanitizeHtml, { type IOptions } from 'sanitize-html';

/** What a product description may be made of: text, lists, tables, pictures and embedded videos. */
const allowed: IOptions = {
  allowedTags: [
    ...sanitizeHtml.defaults.allowedTags,
    'img',
    'picture',
    'source',
    'video',
    'iframe',
    'font',
    'center',
    'details',
    'summary',
    'del',
    'ins',
    'strike',
  ],
  allowedAttributes: {
    '*': [
      'class',
      'id',
      'style',
      'title',
      'lang',
      'dir',
      'align',
      'valign',
      'width',
      'height',
      'role',
      'aria-*',
      'data-*',
    ],
    a: ['href', 'name', 'target', 'rel'],
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
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https', 'data'] },
  allowedIframeHostnames: ['www.youtube.com', 'www.youtube-nocookie.com', 'player.vimeo.com'],
  // Styles are kept as they are; a browser runs nothing from them.
  parseStyleAttributes: false,
};

/**
 * A description without scripts, event handlers and other active content. HTML that has none is returned as it is,
 * character by character, so that cleaning changes no product that was pushed before.
 */
export function cleanHtml(html: string): string {
  if (!html.includes('<')) return html;
  const clean = sanitizeHtml(html, allowed);
  return contentOf(clean) === contentOf(html) ? html : clean;
}

/** The tags, attributes and texts of HTML, however it is written. */
function contentOf(html: string): string {
  const parts: string[] = [];
  let text = '';
  const flush = () => {
    parts.push(text);
    text = '';
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      flush();
      const sorted = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
      parts.push(JSON.stringify([name, sorted]));
    },
    onclosetag(name) {
      flush();
      parts.push(`/${name}`);
    },
    ontext(more) {
      text += more;
    },
  });
  parser.end(html);
  flush();
  return parts.join('\n');
}
