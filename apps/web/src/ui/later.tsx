import { type ComponentType, lazy, type ReactNode, Suspense, useLayoutEffect, useState } from 'react';
import { useEver } from './hooks/use-ever.ts';

// Both make components. They are called where modules begin, so each component is made once.

/**
 * A part of a screen whose chunk loads when the part is first drawn. `meanwhile` is in its place until then: always the
 * same, or drawn from the part's properties.
 */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  meanwhile: ReactNode | ((props: P) => ReactNode) = null,
) {
  const Part = lazily(load);
  return (props: P) => (
    <Suspense fallback={typeof meanwhile === 'function' ? meanwhile(props) : meanwhile}>
      <Part {...props} />
    </Suspense>
  );
}

type Opens = { opened: boolean };

/**
 * A dialog, drawer or question whose chunk loads when it first opens. It stays mounted from then on, so that it can
 * close with its transition and return the focus to what had it when `opened` changed.
 */
export function overlay<P extends Opens>(load: () => Promise<ComponentType<P>>) {
  const Part = later(async () => opening(await load()));
  return (props: P) => (useEver(props.opened) ? <Part {...props} /> : null);
}

const opening =
  <P extends Opens>(Part: ComponentType<P>) =>
  (props: P) => <Part {...props} opened={useOpened(props.opened)} />;

/**
 * `opened`, one render later. Mantine returns the focus only to what had it when `opened` changed, and looks at it in
 * an effect: in this render that is before the dialog takes the focus.
 */
function useOpened(opened: boolean): boolean {
  const [isOpened, setOpened] = useState(false);
  useLayoutEffect(() => setOpened(opened), [opened]);
  return isOpened;
}

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
function lazily<P>(load: () => Promise<ComponentType<P>>) {
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
