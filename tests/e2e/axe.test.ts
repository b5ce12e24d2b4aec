import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { connectOneDrive, loseLocalFolder } from '../support/connected-folders.ts';
import { keepFolderWorker } from '../support/folder-rows.ts';
import { isLong } from '../support/queue-backend.ts';
import type { VisitOptions } from './browser.ts';
import { lostFocus, refusals } from './loading-focus.ts';
import { smallTargets, violationsOf } from './page-checks.ts';
import { makeImports, states } from './states.ts';
import { expectNoSidewaysScroll, goToAddress, openSession } from './steps.ts';
import { test } from './test.ts';

// Every screen and state: axe-core with all rules on a desk and on a phone, contrast in both schemes, targets under a
// finger, and the focus while buttons load. The short form looks at a twentieth of the states on each device, and
// presses no buttons. The long form also looks at a tablet and at a small phone.

let ids: Record<string, string>;
let stopWorker: () => Promise<void>;
test.beforeAll(async ({ product }) => {
  ids = await makeImports(product.apiUrl);
  stopWorker = await keepFolderWorker(product);
  await connectOneDrive(product, ids.completed);
  await loseLocalFolder(product);
});
test.afterAll(() => stopWorker());

const desk = { width: 1440, height: 900 };
const tablet = { width: 768, height: 1024 };
const phone = { width: 390, height: 844 };
const smallPhone = { width: 320, height: 568 };
/** The tours together take about a minute, on a busy machine and in the long form several. */
const tourMsMax = 600_000;

type Tour = {
  name: string;
  device: VisitOptions;
  look: (page: Page) => Promise<string[]>;
  /** Which of twenty states the short form looks at. */
  twentieth: number;
  /** Names of some of the buttons that are pressed; if absent, none is. */
  presses?: readonly string[];
};

const tours: Tour[] = [
  {
    name: 'on a desk, nothing is against a rule, everything can be read in the dark, and buttons keep the focus',
    device: { viewport: desk },
    twentieth: 0,
    look: async (page) => [
      ...(await violationsOf(page)),
      ...(isLong ? await at(page, tablet, () => violationsOf(page)) : []),
      ...(await inDark(page, () => violationsOf(page, 'color-contrast'))),
    ],
    ...(isLong && { presses: ['Sign In', 'Sign Out', 'Dry Run', 'Save Settings'] }),
  },
  {
    name: 'on a phone, nothing is against a rule, nor too small for a finger',
    device: { viewport: phone, touch: true },
    twentieth: 5,
    look: async (page) => [
      ...(await violationsOf(page)),
      ...(await smallTargets(page.locator('body'))),
      ...(await targetsTooSmallForOneHand(page)),
      ...(isLong ? await at(page, smallPhone, async () => []) : []),
    ],
    ...(isLong && { presses: ['Sign In', 'Save Settings'] }),
  },
];

// Side by side: each waits for the browser most of the time.
test.concurrent.for(tours)(
  '$name',
  { timeout: tourMsMax },
  ({ device, look, twentieth, presses }, { browser }) => {
    const expectedConsole = [
      /status of 404 .*\/api\/queue\/nothing/,
      /Draftshelf: the camera did not start/,
      /status of 409 .*\/api\/scanner\/products\//,
      ...refusals,
    ];
    return browser.visit({ ...device, expectedConsole }, async (page) => {
      const pressed = new Set<string>();
      const seen = isLong ? states : states.filter((_, at) => at % 20 === twentieth);
      const found = await tour(page, seen, {
        look: async () => [...(await look(page)), ...(presses ? await lostFocus(page, pressed) : [])],
        pressed,
      });
      expect(found).toEqual([]);
      expect([...pressed]).toEqual(expect.arrayContaining([...(presses ?? [])]));
    });
  },
);

/**
 * Looks at some states. Returns what `look` finds, each with the state's name. Where nothing was touched, neither for
 * the state nor by pressing a button, the next screen is opened without a page load.
 */
async function tour(
  page: Page,
  seen: typeof states,
  { look, pressed }: { look: () => Promise<string[]>; pressed: ReadonlySet<string> },
): Promise<string[]> {
  const found: string[] = [];
  const add = async (name: string) => {
    await expectNoSidewaysScroll(page);
    for (const one of await look()) found.push(`${name}: ${one}`);
  };
  await page.goto('/login');
  await page.getByLabel('Access Key').waitFor();
  await add('login');
  await openSession(page);
  let needsLoad = true;
  for (const { name, path, reach, isUntouched } of seen) {
    const address = path.replace(/:(\w+)/g, (_match, id: string) => ids[id] ?? 'nothing');
    // The same screen stays while only its query changes.
    const isSame = new URL(address, page.url()).pathname === new URL(page.url()).pathname;
    await (needsLoad || isSame ? page.goto(address) : goToAddress(page, address));
    await reach(page);
    // Nothing is under the pointer: tooltips stand outside of all landmarks.
    await page.mouse.move(0, 0);
    await settled(page);
    const before = pressed.size;
    await add(name);
    // The replies that a state has set up end with it.
    await page.unrouteAll({ behavior: 'wait' });
    needsLoad = isUntouched !== true || pressed.size > before;
  }
  return found;
}

/** The scanner is held in one hand, so that its targets are larger than those of other screens. */
async function targetsTooSmallForOneHand(page: Page): Promise<string[]> {
  if (new URL(page.url()).pathname !== '/scanner') return [];
  const parts = await page.locator('main, [data-actions], [role="dialog"], [role="alertdialog"]').all();
  return (await Promise.all(parts.map((part) => smallTargets(part, 48)))).flat();
}

/** Looks at the same state in another window, which must not scroll sideways either. */
async function at<T>(page: Page, size: typeof desk, look: () => Promise<T>): Promise<T> {
  const before = page.viewportSize() ?? desk;
  await page.setViewportSize(size);
  await settled(page);
  await expectNoSidewaysScroll(page);
  const found = await look();
  await page.setViewportSize(before);
  return found;
}

/** Looks at the same state in the dark scheme, which the page follows at once. */
async function inDark<T>(page: Page, look: () => Promise<T>): Promise<T> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === 'dark');
  await transitionsEnd(page);
  const found = await look();
  await page.emulateMedia({ colorScheme: 'light' });
  await transitionsEnd(page);
  return found;
}

/** Waits until no color is between two schemes. */
function transitionsEnd(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
    return Promise.allSettled(transitions.map(({ finished }) => finished));
  });
}

/** Waits until nothing is a placeholder any more. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root') === null);
}
