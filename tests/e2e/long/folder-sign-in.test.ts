import { expect } from 'vitest';
import { removeFolders, saveSignIn, writeCode, writeSource } from '../../support/folder-rows.ts';
import { waitMsMax } from '../browser.ts';
import { violationsOf } from '../page-checks.ts';
import { hasFocus, sees, signInAt } from '../steps.ts';
import { test } from '../test.ts';

// The panel that connects OneDrive, with rows as the folder worker writes them.

const tab = '/settings?tab=onedrive';
const looked = {
  state: 'ok',
  account: 'ada@example.com',
  looked_at: new Date(Date.now() - 60_000),
  next_look_at: new Date(Date.now() + 29 * 60_000),
};

test.beforeEach(({ product }) => removeFolders(product));

test('a code is shown large, survives a reload, gets the focus, can be cancelled, and its result is announced', ({
  browser,
  product,
}) =>
  browser.visit({ expectedConsole: [/status of 409/] }, async (page) => {
    await signInAt(page, tab);
    await page.getByRole('button', { name: 'Configure' }).click();
    const panel = page.getByRole('region', { name: 'Configure OneDrive' });
    await panel.getByRole('button', { name: 'Get Code' }).click();
    await sees(panel.getByRole('alert'), 'the server has no key to seal the sign-in with');
    await panel.getByText('App registration', { exact: true }).click();
    await panel.getByRole('button', { name: 'Connect' }).click();
    await sees(panel, 'Enter the client secret.');

    const { pool } = product.database;
    const id = await writeCode(product, 'ABCD-1234');
    await page.reload();
    const code = panel.getByText('ABCD-1234', { exact: true });
    await hasFocus(code);
    expect(await panel.getByRole('link').getAttribute('href')).toBe('https://microsoft.com/devicelogin');
    await sees(panel, 'Valid for another 15 minutes.');
    await sees(panel, 'Microsoft will ask you to allow: Read files.');
    await panel.getByRole('button', { name: 'Copy' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.reload();
    await code.waitFor();
    await pool.query(
      `update sign_ins set state = 'done', user_code = null, message = 'Signed in as ada@example.com.' where id = $1`,
      [id],
    );
    await saveSignIn(product);
    await writeSource(product, 'onedrive', looked);
    await sees(panel.getByRole('status'), 'Signed in as ada@example.com.');
    await panel.getByRole('button', { name: 'Disconnect' }).waitFor();
    expect(await panel.getByText('Signed in as').count()).toBe(1);

    await panel.getByRole('button', { name: 'Disconnect' }).click();
    const question = page.getByRole('alertdialog', { name: 'Disconnect OneDrive?' });
    await sees(question, 'New files are no longer imported. Earlier imports stay.');
    await question.getByRole('button', { name: 'Disconnect' }).click();
    await sees(page, 'Nothing in OneDrive is watched until it is connected.');
    await expect.poll(() => panel.getByText('Signed in as').count(), { timeout: waitMsMax }).toBe(0);
    await sees(panel.getByRole('status'), 'OneDrive is disconnected.');
    await hasFocus(panel.getByRole('status'));

    await writeCode(product, 'WXYZ-5678');
    await page.reload();
    await panel.getByText('WXYZ-5678').waitFor();
    await panel.getByRole('button', { name: 'Cancel' }).press('Enter');
    await sees(panel.getByRole('status'), 'The sign-in was cancelled.');
  }));

test('a sign-in that was interrupted, cancelled elsewhere or not finished in time says so and can be repeated', ({
  browser,
  product,
}) =>
  browser.visit({}, async (page) => {
    await signInAt(page, tab);
    await sees(page, 'Nothing in OneDrive is watched until it is connected.');
    const panel = page.getByRole('region', { name: 'Configure OneDrive' });
    const ends = {
      'The sign-in was interrupted. Start again.': `state = 'failed', message = 'The sign-in was interrupted. Start again.'`,
      'Another sign-in was started.': `state = 'cancelled', message = 'Another sign-in was started.'`,
      'The code has expired. Start again.': `state = 'failed', message = 'The code has expired. Start again.'`,
    };
    for (const [sentence, set] of Object.entries(ends)) {
      const id = await writeCode(product, 'ABCD-1234');
      await page.reload();
      await sees(panel, 'ABCD-1234');
      await product.database.pool.query(`update sign_ins set ${set} where id = $1`, [id]);
      await sees(panel.getByRole('status'), sentence);
      await hasFocus(panel.getByRole('status'));
      await panel.getByRole('button', { name: 'Get Code' }).waitFor();
      expect(await panel.getByText('ABCD-1234').count()).toBe(0);
      await page.reload();
      await sees(page, 'Nothing in OneDrive is watched until it is connected.');
      expect(await panel.count()).toBe(0);
    }
  }));

test('an app registration that fails keeps its fields, except the secret', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    await signInAt(page, tab);
    await page.getByRole('button', { name: 'Configure' }).click();
    const panel = page.getByRole('region', { name: 'Configure OneDrive' });
    await panel.getByText('App registration', { exact: true }).click();
    await panel.getByText('SharePoint site', { exact: true }).click();
    await panel.getByRole('button', { name: 'Connect' }).click();
    await sees(panel, 'Enter the address of the site.');
    const fields = {
      'Directory (tenant) ID': 'tenant',
      'Application (client) ID': 'client',
      'Client secret': 'wrong',
      'Address of the site': 'https://example.sharepoint.com/sites/prices',
    };
    for (const [label, value] of Object.entries(fields))
      await panel.getByLabel(label, { exact: true }).fill(value);

    const { pool } = product.database;
    const { rows } = await pool.query<{ id: string }>(
      `insert into sign_ins (way, state, claim)
       values ('app', 'asked', 1) returning id`,
    );
    // The server of this test has no key, so it would refuse to seal the secret.
    await page.route('**/api/folders/onedrive/sign-in', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 202, json: rows[0] }) : route.continue(),
    );
    await panel.getByRole('button', { name: 'Connect' }).click();
    await sees(panel.getByRole('status'), 'Trying the app registration.');
    expect(await panel.getByRole('button', { name: 'Connect' }).count()).toBe(0);
    await pool.query(`update sign_ins set state = 'failed', message = 'The secret is wrong.' where id = $1`, [
      rows[0]?.id,
    ]);
    await sees(panel.getByRole('status'), 'The secret is wrong.');
    for (const [label, value] of Object.entries({ ...fields, 'Client secret': '' }))
      expect(await panel.getByLabel(label, { exact: true }).inputValue()).toBe(value);
  }));
