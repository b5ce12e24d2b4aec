/**
 * Control characters, characters without a width, and those that change the direction of text: a person who reads a row
 * does not see them, a model does.
 */
const unseen = /[\p{Cc}\p{Cf}\u115F\u1160\u3164\uFFA0]/gu;
const tag = /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)|<\/?[a-z][^<>]*>/gi;
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** A value as it is sent: without markup and unseen characters, with single blanks, at most `charsMax` long. */
export function sentText(value: string, charsMax: number): string {
  const text = value
    .slice(0, 20 * charsMax)
    .replace(tag, ' ')
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => entities[name] ?? ' ')
    .replace(/[\t\n\r\v\f\u0085\u2028\u2029]+/g, ' ')
    .replace(unseen, '')
    .replace(/\s+/g, ' ')
    .trim();
  return [...text].slice(0, charsMax).join('').trim();
}
