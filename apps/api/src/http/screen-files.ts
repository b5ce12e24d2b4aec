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
 * The screens of `apps/web/src/app/router.tsx` by path, with the reads that a screen needs for its first content. A
 * browser test compares `screens` with what the screens load.
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

/** Paths of the scripts and styles that a screen needs besides index.html, and URLs of the screen's first reads. */
export type ScreenFiles = { files: readonly string[]; reads: readonly string[] };

const none: ScreenFiles = { files: [], reads: [] };

/**
 * Reads the manifest of the build in `webDir`. Returns a function that returns the files and reads of the screen at
 * `url`, or those of the login if there is no session.
 */
export async function readScreenFiles(
  webDir: string,
): Promise<(url: string, hasSession: boolean) => ScreenFiles> {
  const text = await readFile(join(webDir, '.vite/manifest.json'), 'utf8').catch(() => '{}');
  const manifest = Manifest.parse(JSON.parse(text));
  const filesOf = (modules: readonly string[]): string[] => {
    const needed = new Set(modules);
    // A Set's iteration also visits modules that the loop adds.
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
    // A query changes the URLs of a screen's reads, so the reads cannot be preloaded.
    const reads = query === undefined && /^[\w-]*$/.test(id) ? found.reads : [];
    return { files: found.files, reads: reads.map((read) => read.replace(':id', id)) };
  };
}
