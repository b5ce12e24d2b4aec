import { type ComponentType, lazy } from 'react';

/** Under this key the tab remembers for which version it has reloaded. */
const reloadedKey = 'draftshelf-reloaded';

/**
 * Loads a chunk. After an update of the server the chunks of the previous version are gone: the tab then reloads at
 * `address`, once per version. If that did not help, or the server is down, the error is thrown and the router shows
 * its error page. Vite's event vite:preloadError is not used, because it cannot wait until the server has answered.
 */
export async function loadChunk<M>(load: () => Promise<M>, address: () => string = here): Promise<M> {
  try {
    return await load();
  } catch (error) {
    const version = loadedVersion();
    if (sessionStorage.getItem(reloadedKey) === version || !(await isServerThere())) throw error;
    sessionStorage.setItem(reloadedKey, version);
    location.assign(address());
    // The screen stays as it is until the browser has the new page.
    return new Promise(() => {});
  }
}

/** A component whose chunk loads when it is first drawn, for what few visits of a screen need. */
export function lazily<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await loadChunk(load) }));
}

const here = () => location.pathname + location.search;

/** The address of the page's script: its hash covers everything that the script may load. */
function loadedVersion(): string {
  return document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? '';
}

function isServerThere(): Promise<boolean> {
  return fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    (answer) => answer.ok,
    () => false,
  );
}
