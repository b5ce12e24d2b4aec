import { watch } from 'node:fs';
import path from 'node:path';

/** Editors and git write several files, and each more than once. */
const quietMs = 50;

/** Calls `onChange` with the paths of the files below `folder` that were changed, added or removed. */
export function watchFiles(folder: string, onChange: (files: string[]) => void): { close(): void } {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(folder, { recursive: true }, (_, name) => {
    if (name === null) return;
    changed.add(path.join(folder, name));
    clearTimeout(timer);
    timer = setTimeout(() => {
      const files = [...changed];
      changed.clear();
      onChange(files);
    }, quietMs);
  });
  return {
    close() {
      clearTimeout(timer);
      watcher.close();
    },
  };
}
