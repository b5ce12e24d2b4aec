import type { RowValues } from './canonical-fields.ts';

/**
 * The image addresses of a row without duplicates, the main image first. A cell may hold several, separated by commas,
 * semicolons, pipes or spaces. Only http and https addresses are returned, because the store fetches nothing else.
 */
export function imageUrls(values: RowValues): string[] {
  const urls = [values.image, values.moreImages].flatMap((cell) => urlsIn(cell ?? ''));
  return [...new Set(urls)].filter((url) => URL.canParse(url));
}

/** The beginning of an address: at the start of the cell or after a separator. */
const beginning = /(?<![^\s,;|])https?:\/\//gi;
/** Always ends an address. */
const ending = /\n|[,;|]\s/;
const separator = /[\s,;|]/;

/** Reads every character only a few times, because a cell may be 1 MiB of separators. */
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

/** Whether pictures may be on an address's host: on any if no hosts are named; a name includes those below it. */
export function isAllowedHost(url: string, hosts: readonly string[]): boolean {
  if (hosts.length === 0) return true;
  const host = new URL(url).hostname.toLowerCase();
  return hosts.some(
    (allowed) => host === allowed.toLowerCase() || host.endsWith(`.${allowed.toLowerCase()}`),
  );
}
