import { aiSource, ownAnswersSource, ruleSource } from '@draftshelf/domain/enrich/sources';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { propose as proposeFor, type RowProposal } from '../../support/propose.ts';
import { violationsOf } from '../page-checks.ts';
import type { Product } from '../product.ts';
import {
  editRow,
  expectNoSidewaysScroll,
  hasFocus,
  openSession,
  post,
  sees,
  toast,
  uploadAndOpen,
} from '../steps.ts';
import { test } from '../test.ts';

const rows = Array.from({ length: 60 }, (_, at) => at + 1);
const contentOf = (name: string) =>
  `Title,Price,Description\n${rows.map((row) => `${name} ${row},9.90,A blue vase.`).join('\n')}\n`;

/** Gives rows of the open import proposals. */
async function propose(product: Product, page: Page, proposals: readonly RowProposal[]): Promise<string> {
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await proposeFor(product, id, proposals);
  return id;
}

const typeOf = (row: number): RowProposal => ({
  ...{ row, field: 'type', value: 'Wall Art', before: null, source: ruleSource },
  ...{ reason: 'By the rule “Art”.', groupKey: 'Wall Art' },
});

const panelOf = (page: Page) => page.getByRole('region', { name: /^Proposals/ });
/** The address names the open proposals, also after the next reload. */
async function openProposals(page: Page): Promise<void> {
  await page.reload();
  await page.getByRole('button', { name: /^\d+ Proposals$/ }).click();
}
/** Presses Undo of a decision once it is saved: until then it is shown, and waits. */
async function undo(line: Locator, what: string): Promise<void> {
  const button = line.getByRole('button', { name: `Undo the decision about the ${what}` });
  await expect.poll(() => button.getAttribute('aria-busy')).not.toBe('true');
  await button.press('Enter');
}
const linesOf = (page: Page) => panelOf(page).getByRole('list', { name: 'Proposals' }).getByRole('listitem');
const box = (page: Page, what: string) =>
  panelOf(page).getByRole('checkbox', { name: `Select the ${what}`, exact: true });
const takenRows = async ({ database }: Product, id: string) =>
  (await database.pool.query("select row from proposals where import_id = $1 and state = 'taken'", [id]))
    .rowCount;
/** The distance of a line from the top of the panel. */
const topOf = async (page: Page, line: Locator) => {
  const [of, panel] = [await line.boundingBox(), await panelOf(page).boundingBox()];
  return (of?.y ?? 0) - (panel?.y ?? 0);
};

