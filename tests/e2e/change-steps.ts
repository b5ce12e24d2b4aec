import type { Locator, Page } from 'playwright-core';
import { openSession } from './steps.ts';

// Steps of tests that change many rows of an import.

/** Opens the rows of an import with a new session. */
export async function open(page: Page, id: string, search = '?class=all'): Promise<void> {
  await openSession(page);
  await openNext(page, id, search);
}

/** Opens an import in a page that is signed in: a second login would refuse the requests that are under way. */
export async function openNext(page: Page, id: string, search = '?class=all'): Promise<void> {
  await page.goto(`/queue/${id}${search}`);
  await page.locator('[data-row]').first().waitFor();
}

export const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Change/ });
export const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
export const row = (page: Page, number: number) => page.locator(`[data-row="${number}"]`);
/** A change of all rows takes a minute on a busy machine. */
const changeMsMax = 90_000;
export const ends = (page: Page, words: string) =>
  changes(page).getByText(words).waitFor({ timeout: changeMsMax });
/** The commands of the import that run, or have ended, are in this part of the page. */
export const changes = (page: Page) => page.getByRole('region', { name: 'Changes of many rows' });
export const filters = (page: Page) => page.getByRole('group', { name: 'Filter rows' });
