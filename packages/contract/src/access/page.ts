import { buildMeta, fileBytesMaxMeta } from '../wire.ts';

type PageSources = {
  /** 'self' only for Bull Board's page, which has a <base> element. */
  baseUri?: "'none'" | "'self'";
  /** The nonce of the inline script that Vite adds to the page in development. */
  scriptNonce?: string;
  /** The SHA-256 of the page's inline script, in base64. */
  inlineScript?: string | undefined;
};

/** Returns a page's content security policy: it may connect to its own origin only, and show images from any origin. */
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
  /** The server's CSV_BYTES_MAX, so that the browser refuses the same files. */
  csvBytesMax: number;
  /** The build of the web app in the page. The page compares it with the server's build to detect a newer one. */
  build: string;
  /** Scripts and style sheets to preload for the requested screen. Preloads save a second on a slow connection. */
  files?: readonly string[];
  /** URLs of the screen's first reads to preload, so that the reads start before the scripts have loaded. */
  reads?: readonly string[];
};

/** Fills in index.html for one request: limits, build and preload links. */
export function renderPage(html: string, { csvBytesMax, build, files = [], reads = [] }: PageFacts): string {
  const links = [
    ...reads.map((url) => `<link rel="preload" as="fetch" crossorigin="use-credentials" href="${url}">`),
    // Style sheets are only preloaded. The scripts insert them in order, which decides between equal selectors.
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
