import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';

const apiOrigin = `http://localhost:${process.env.PORT ?? '3000'}`;

/**
 * The login needs these of what screens share. They get a chunk of their own: in the common chunk, the login would
 * load all of it.
 */
const loginModules =
  /[\\/]components[\\/](?:ActionIcon|Input|InputBase|Title)[\\/]|[\\/]use-uncontrolled|[\\/]brand\.tsx/;

export default defineConfig({
  plugins: [react(), precompress()],
  build: {
    // Small assets would become data: URLs, which the api's content security policy refuses for fonts.
    assetsInlineLimit: 0,
    // Source maps are for whoever looks at a fault; they are only loaded with the developer tools open.
    sourcemap: true,
    // The first chunk is 565 kB before compression, 203 kB of it react-dom. A browser test limits what is sent.
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
