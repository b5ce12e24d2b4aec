import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const Manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    imports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
  }),
);

const entry = 'index.html';
const shell = 'src/app/layout/shell.tsx';
const login = 'src/features/access/login-page.tsx';

type Screen = { module: string; reads?: readonly string[] };

/**
 * The screens of `apps/web/src/app/router.tsx` by path, with the reads that their first lines wait for. A browser test
 * compares this with what the screens load.
 */
const screens: Readonly<Record<string, Screen>> = {
  '/': { module: 'dashboard/dashboard-page' },
  '/upload': { module: 'upload/upload-page', reads: ['/api/settings'] },
  '/queue': { module: 'queue/queue-page', reads: ['/api/queue'] },
  '/queue/:id': { module: 'import/page/import-page', reads: ['/api/queue/:id?rows=0'] },
  '/history': { module: 'history/history-page' },
  '/suppliers': { module: 'suppliers/suppliers-page', reads: ['/api/suppliers/summaries'] },
  '/suppliers/:id': { module: 'suppliers/supplier-page' },
  '/shopify': { module: 'store/shopify-page' },
  '/scanner': { module: 'scanner/scanner-page' },
  '/settings': { module: 'settings/settings-page', reads: ['/api/settings'] },
};

/** Paths of scripts and style sheets besides those in index.html, and addresses of reads. */
export type ScreenFiles = { files: readonly string[]; reads: readonly string[] };

const none: ScreenFiles = { files: [], reads: [] };

/**
 * Reads the manifest of the build in `webDir`.
 *
 * @returns a function that finds what the screen at `url` loads, or the login without a session
 */
export async function readScreenFiles(
  webDir: string,
): Promise<(url: string, hasSession: boolean) => ScreenFiles> {
  const text = await readFile(join(webDir, '.vite/manifest.json'), 'utf8').catch(() => '{}');
  const manifest = Manifest.parse(JSON.parse(text));
  const filesOf = (modules: readonly string[]): string[] => {
    const needed = new Set(modules);
    // A set also yields what is added during the loop.
    for (const module of needed)
      for (const imported of manifest[module]?.imports ?? []) if (imported !== entry) needed.add(imported);
    const chunks = [...needed].flatMap((module) => manifest[module] ?? []);
    return [...new Set(chunks.flatMap(({ file, css }) => [file, ...css]))].map((file) => `/${file}`);
  };
  const byPath = new Map(
    Object.entries(screens).map(([path, { module, reads = [] }]) => [
      path,
      { files: filesOf([shell, `src/features/${module}.tsx`]), reads },
    ]),
  );
  const ofLogin = { files: filesOf([login]), reads: [] };
  return (url, hasSession) => {
    if (!hasSession) return ofLogin;
    const [path = '', query] = url.split('?');
    const [, screen = '', id = ''] = path.split('/');
    const found = byPath.get(id === '' ? `/${screen}` : `/${screen}/:id`) ?? none;
    // Screens pass a query on to their reads.
    const reads = query === undefined && /^[\w-]*$/.test(id) ? found.reads : [];
    return { files: found.files, reads: reads.map((read) => read.replace(':id', id)) };
  };
}
