import type { ElementHandle, Page } from 'playwright-core';
import { expect } from 'vitest';
import { waitMsMax } from './browser.ts';

type Control = ElementHandle<HTMLElement>;

/** The names of the controls that were pressed in other states. */
export type Seen = Set<string>;

/**
 * Presses every control of a page that can load, by keyboard, and refuses its call while the control loads. Returns one
 * sentence for each that loses the focus, or that does not load at all. Skips those in
 * `seen`, and adds the others to it.
 */
export async function lostFocus(page: Page, seen: Seen): Promise<string[]> {
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

/** Where the focus is, as seen from a control. */
const focusAt = (control: Control) =>
  control.evaluate((one) => {
    const { activeElement } = document;
    if (activeElement === one) return 'there';
    return activeElement === null || activeElement === document.body ? 'nowhere' : 'elsewhere';
  });

/** Presses Enter, and looks where the focus is while the call is held and after it was refused. */
async function pressHeld(page: Page, control: Control): Promise<string | null> {
  await fillEmptyFields(control);
  const release = await holdCalls(page);
  try {
    await control.focus();
    await page.keyboard.press('Enter');
    await confirmIfAsked(page, control);
    const isBusy = () => control.getAttribute('aria-busy');
    await expect.poll(isBusy, { timeout: waitMsMax }).toBe('true');
    const during = await focusAt(control);
    release();
    await expect.poll(isBusy, { timeout: waitMsMax }).toBe('false');
    const after = await focusAt(control);
    if (during !== 'there') return `has the focus ${during} while it loads`;
    return after === 'there' ? null : `has the focus ${after} after it has loaded`;
  } finally {
    release();
    await page.unrouteAll({ behavior: 'wait' });
  }
}

/** Holds every call until the returned function is called; then those that change something are refused. */
async function holdCalls(page: Page): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route('**/api/**', async (route) => {
    await released.promise;
    if (route.request().method() === 'GET') return route.continue();
    return route.fulfill({ status: 500, json: { code: 'refused', message: 'Refused by the test.' } });
  });
  return released.resolve;
}

/** A form with empty fields would be refused before it is sent. */
async function fillEmptyFields(control: Control): Promise<void> {
  const fields = await control.$$('xpath=ancestor::form//input[not(@type="checkbox" or @type="radio")]');
  for (const field of fields) {
    if ((await field.isVisible()) && (await field.inputValue()) === '') await field.fill('x');
  }
}

/** Some controls ask before they act, and load once that is confirmed. */
async function confirmIfAsked(page: Page, control: Control): Promise<void> {
  const question = page.getByRole('alertdialog');
  const isAsked = async () =>
    (await control.getAttribute('aria-busy')) === 'true' || (await question.count()) > 0;
  await expect.poll(isAsked, { timeout: waitMsMax }).toBe(true);
  if ((await question.count()) === 0) return;
  await question.getByRole('button').last().focus();
  await page.keyboard.press('Enter');
}
