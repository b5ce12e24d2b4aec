import type { RowValues } from './canonical-fields.ts';

/**
 * The image addresses of a row, first the main one, each once. A cell may hold several, separated by commas,
 * semicolons, bars or spaces. Only http and https count: nothing else can be fetched by the store (decision D8).
 */
export function imageUrls(values: RowValues): string[] {
  const urls = [values.image, values.moreImages].flatMap((cell) => urlsIn(cell ?? ''));
  return [...new Set(urls)].filter((url) => URL.canParse(url));
}

/** Where an address begins: at the beginning of the cell or behind a separator. */
const beginning = /(?<![^\s,;|])https?:\/\//gi;
/** Behind this nothing more of an address comes, whatever it is. */
const ending = /\n|[,;|]\s/;
const separator = /[\s,;|]/;

/** Every character is looked at a few times at most: a cell of 1 MiB may hold nothing but separators. */
function urlsIn(cell: string): string[] {
  const begins = Array.from(cell.matchAll(beginning), ({ index }) => index);
  return begins.map((from, at) => {
    const text = cell.slice(from, begins[at + 1]);
    const end = text.search(ending);
    return withoutSeparators(end < 0 ? text : text.slice(0, end)).replaceAll(' ', '%20');
  });
}

function withoutSeparators(text: string): string {
  let end = text.length;
  while (end > 0 && separator.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
