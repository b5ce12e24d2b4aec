import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';

const apiOrigin = `http://localhost:${process.env.PORT ?? '3000'}`;

/** Shared modules that the login needs. They get their own chunk so that the login does not load the common one. */
const loginModules =
  /[\\/]components[\\/](?:ActionIcon|Input|InputBase|Title)[\\/]|[\\/]use-uncontrolled|[\\/](?:brand|color-scheme-switch)\.tsx/;

export default defineConfig({
  plugins: [react(), precompress()],
  build: {
    // Small assets would become data: URLs, which the api's content security policy refuses for fonts.
    assetsInlineLimit: 0,
    // Browsers load source maps only when the developer tools are open.
    sourcemap: true,
    // The first chunk is 565 kB before compression, 203 kB of it react-dom. A browser test limits the bytes sent.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // By default a screen would need 20 to 40 files, each with 0.7 kB of headers.
          groups: [
            { name: 'index', tags: ['$initial'] },
            { name: 'login', test: loginModules },
            { name: 'common', minShareCount: 3 },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  server: {
    proxy: { '/api': { target: apiOrigin, changeOrigin: false } },
  },
});
