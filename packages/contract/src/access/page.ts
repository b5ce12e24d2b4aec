import { fileBytesMaxMeta } from '../reading/upload.ts';

type PageSources = {
  /** Only Bull Board's page has a base URI. */
  baseUri?: "'none'" | "'self'";
  /** The nonce of the inline script that Vite adds to the page in development. */
  scriptNonce?: string;
};

/**
 * The content security policy of a page. Browsers connect to the page's origin only, but load images from the URLs in a
 * file.
 */
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

/** The page with a server's file size limit, so that browser and server accept the same files. */
export function pageWithLimit(html: string, csvBytesMax: number): string {
  return html.replace(new RegExp(`(<meta name="${fileBytesMaxMeta}" content=")[^"]*`), `$1${csvBytesMax}`);
}
