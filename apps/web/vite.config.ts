import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const apiOrigin = `http://localhost:${process.env.PORT ?? '3000'}`;

export default defineConfig({
  plugins: [react()],
  build: {
    // Small assets would become data: URLs, which the api's content security policy refuses for fonts.
    assetsInlineLimit: 0,
    // Source maps are for whoever looks at a fault; they are only loaded with the developer tools open.
    sourcemap: true,
  },
  worker: { format: 'es' },
  server: {
    proxy: { '/api': { target: apiOrigin, changeOrigin: false } },
  },
});
