import { expect, test } from 'vitest';
import { pagePolicy, renderPage } from './page.ts';

const production = [
  "default-src 'self'",
  "img-src 'self' http: https: data: blob:",
  "media-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

test('the policy of a page in production', () => {
  expect(pagePolicy()).toBe(production);
});

test('the policy in development allows one more script, by its nonce', () => {
  const development = pagePolicy({ scriptNonce: 'bm9uY2U=' });
  expect(development.replace(" 'nonce-bm9uY2U='", '')).toBe(production);
  expect(development).toContain("script-src 'self' 'wasm-unsafe-eval' 'nonce-bm9uY2U=';");
});

test('the policy of a page with an inline script allows it by its hash', () => {
  const policy = pagePolicy({ inlineScript: 'YWI=' });
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval' 'sha256-YWI=';");
});

test('the page preloads the scripts, style sheets and reads of its screen', () => {
  const files = ['/assets/a.js', '/assets/a.css'];
  expect(renderPage('<head></head>', { csvBytesMax: 9, build: '', files, reads: ['/api/queue'] })).toBe(
    [
      '<head><link rel="preload" as="fetch" crossorigin="use-credentials" href="/api/queue">',
      '<link rel="modulepreload" crossorigin href="/assets/a.js">',
      '<link rel="preload" as="style" crossorigin href="/assets/a.css"></head>',
    ].join(''),
  );
});

test('the page gets the limit and the build of its server', () => {
  const page = '<meta name="csv-bytes-max" content="52428800" /><meta name="draftshelf-build" content="" />';
  expect(renderPage(page, { csvBytesMax: 9, build: 'ab12' })).toBe(
    '<meta name="csv-bytes-max" content="9" /><meta name="draftshelf-build" content="ab12" />',
  );
});
