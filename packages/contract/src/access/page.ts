import { buildMeta, fileBytesMaxMeta } from '../wire.ts';

type PageSources = {
  /** Only Bull Board's page has a base URI. */
  baseUri?: "'none'" | "'self'";
  /** The nonce of the inline script that Vite adds to the page in development. */
  scriptNonce?: string;
};

/** The content security policy of a page: it connects to its origin only, and shows images of any address in a file. */
export function pagePolicy({ baseUri = "'none'", scriptNonce }: PageSources = {}): string {
  const nonce = scriptNonce === undefined ? '' : ` 'nonce-${scriptNonce}'`;
  return [
    "default-src 'self'",
    "img-src 'self' http: https: data: blob:",
    "media-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    `script-src 'self' 'wasm-unsafe-eval'${nonce}`,
    "worker-src 'self' blob:",
    "connect-src 'self'",
    "object-src 'none'",
    `base-uri ${baseUri}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * The page with the limit of a file's size, so that browser and server accept the same files, and the build, so that
 * a page notices another one.
 */
export function pageOf(html: string, { csvBytesMax, build }: { csvBytesMax: number; build: string }): string {
  return withMeta(withMeta(html, fileBytesMaxMeta, String(csvBytesMax)), buildMeta, build);
}

const withMeta = (html: string, name: string, content: string): string =>
  html.replace(new RegExp(`(<meta name="${name}" content=")[^"]*`), `$1${content}`);