test('50 of 60 proposals are taken with one click and taken back with one click', ({ browser, product }) =>
  browser.visit({ expectedConsole: [/status of 409 .*\/(?:undo|proposals\?)/] }, async (page) => {
    await openSession(page);
    await uploadAndOpen(page, { name: 'vases.csv', content: contentOf('Vase') });
    const id = await propose(product, page, rows.map(typeOf));
    await openProposals(page);
    const panel = panelOf(page);
    await panel.getByRole('heading', { name: 'Proposals 60' }).waitFor();
    await panel.getByRole('button', { name: /^Type\s*60$/ }).waitFor();
    await panel.getByRole('button', { name: /^Your rules\s*60$/ }).waitFor();
    await sees(panel, 'Type → Wall Art, 60 products');
    await expect.poll(() => linesOf(page).count()).toBe(50);
    await sees(linesOf(page).first(), 'From your rules. By the rule “Art”.');

    // A page that cannot be read leaves the lines where they are.
    await page.route(
      '**/api/queue/*/proposals?*',
      (route) => route.fulfill({ status: 409, json: { code: 'busy', message: 'Busy.' } }),
      { times: 1 },
    );
    await panel.getByRole('button', { name: 'Show More' }).click();
    await sees(panel.getByRole('alert'), 'The rest of the proposals couldn’t be loaded: 409: Busy.');
    expect(await linesOf(page).count()).toBe(50);
    await panel.getByRole('button', { name: 'Show More' }).click();
    await expect.poll(() => linesOf(page).count()).toBe(60);
    await page.reload();
    await expect.poll(() => linesOf(page).count()).toBe(50);

    await box(page, 'type of row 1').click();
    await box(page, 'type of row 50').click({ modifiers: ['Shift'] });
    await sees(panel, '50 selected');
    const [before, at] = [await linesOf(page).allInnerTexts(), await topOf(page, linesOf(page).nth(10))];
    await panel.getByRole('button', { name: 'Accept the selected proposals' }).click();
    const taken = await toast(page, 'Proposals accepted');
    await sees(taken, '50 values were accepted.');
    await sees(linesOf(page).first(), 'Accepted');
    await panel.getByRole('heading', { name: 'Proposals 10' }).waitFor();
    expect(await takenRows(product, id)).toBe(50);
    // The lines stay where they were.
    const first = (texts: string[]) => texts.map((text) => text.split('\n')[0]);
    expect(first(await linesOf(page).allInnerTexts())).toEqual(first(before));
    expect(await topOf(page, linesOf(page).nth(10))).toBe(at);

    await taken.getByRole('button', { name: 'Undo' }).click();
    await sees(await toast(page, 'Change undone'), 'Change undone.');
    await panel.getByRole('heading', { name: 'Proposals 60' }).waitFor();
    await linesOf(page).first().getByRole('button', { name: 'Accept the type of row 1' }).waitFor();
    expect(await takenRows(product, id)).toBe(0);

    // All that match, beyond those that are shown.
    await panel.getByRole('checkbox', { name: 'Select 50 shown proposals' }).click();
    await panel.getByRole('button', { name: 'Select All 60' }).click();
    await sees(panel, '60 selected');
    await panel.getByRole('button', { name: 'Dismiss the selected proposals' }).click();
    await sees(await toast(page, 'Proposals dismissed'), '60 proposals were dismissed.');
    // An undo with nothing left to undo is not offered any more.
    const { commands } = await (await page.request.get(`/api/queue/${id}/edits`)).json();
    await post(page, `/api/queue/${id}/edits/${commands[0].id}/undo`);
    const undoLast = panel.getByRole('button', { name: 'Undo the last decision' });
    await undoLast.click();
    await sees(await toast(page, 'Couldn’t undo the change'), 'This change has already been undone.');
    await undoLast.waitFor({ state: 'detached' });
    await hasFocus(panel.getByRole('heading', { name: 'Proposals 60' }));

    // A value that was edited meanwhile is left.
    await editRow(page, id, 7, { type: 'Bowls' });
    await panel.getByRole('button', { name: 'Accept all: Type → Wall Art, 60 products' }).click();
    await sees(await toast(page, 'Proposals accepted'), '59 values were accepted, 1 had changed meanwhile.');
    await linesOf(page).nth(6).locator('del', { hasText: 'Bowls' }).waitFor();
    await panel.getByRole('button', { name: 'Close the last decision' }).click();
    await undoLast.waitFor({ state: 'detached' });
    await panel.getByRole('button', { name: 'Accept the type of row 7' }).click();
    await panel.getByRole('heading', { name: 'Proposals 0' }).waitFor();
    expect(await takenRows(product, id)).toBe(60);
  }));

