import { type ComponentType, lazy } from 'react';

/** The session storage key of the version for which this tab has reloaded. */
const reloadedKey = 'draftshelf-reloaded';

/**
 * Loads a chunk. After a server update the previous version's chunks are gone, so the tab reloads at `address`, once
 * per version. If that does not help, or the server is down, the error is thrown and the router shows its error page.
 * Vite's event vite:preloadError cannot be used, because it cannot wait for the server's response.
 */
export async function loadChunk<M>(load: () => Promise<M>, address: () => string = here): Promise<M> {
  try {
    return await load();
  } catch (error) {
    const version = loadedVersion();
    if (sessionStorage.getItem(reloadedKey) === version || !(await isServerThere())) throw error;
    sessionStorage.setItem(reloadedKey, version);
    location.assign(address());
    // Keep the screen until the browser has the new page.
    return new Promise(() => {});
  }
}

/** A component whose chunk loads when it is first drawn. For parts that most visits do not need. */
export function lazily<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await loadChunk(load) }));
}

const here = () => location.pathname + location.search;

/** The URL of the page's script. Its hash covers every chunk that the script may load. */
function loadedVersion(): string {
  return document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? '';
}

/** The operator waits for the answer in front of an unchanged screen. */
const answerMsMax = 5000;

function isServerThere(): Promise<boolean> {
  const signal = AbortSignal.timeout(answerMsMax);
  return fetch('/', { method: 'HEAD', cache: 'no-store', signal }).then(
    (response) => response.ok,
    () => false,
  );
}
