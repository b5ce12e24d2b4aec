import { latin1Entities } from '../../base/clean-text.ts';
import { allowedEntityPattern } from './fold-text.ts';

const blocks = new Set(['p', 'ul', 'ol']);
const inline = new Set(['strong', 'em']);
const tag = /^<(\/?)(p|br|ul|ol|li|strong|em)(\s*\/)?>/;
/** Entities that browsers accept without a semicolon, even before further letters, as in 'certi&shyfied'. */
const bareNames = [...latin1Entities, ...'AMP COPY GT LT QUOT REG amp gt lt quot'.split(' ')].join('|');
/** Matches an HTML entity as browsers recognize it. */
export const htmlEntity = new RegExp(`&(?:#|(?:${bareNames})|[A-Za-z][A-Za-z0-9]*;)`);
const entityFirst = new RegExp(`^${htmlEntity.source}`);
const markdown = /\*\*|__|```|^[ \t]*(?:#{1,6}|[-*+])[ \t]|^[ \t]*\|[^\n]*\|[ \t]*$/m;

/** Returns the first forbidden markup, or null. Allowed are p, br, ul, ol, li, strong and em, correctly nested. */
export function findHtmlProblem(html: string): string | null {
  const open: string[] = [];
  for (const { index, 0: start } of html.matchAll(/[<&]/g)) {
    const rest = html.slice(index, index + 40);
    if (start === '&') {
      if (entityFirst.test(rest) && !allowedEntityPattern.test(rest)) return rest;
      continue;
    }
    if (!/^<[\p{L}/!?]/u.test(rest)) continue;
    const [, slash, name = '', selfClosed] = tag.exec(rest) ?? [];
    if (name === '' || (selfClosed !== undefined && name !== 'br')) return rest;
    if (slash === '/') {
      if (name === 'br' || open.pop() !== name) return rest;
    } else if (name !== 'br') {
      if (!mayOpen(name, open.at(-1))) return rest;
      open.push(name);
    }
  }
  if (open.length > 0) return `<${open.at(-1)}>`;
  return markdown.exec(html)?.[0] ?? null;
}

/** Returns whether a tag may open in its parent: no block in a paragraph or emphasis, and list items only in lists. */
function mayOpen(name: string, parent: string | undefined): boolean {
  if (name === 'li') return parent === 'ul' || parent === 'ol';
  if (parent === 'ul' || parent === 'ol') return false;
  if (inline.has(name)) return parent !== name;
  return !blocks.has(parent ?? '') && !inline.has(parent ?? '');
}
