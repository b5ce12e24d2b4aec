import { buildMeta, fileBytesMaxMeta } from '../wire.ts';

type PageSources = {
  /** Only Bull Board's page has a base URI. */
  baseUri?: "'none'" | "'self'";
  /** The nonce of the inline script that Vite adds to the page in development. */
  scriptNonce?: string;
  /** The SHA-256 of the page's inline script, in base64. */
  inlineScript?: string | undefined;
};

/** The content security policy of a page: it connects to its origin only, and shows images of any address in a file. */
export function pagePolicy({ baseUri = "'none'", scriptNonce, inlineScript }: PageSources = {}): string {
  const nonce = scriptNonce === undefined ? '' : ` 'nonce-${scriptNonce}'`;
  const inline = inlineScript === undefined ? '' : ` 'sha256-${inlineScript}'`;
  return [
    "default-src 'self'",
    "img-src 'self' http: https: data: blob:",
    "media-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    `script-src 'self' 'wasm-unsafe-eval'${nonce}${inline}`,
    "worker-src 'self' blob:",
    "connect-src 'self'",
    "object-src 'none'",
    `base-uri ${baseUri}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

type PageFacts = {
  /** Browser and server accept the same files. */
  csvBytesMax: number;
  /** A page notices another build. */
  build: string;
  /** Scripts and style sheets that the page's screen loads. On a slow line they would come a second later. */
  files?: readonly string[];
  /** Addresses of the screen's first reads, which need not wait for its scripts. */
  reads?: readonly string[];
};

/** Fills in index.html for one request. */
export function pageOf(html: string, { csvBytesMax, build, files = [], reads = [] }: PageFacts): string {
  const links = [
    ...reads.map((url) => `<link rel="preload" as="fetch" crossorigin="use-credentials" href="${url}">`),
    // The scripts add the style sheets themselves, in the order that decides between equal selectors.
    ...files.map((file) =>
      file.endsWith('.css')
        ? `<link rel="preload" as="style" crossorigin href="${file}">`
        : `<link rel="modulepreload" crossorigin href="${file}">`,
    ),
  ];
  const page = withMeta(withMeta(html, fileBytesMaxMeta, String(csvBytesMax)), buildMeta, build);
  return page.replace('</head>', `${links.join('')}</head>`);
}

const withMeta = (html: string, name: string, content: string): string =>
  html.replace(new RegExp(`(<meta name="${name}" content=")[^"]*`), `$1${content}`);
