import { type ComponentType, lazy, type ReactNode, Suspense, useLayoutEffect, useState } from 'react';
import { useEver } from './hooks.ts';

// Both make components. Call them at the top level of modules, so that each component is made once.

/** The chunk loads when the part is first drawn. `meanwhile` takes its place until then. */
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

/** Stays mounted once opened, so that it can close with its transition and return the focus. */
export function overlay<P extends Opens>(load: () => Promise<ComponentType<P>>) {
  const Part = later(async () => opening(await load()));
  return (props: P) => (useEver(props.opened) ? <Part {...props} /> : null);
}

const opening =
  <P extends Opens>(Part: ComponentType<P>) =>
  (props: P) => <Part {...props} opened={useOpened(props.opened)} />;

/** One render later: Mantine looks for the focused element in an effect, before the dialog takes the focus. */
function useOpened(opened: boolean): boolean {
  const [isOpened, setOpened] = useState(false);
  useLayoutEffect(() => setOpened(opened), [opened]);
  return isOpened;
}

/** Session storage key of the version for which this tab has reloaded. */
const reloadedKey = 'draftshelf-reloaded';

/**
 * After a server update the old chunks are gone, so the tab reloads at `address`, once per version. If that does not
 * help, or the server is down, it throws and the router shows its error page. Vite's vite:preloadError cannot wait for
 * the server's response.
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

function lazily<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await loadChunk(load) }));
}

const here = () => location.pathname + location.search;

/** The script's hash covers every chunk that it may load. */
const loadedVersion = (): string =>
  document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? '';

/** The operator waits for the answer in front of an unchanged screen. */
const answerMsMax = 5000;

function isServerThere(): Promise<boolean> {
  const signal = AbortSignal.timeout(answerMsMax);
  return fetch('/', { method: 'HEAD', cache: 'no-store', signal }).then(
    (response) => response.ok,
    () => false,
  );
}
