import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

/** Shared modules that the login needs. They get their own chunk so that the login does not load the common one. */
const loginModules =
  /[\\/]components[\\/](?:ActionIcon|Input|InputBase|PasswordInput|Title)[\\/]|[\\/]use-uncontrolled|[\\/]brand\.tsx/;

/** Large modules that few screens need: schemas and their checks, drafts, numbers, tags, scanner. */
const fewModules =
  /[\\/]zod[\\/]|[\\/]domain[\\/]src[\\/](?:base[\\/](?:schema|metafield-values|countries)|products[\\/]draft-product|enrich[\\/]rules[\\/]category-rule|review[\\/]operations[\\/]operation)\.|[\\/](?:preview-words|recipes-drawer|word-diff)\.|[\\/]diff[\\/]libesm[\\/]|[\\/](?:NumberInput|TagsInput|react-number-format|use-pills-reorder)[\\/]|[\\/]features[\\/]scanner[\\/]/;

/**
 * Writes a gzip and a brotli copy of each file, at the highest quality, which the api sends as they are. Browsers
 * accept brotli over HTTPS and on localhost only, so plain HTTP in a local network gets gzip. Fonts are already
 * compressed, and the api fills in index.html for each request.
 */
const compressedCopies = compression({
  include: /\.(?:js|css|svg|json|wasm)$/,
  logLevel: 'silent',
  skipIfLargerOrEqual: false,
});

export default defineConfig({
  plugins: [react(), compressedCopies],
  build: {
    // Small assets would become data: URLs, which the api's content security policy refuses for fonts.
    assetsInlineLimit: 0,
    // The api reads from it which files a screen loads.
    manifest: true,
    // Browsers load source maps only when the developer tools are open.
    sourcemap: true,
    // The first chunk is 448 kB before compression, 207 kB of it react-dom. A browser test limits the bytes sent.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7].[ext]',
        codeSplitting: {
          // By default a screen would need 50 to 90 files, each with 0.7 kB of headers.
          groups: [
            { name: 'index', tags: ['$initial'] },
            { name: 'login', test: loginModules },
            { name: 'common', test: (id) => !fewModules.test(id), minShareCount: 8 },
            { name: 'shared', test: (id) => !fewModules.test(id), minShareCount: 3 },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
});
