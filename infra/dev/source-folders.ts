import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const scope = '@draftshelf/';
const Manifest = z.object({ dependencies: z.record(z.string(), z.string()).default({}) });

/** The folders whose files a program loads, relative to `root`: its own and those of the packages it depends on. */
export function sourceFolders(root: string, folder: string): string[] {
  const folders = new Set([folder]);
  for (const one of folders) {
    const manifest = Manifest.parse(JSON.parse(readFileSync(path.join(root, one, 'package.json'), 'utf8')));
    for (const name of Object.keys(manifest.dependencies)) {
      if (name.startsWith(scope)) folders.add(`packages/${name.slice(scope.length)}`);
    }
  }
  return [...folders].map((one) => `${one}/src`);
}