test('one proposal is changed, taken, dismissed and taken back with the keyboard, on a phone too', ({
  browser,
  product,
}) =>
  browser.visit({ expectedConsole: [/status of 409 .*\/proposals\//] }, async (page) => {
    await openSession(page);
    await uploadAndOpen(page, { name: 'texts.csv', content: contentOf('Jug') });
    const text = {
      field: 'description',
      before: 'A blue vase.',
      source: aiSource,
      reason: 'Rewritten.',
    } as const;
    const id = await propose(product, page, [
      ...[1, 2, 3].map((row) => ({
        ...{ ...text, row, value: `A tall blue vase, number ${row}.`, evidence: `Jug ${row}` },
      })),
      { ...typeOf(4), value: 'x'.repeat(80), groupKey: null },
      typeOf(5),
      typeOf(6),
      { ...typeOf(6), value: 'Posters', source: ownAnswersSource, groupKey: null },
    ]);
    await openProposals(page);
    const panel = panelOf(page);
    await panel.getByRole('button', { name: /^AI\s*3$/ }).press('Enter');
    await expect.poll(() => linesOf(page).count()).toBe(3);
    const line = linesOf(page).first();
    await sees(line, 'Proposed by AI. Rewritten.');
    expect(await line.locator('q').textContent()).toBe('Jug 1');
    expect(await line.locator('ins').allInnerTexts()).toEqual([
      expect.stringContaining('tall'),
      expect.stringContaining(', number 1'),
    ]);

    await line
      .getByRole('button', { name: 'Change the description of row 1 before accepting it' })
      .press('Enter');
    const field = line.getByRole('textbox', { name: 'New description of row 1' });
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
    await field.fill('');
    await sees(line, 'Enter a value, or dismiss the proposal.');
    await page.keyboard.press('Escape');
    await line
      .getByRole('button', { name: 'Change the description of row 1 before accepting it' })
      .press('Enter');
    await field.fill('A vase of blue glass.');
    await page.route(
      '**/api/queue/*/proposals/*',
      (route) => route.fulfill({ status: 409, json: { code: 'busy', message: 'Try again.' } }),
      { times: 1 },
    );
    await page.keyboard.press('Control+Enter');
    await sees(await toast(page, 'Couldn’t save the decision'), 'Try again.');
    // What was entered is still there.
    expect(await field.inputValue()).toBe('A vase of blue glass.');
    await field.press('Control+Enter');
    await sees(line, 'Accepted');
    // The focus is still on the line.
    const inLine = () => line.evaluate((one) => one.contains(document.activeElement));
    await expect.poll(inLine).toBe(true);
    const described = async () =>
      (
        await product.database.pool.query<{ after: string | null }>(
          'select after from edits where import_id = $1 order by id desc limit 1',
          [id],
        )
      ).rows[0]?.after;
    expect(await described()).toBe('A vase of blue glass.');
    await page.keyboard.press('Enter');
    await toast(page, 'Change undone');
    await line.getByRole('button', { name: 'Accept the description of row 1' }).waitFor();
    expect(await described()).toBe(null);
    const second = linesOf(page).nth(1);
    await second.getByRole('button', { name: 'Dismiss the description of row 2' }).press('Enter');
    await sees(second, 'Dismissed');
    await undo(second, 'description of row 2');
    await second.getByRole('button', { name: 'Accept the description of row 2' }).waitFor();
    await panel.getByRole('button', { name: /^AI\s*3$/ }).press('Enter');
    await expect.poll(() => linesOf(page).count()).toBe(7);
    expect(await violationsOf(page)).toEqual([]);

    await panel.getByRole('button', { name: 'Show: Type → Wall Art' }).press('Enter');
    await expect.poll(() => linesOf(page).count()).toBe(2);
    await panel.getByRole('button', { name: 'Remove the filter Wall Art' }).press('Enter');
    await hasFocus(panel.getByRole('heading', { name: 'Proposals 7' }));
    await expect.poll(() => linesOf(page).count()).toBe(3);
    await panel.getByRole('button', { name: /^Type\s*3$/ }).press('Enter');
    await panel.getByRole('button', { name: /^Your rules\s*3$/ }).press('Enter');
    await expect.poll(() => linesOf(page).count()).toBe(7);

    // Taking one value for a field decides about the others.
    const ofRow6 = linesOf(page).filter({ hasText: 'Row 6' });
    const takes = (of: Locator) => of.getByRole('button', { name: 'Accept the type of row 6' });
    await takes(ofRow6.filter({ hasText: 'Posters' })).press('Enter');
    await sees(ofRow6.filter({ hasText: 'Wall Art' }), 'Another value was accepted');
    await undo(ofRow6, 'type of row 6');
    await expect.poll(() => takes(ofRow6).count()).toBe(2);

    await page.setViewportSize({ width: 390, height: 844 });
    await line.getByRole('button', { name: 'Change the description of row 1 before accepting it' }).click();
    await box(page, 'type of row 4').click();
    await sees(panel, '1 selected');
    await expectNoSidewaysScroll(page);
    expect(await violationsOf(page)).toEqual([]);
  }));
