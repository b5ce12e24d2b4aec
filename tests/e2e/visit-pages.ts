import type { Browser, CDPSession, Disposable, Page } from 'playwright-core';

/** What only a new context can set. */
type PageKind = {
  /** The address of the product, without a path. */
  url: string;
  /** A device with a touch screen and no mouse. */
  touch: boolean;
  /** The operator has allowed the camera. Else the browser refuses it. */
  camera: boolean;
};

/** A page for one visit. */
type VisitPage = {
  page: Page;
  /** Makes the page as it was and keeps it for another visit; closes it if that is impossible. */
  release(): Promise<void>;
  close(): Promise<void>;
};

type Kept = { page: Page; session: CDPSession; changes: Changes };

/**
 * Pages whose visit has ended, by their kind. Their renderer has the app compiled and their context has its files in
 * the cache, so that a load takes half the processor time that it takes in a new context.
 */
const kept = new WeakMap<Browser, Map<string, Kept>>();
const keptMax = 4;

const desk = { width: 1440, height: 900 };
const appearance = { colorScheme: 'light', reducedMotion: 'reduce' } as const;

/** Longest time that the steps between two visits may take; a slower page is closed. */
const resetMsMax = 10_000;

/** Returns a page as of a new context, which the visit before may have had. `isNew`: none has had it. */
export async function pageFor(chromium: Browser, kind: PageKind, isNew = false): Promise<VisitPage> {
  const pages = keptOf(chromium);
  const key = JSON.stringify(kind);
  const found = isNew ? undefined : pages.get(key);
  if (found) pages.delete(key);
  const one = found ?? (await newPage(chromium, kind));
  const close = () => one.page.context().close();
  return {
    page: one.page,
    close,
    async release() {
      const isReset = !pages.has(key) && (await reset(one, kind.url).catch(() => false));
      if (!isReset) return close();
      pages.set(key, one);
      const [oldest] = pages;
      if (pages.size > keptMax && oldest) {
        pages.delete(oldest[0]);
        await oldest[1].page.context().close();
      }
    },
  };
}

function keptOf(chromium: Browser): Map<string, Kept> {
  const found = kept.get(chromium) ?? new Map<string, Kept>();
  kept.set(chromium, found);
  return found;
}

async function newPage(chromium: Browser, { url, touch, camera }: PageKind): Promise<Kept> {
  const context = await chromium.newContext({
    baseURL: url,
    viewport: desk,
    hasTouch: touch,
    isMobile: touch,
    locale: 'en-US',
    ...appearance,
  });
  if (!camera) await context.addInitScript(refuseCamera);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  return { page, session, changes: changesOf(page, url) };
}

/** In the page: the answer of a user who blocks the camera. */
function refuseCamera(): void {
  const refused = () => Promise.reject(new DOMException('Permission denied', 'NotAllowedError'));
  // Plain http addresses have no such object.
  if (navigator.mediaDevices) navigator.mediaDevices.getUserMedia = refused;
}

/** What a visit does to its page that a load does not undo. */
type Changes = {
  /** Something that nothing undoes. */
  isLasting: boolean;
  scripts: Disposable[];
  listeners: Parameters<Page['off']>[];
};

function changesOf(page: Page, url: string): Changes {
  const changes: Changes = { isLasting: false, scripts: [], listeners: [] };
  const last = () => {
    changes.isLasting = true;
  };
  const context = page.context();
  context.on('page', last);
  const { origin } = new URL(url);
  page.on('framenavigated', (frame) => {
    if (/^https?:/.test(frame.url()) && new URL(frame.url()).origin !== origin) last();
  });
  before(page, ['on', 'once', 'addListener'], (...listener) =>
    changes.listeners.push(listener as Parameters<Page['off']>),
  );
  const addScript = page.addInitScript.bind(page) as (...given: unknown[]) => Promise<Disposable>;
  page.addInitScript = async (...given: unknown[]) => {
    const script = await addScript(...given);
    changes.scripts.push(script);
    return script;
  };
  before(page, ['addLocatorHandler', 'exposeBinding', 'exposeFunction', 'routeWebSocket'], last);
  before(page, ['setDefaultNavigationTimeout', 'setDefaultTimeout', 'setExtraHTTPHeaders'], last);
  before(context, ['addInitScript', 'exposeBinding', 'exposeFunction', 'grantPermissions'], last);
  before(context, ['newCDPSession', 'route', 'routeWebSocket'], last);
  before(context, ['setExtraHTTPHeaders', 'setGeolocation', 'setOffline'], last);
  before(context.clock, ['install', 'setFixedTime', 'setSystemTime'], last);
  return changes;
}

/** Calls `tell` before each call of these methods of one object. */
function before<T extends object>(
  owner: T,
  names: (keyof T)[],
  tell: (...given: unknown[]) => unknown,
): void {
  for (const name of names) {
    const method = owner[name] as (...given: unknown[]) => unknown;
    owner[name] = ((...given: unknown[]) => {
      tell(...given);
      return method.apply(owner, given);
    }) as T[keyof T];
  }
}

/** Undoes what a visit has done to its page; returns whether that is possible. */
async function reset({ page, session, changes }: Kept, url: string): Promise<boolean> {
  const context = page.context();
  if (changes.isLasting || page.isClosed()) return false;
  for (const listener of changes.listeners.splice(0)) page.off(...listener);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await Promise.all(changes.scripts.splice(0).map((script) => script.dispose()));
  // A file of the origin that runs nothing, so that nothing is stored after this.
  const reply = await page.goto(`${url}/icon.svg`, { timeout: resetMsMax });
  if (!reply?.ok()) return false;
  await page.evaluate(removeStored);
  await context.clearCookies();
  await page.goto('about:blank', { timeout: resetMsMax });
  await session.send('Page.resetNavigationHistory');
  await page.mouse.move(-1, -1);
  await page.setViewportSize(desk);
  await page.emulateMedia({ media: null, contrast: null, forcedColors: null, ...appearance });
  return !changes.isLasting;
}

/** In the page. */
async function removeStored(): Promise<void> {
  localStorage.clear();
  sessionStorage.clear();
  for (const name of await caches.keys()) await caches.delete(name);
  for (const { name } of await indexedDB.databases()) {
    if (name === undefined) continue;
    await new Promise<void>((resolve, reject) => {
      const removal = indexedDB.deleteDatabase(name);
      removal.onsuccess = () => resolve();
      removal.onerror = () => reject(removal.error);
    });
  }
}
