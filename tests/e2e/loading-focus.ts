import type { ElementHandle, Page, Route } from 'playwright-core';
import { waitMsMax } from './browser.ts';

type Control = ElementHandle<HTMLElement>;

/** No server answers with this status, so that the page's other errors are not mistaken for it. */
const refusedStatus = 599;
const refused = 'Refused by the test.';

/** What the page reports in the console when its calls are refused. */
export const refusals = [new RegExp(`status of ${refusedStatus} `), new RegExp(`Draftshelf: .*${refused}`)];

/**
 * Presses every control of a page that can load, by keyboard, and refuses its call while the control loads. Returns one
 * sentence for each that loses the focus, or that does not load at all. Skips the
 * names in `seen`, which other states have shown, and adds the others to it.
 */
export async function lostFocus(page: Page, seen: Set<string>): Promise<string[]> {
  const found: string[] = [];
  const pressed: string[] = [];
  const controls = await page
    .locator('button[aria-busy="false"]:not([aria-disabled]):visible')
    .elementHandles();
  for (const control of controls as Control[]) {
    const name = await control.evaluate((one) => one.textContent || (one.getAttribute('aria-label') ?? ''));
    if (seen.has(name) || !(await control.evaluate((one) => one.isConnected))) continue;
    pressed.push(name);
    const lost = await pressHeld(page, control).catch((error: Error) => `did not load: ${error.message}`);
    if (lost !== null) found.push(`"${name}" ${lost}`);
  }
  for (const name of pressed) seen.add(name);
  return found;
}

/**
 * Where the focus is, as seen from a control; null: on it, or on another one if it is gone. A question that closes
 * returns the focus in a task of its own, so this waits until the control has it.
 */
async function focusAt(page: Page, control: Control): Promise<'nowhere' | 'elsewhere' | null> {
  const isKept = (one: HTMLElement) => {
    const { activeElement, body } = document;
    return activeElement !== null && activeElement !== body && (activeElement === one || !one.isConnected);
  };
  const kept = page.waitForFunction(isKept, control, { timeout: waitMsMax });
  return kept.then(
    () => null,
    () => control.evaluate(() => (document.activeElement === document.body ? 'nowhere' : 'elsewhere')),
  );
}

/** Presses Enter, and looks where the focus is while the call is held and after it was refused. */
async function pressHeld(page: Page, control: Control): Promise<string | null> {
  await fillEmptyFields(control);
  const { release, end } = await holdCalls(page);
  try {
    await control.focus();
    await page.keyboard.press('Enter');
    await confirmIfAsked(page, control);
    await becomesBusy(page, control, 'true');
    const during = await focusAt(page, control);
    release();
    await becomesBusy(page, control, 'false');
    const after = await focusAt(page, control);
    if (during !== null) return `has the focus ${during} while it loads`;
    return after === null ? null : `has the focus ${after} after it has loaded`;
  } finally {
    release();
    await end();
  }
}

/**
 * Holds every call until `release` is called; then those that change something are refused, and the others get the
 * replies that the state has set up. `end` lets all calls through again.
 */
async function holdCalls(page: Page): Promise<{ release: () => void; end: () => Promise<void> }> {
  const released = Promise.withResolvers<void>();
  const held = new Set<Promise<void>>();
  const answer = async (route: Route) => {
    await released.promise;
    if (route.request().method() === 'GET') return route.fallback();
    return route.fulfill({ status: refusedStatus, json: { code: 'refused', message: refused } });
  };
  const hold = (route: Route) => {
    const answered = answer(route);
    held.add(answered);
    return answered;
  };
  await page.route('**/api/**', hold);
  const end = async () => {
    await page.unroute('**/api/**', hold);
    await Promise.allSettled(held);
  };
  return { release: released.resolve, end };
}

/** A form with empty fields would be refused before it is sent. */
async function fillEmptyFields(control: Control): Promise<void> {
  const fields = await control.$$('xpath=ancestor::form//input[not(@type="checkbox" or @type="radio")]');
  for (const field of fields) {
    if ((await field.isVisible()) && (await field.inputValue()) === '') await field.fill('x');
  }
}

/** Waits in the page: `expect.poll` knows only the test that ends last of those that run at the same time. */
function becomesBusy(page: Page, control: Control, wanted: 'true' | 'false') {
  return page.waitForFunction(
    ([one, busy]) => one.getAttribute('aria-busy') === busy || !one.isConnected,
    [control, wanted] as const,
    { timeout: waitMsMax },
  );
}

/** Some controls ask before they act, and load once that is confirmed. */
async function confirmIfAsked(page: Page, control: Control): Promise<void> {
  await page.waitForFunction(
    (one) =>
      one.getAttribute('aria-busy') === 'true' ||
      !one.isConnected ||
      document.querySelector('[role="alertdialog"]') !== null,
    control,
    { timeout: waitMsMax },
  );
  const question = page.getByRole('alertdialog');
  if ((await question.count()) === 0) return;
  await question.getByRole('button').last().focus();
  await page.keyboard.press('Enter');
}
