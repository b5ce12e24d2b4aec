import { type ComponentType, lazy, Suspense, useLayoutEffect, useState } from 'react';
import { useHasBeenTrue } from './hooks.ts';

// Call `later` and `lazyOverlay` at the top level of a module, because each call creates another component.

type PropsOf<Part> = Part extends ComponentType<infer Props> ? Props : never;

/** Creates a component whose chunk loads when it is first drawn. */
export function later<Chunk, Name extends keyof Chunk>(load: () => Promise<Chunk>, name: Name) {
  const Part = lazily(async () => (await load())[name] as ComponentType);
  return (props: PropsOf<Chunk[Name]>) => <Part {...(props as object)} />;
}

type Opens = { opened: boolean };

/** Creates a dialog that stays mounted once opened, so that it can close with its transition and return the focus. */
export function lazyOverlay<Chunk, Name extends keyof Chunk>(load: () => Promise<Chunk>, name: Name) {
  const Part = lazily(async () => opening((await load())[name] as ComponentType<Opens>));
  return (props: PropsOf<Chunk[Name]> & Opens) =>
    useHasBeenTrue(props.opened) ? <Part {...(props as Opens)} /> : null;
}

function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Part = lazy(async () => ({ default: await loadChunk(load) }));
  return (props: Props) => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  );
}

const opening = (Part: ComponentType<Opens>) => (props: Opens) => (
  <Part {...props} opened={useOpened(props.opened)} />
);

/** Returns `opened` one render late, so that Mantine reads the focused element before the dialog takes the focus. */
function useOpened(opened: boolean): boolean {
  const [isOpened, setOpened] = useState(false);
  useLayoutEffect(() => setOpened(opened), [opened]);
  return isOpened;
}

/** Session storage key of the version to which this tab has been reloaded. */
const reloadedKey = 'draftshelf-reloaded';

/**
 * Loads a chunk. A server update deletes the old chunks, so a failure reloads the tab at `address`, once per version.
 * If the chunk still fails, or the server is down, this throws and the router shows its error page. The event
 * vite:preloadError is not used, because its handler cannot wait for the server.
 */
export async function loadChunk<M>(
  load: () => Promise<M>,
  address = () => location.pathname + location.search,
): Promise<M> {
  try {
    return await load();
  } catch (error) {
    const version = loadedVersion();
    if (sessionStorage.getItem(reloadedKey) === version || !(await isServerThere())) throw error;
    sessionStorage.setItem(reloadedKey, version);
    location.assign(address());
    // A promise that never settles keeps the screen until the browser has loaded the new page.
    return new Promise(() => {});
  }
}

/** Returns the page's version: the URL of its script, which has a hash that changes if any chunk changes. */
const loadedVersion = (): string =>
  document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? '';

/** Maximum wait for the server's answer. The screen does not change meanwhile. */
const answerMsMax = 5000;

function isServerThere(): Promise<boolean> {
  const signal = AbortSignal.timeout(answerMsMax);
  return fetch('/', { method: 'HEAD', cache: 'no-store', signal }).then(
    (response) => response.ok,
    () => false,
  );
}
