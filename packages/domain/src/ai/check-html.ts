import { allowedEntity } from './fold-text.ts';

const blocks = new Set(['p', 'ul', 'ol']);
const inline = new Set(['strong', 'em']);
const tag = /^<(\/?)(p|br|ul|ol|li|strong|em)(\s*\/)?>/;
const markdown = /\*\*|__|```|^[ \t]*(?:#{1,6}|[-*+])[ \t]|^[ \t]*\|[^\n]*\|[ \t]*$/m;

/**
 * The part of a description that is no allowed HTML; null: all of it is. Allowed are p, br, ul, ol, li, strong and em
 * without attributes, closed in order. What passes is unchanged by the cleaning before a push.
 */
export function htmlProblem(html: string): string | null {
  const open: string[] = [];
  for (const { index, 0: start } of html.matchAll(/[<&]/g)) {
    const rest = html.slice(index, index + 40);
    if (start === '&') {
      if (/^&(?:#|[a-z]\w*;)/i.test(rest) && !allowedEntity.test(rest)) return rest;
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

/** Paragraphs and lists are not in paragraphs or in emphasis; items are in lists only. */
function mayOpen(name: string, parent: string | undefined): boolean {
  if (name === 'li') return parent === 'ul' || parent === 'ol';
  if (parent === 'ul' || parent === 'ol') return false;
  return inline.has(name)
    ? !inline.has(parent ?? '') || parent !== name
    : !blocks.has(parent ?? '') && !inline.has(parent ?? '');
}
