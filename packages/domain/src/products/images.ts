import type { RowValues } from '../base/canonical-fields.ts';
import { trimEnds } from '../base/cut-text.ts';
import { photoIdAt } from '../base/photo-address.ts';

/**
 * A picture of a product: an address on the web, or a photo of our own, which the api serves. Rows and drafts keep
 * `src`. A push uploads own photos, because the store cannot load them from the api.
 */
export type Picture = { kind: 'web'; src: string } | { kind: 'own'; src: string; id: string };

/** Returns the picture with this `src`. */
export function toPicture(src: string): Picture {
  const id = photoIdAt(src);
  return id === null ? { kind: 'web', src } : { kind: 'own', src, id };
}

/**
 * Returns the pictures of a row without duplicates, the main picture first. A cell may hold several addresses,
 * separated by commas, semicolons, pipes or spaces. On the web only http and https addresses are pictures, because the
 * store fetches nothing else.
 */
export function picturesOf(values: RowValues): Picture[] {
  const sources = [values.image, values.moreImages].flatMap((cell) => addressesIn(cell ?? ''));
  const direct = sources.flatMap((src) => (mayBePage(src) ? (directAddress(src) ?? []) : src));
  return [...new Set(direct)].map(toPicture).filter(({ kind, src }) => kind === 'own' || URL.canParse(src));
}

/** Services whose share addresses lead to a page about a file. */
const services =
  /\/\/(?:[a-z0-9.-]*\.)?(?:dropbox\.com|drive\.google\.com|docs\.google\.com|photos\.google\.com|photos\.app\.goo\.gl|1drv\.ms|onedrive\.live\.com|sharepoint\.com|icloud\.com|wetransfer\.com|we\.tl|app\.box\.com)\//i;
/** Picture services whose addresses are pages, unless they end like a picture file. */
const picturePages =
  /\/\/(?:www\.|m\.)?(?:imgur\.com|flickr\.com\/photos|flic\.kr|ibb\.co|postimg\.cc|canva\.com|prnt\.sc|pinterest\.[a-z.]+\/pin|pin\.it|instagram\.com)\//i;

/** Caches the last text and its result, because the same text is looked up several times. */
let lastText = '';
let isLastPage = false;

function mayBePage(text: string): boolean {
  if (text !== lastText) [lastText, isLastPage] = [text, services.test(text) || picturePages.test(text)];
  return isLastPage;
}

/** Returns the file's address for a share page of Dropbox (which documents raw=1), null for other pages, else `src`. */
function directAddress(src: string): string | null {
  if (!URL.canParse(src)) return src;
  const url = new URL(src);
  const { hostname, pathname, searchParams } = url;
  if (/(?:^|\.)dropbox\.com$/i.test(hostname)) {
    if (!/^\/(?:s|scl)\//.test(pathname) || searchParams.get('raw') === '1') return src;
    searchParams.delete('dl');
    searchParams.set('raw', '1');
    return url.href;
  }
  if (picturePages.test(src)) return /\.(?:jpe?g|png|gif|webp|avif)$/i.test(pathname) ? src : null;
  const isFile = /^\/(?:uc|thumbnail)$/.test(pathname) || searchParams.has('download');
  return isFile ? src : null;
}

/** Whether a cell has addresses of pages that lead to no picture. Such addresses are not sent. */
const namesPage = (cell: string): boolean =>
  mayBePage(cell) && addressesIn(cell).some((src) => mayBePage(src) && directAddress(src) === null);

/** Whether a cell has the address of a page that leads to a picture. The picture's address is sent instead. */
export const hasShareAddress = (cell: string): boolean =>
  mayBePage(cell) && addressesIn(cell).some((src) => mayBePage(src) && (directAddress(src) ?? src) !== src);

const isUsual = (cell: string): boolean =>
  (cell.startsWith('https://') || cell.startsWith('http://')) && !mayBePage(cell);

const namesPicture = (cell: string): boolean => isUsual(cell) || picturesOf({ image: cell }).length > 0;

/** Returns the issue of a row's pictures, or null. Runs for every row, so a usual address is parsed only once. */
export function findPictureIssue({ image, moreImages }: RowValues): 'image-page' | 'image-invalid' | null {
  const isFine = image === undefined || isUsual(image) || image === '[]';
  if ((!isFine && namesPage(image)) || (moreImages && namesPage(moreImages))) return 'image-page';
  return isFine || namesPicture(image) ? null : 'image-invalid';
}

/** Whether a found value may replace a cell: only in an image field, and only if the cell has no picture. */
export const isReplaceableCell = (field: string, cell: string): boolean =>
  (field === 'image' || field === 'moreImages') && !namesPicture(cell);

/** Returns the web addresses of a row's pictures. */
export function listWebPictures(values: RowValues): string[] {
  return picturesOf(values).flatMap(({ kind, src }) => (kind === 'web' ? [src] : []));
}

/** The beginning of an address: at the start of the cell, after a separator or two colons, or inside quotes. */
const beginning = /(?<=^|[\s,;|"'(<>[{^~+]|::)(?:https?:\/|\/api\/photos)\//gi;
/** The closing mark of an address, keyed by its opening mark. */
const closing: Record<string, string> = { '"': '"', "'": "'", '(': ')', '<': '>', '[': ']' };
const ending = /\n|[,;|]\s/;
const separator = /[\s,;|:^~+]/;
const isSeparator = (char: string): boolean => separator.test(char);

/** Returns the addresses in a JSON or Python list ('["https://…"]'), one per line. Other cells stay unchanged. */
function listed(cell: string): string {
  const text = cell.includes('\\/') ? cell.trim().replaceAll('\\/', '/') : cell.trim();
  if (text.startsWith('[{') || !text.startsWith('[') || !text.endsWith(']')) return text;
  return text
    .slice(1, -1)
    .replaceAll('\\/', '/')
    .replaceAll(/["']\s*,\s*["']/g, '\n')
    .replaceAll(/["']/g, '');
}

/** Returns the addresses in a cell. Reads each character only a few times, as a cell may be 1 MiB of separators. */
function addressesIn(from: string): string[] {
  const cell = listed(from);
  const begins = Array.from(cell.matchAll(beginning), ({ index }) => index);
  return begins.map((begin, at) => {
    const text = cell.slice(begin, begins[at + 1]);
    const mark = closing[cell.charAt(begin - 1)];
    const close = mark === undefined ? -1 : text.indexOf(mark);
    const end = close < 0 ? text.search(ending) : close;
    // An address neither begins nor ends with a separator.
    return trimEnds(end < 0 ? text : text.slice(0, end), isSeparator).replaceAll(' ', '%20');
  });
}

/** Whether a picture's host is in `hosts` or a subdomain of one. True for own photos, and for all if `hosts` is []. */
export function isAllowedHost(picture: Picture, hosts: readonly string[]): boolean {
  if (hosts.length === 0 || picture.kind === 'own') return true;
  const host = new URL(picture.src).hostname.toLowerCase();
  return hosts.some((allowed) => `.${host}`.endsWith(`.${allowed.toLowerCase()}`));
}
