import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Imports of types load nothing. */
const typesOnly = /\b(?:import|export) type\b[^;]*?\bfrom '[^']+'/g;
/** Also modules that are named without an import, such as those of workers. */
const reference = /'(?:(\.{1,2}\/[^']+)|@draftshelf\/([^'/]+)\/([^']+))'/g;

/** The files below `root` that modules load. */
export function loadedFiles(root: string) {
  const known = new Map<string, readonly string[]>();
  const referencesOf = (file: string) => {
    const found = known.get(file) ?? readReferences(root, file);
    known.set(file, found);
    return found;
  };
  return {
    /** All files that `main` loads, with `main`, relative to the root. */
    of(main: string): ReadonlySet<string> {
      const files = new Set([main]);
      for (const file of files) for (const one of referencesOf(file)) files.add(one);
      return files;
    },
    /** Reads these files again the next time. */
    forget(files: readonly string[]): void {
      for (const file of files) known.delete(file);
    },
  };
}

function readReferences(root: string, file: string): string[] {
  const text = textOf(path.join(root, file)).replace(typesOnly, '');
  return [...text.matchAll(reference)].map(([, relative, name, module]) =>
    relative === undefined ? `packages/${name}/src/${module}.ts` : path.join(path.dirname(file), relative),
  );
}

/** Empty for what is no file of the sources, or not yet. */
function textOf(file: string): string {
  try {
    return file.endsWith('.ts') ? readFileSync(file, 'utf8') : '';
  } catch {
    return '';
  }
}
