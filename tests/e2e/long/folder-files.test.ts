import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { connectOneDrive } from '../../support/connected-folders.ts';
import {
  keepFolderWorker,
  removeFolders,
  writeCode,
  writeFile,
  writeSource,
} from '../../support/folder-rows.ts';
import { isLong } from '../../support/queue-backend.ts';
import { waitMsMax } from '../browser.ts';
import { expectNoShift, measureShifts, smallTargets, violationsOf } from '../page-checks.ts';
import {
  expectNoSidewaysScroll,
  goTo,
  hasFocus,
  hurryPolls,
  openSession,
  post,
  requestsOf,
  sees,
  signInAt,
} from '../steps.ts';
import { test } from '../test.ts';

// The files of watched folders and the trouble of a local one, with rows as the folder worker writes them.

const tab = '/settings?tab=onedrive';
const minutes = (count: number) => new Date(Date.now() + count * 60_000);
const looked = { state: 'ok', looked_at: minutes(-1), next_look_at: minutes(29) };
const place = { path: '/data/watched' };
const localFolder = (page: Page) => page.getByRole('region', { name: 'Local folder', exact: true });
const localFiles = (page: Page) => page.getByRole('region', { name: 'Files of the local folder' });

test.beforeEach(({ product }) => removeFolders(product));

test('the local folder stands apart from OneDrive, above the settings of both', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    await openSession(page);
    const source = await writeSource(product, 'local', { place, ...looked });
    await writeFile(product, source, { name: 'prices.csv', state: 'taken' });
    await page.goto(tab);
    await sees(localFiles(page), 'prices.csv');
    const local = await localFolder(page).boundingBox();
    const monitoring = await page.getByRole('region', { name: 'Monitoring' }).boundingBox();
    expect((local?.y ?? Number.NaN) + (local?.height ?? 0)).toBeLessThan(monitoring?.y ?? 0);
    const bar = await page.getByRole('button', { name: 'Save Settings' }).boundingBox();
    expect((local?.y ?? Number.NaN) + (local?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
  }));

test('files show what became of them, can be taken, and one question is about those that were there', ({
  browser,
  product,
}) =>
  browser.visit({ viewport: { width: 390, height: 844 }, touch: true, colorScheme: 'dark' }, async (page) => {
    await hurryPolls(page);
    await openSession(page);
    const source = await writeSource(product, 'local', { place, ...looked });
    await writeFile(product, source, { name: 'prices.csv', state: 'taken', option: 'archived' });
    await writeFile(product, source, {
      name: 'book.xlsx',
      state: 'refused',
      reason: 'This is an Excel workbook.',
    });
    await writeFile(product, source, { name: `${'long-name-'.repeat(12)}.csv`, state: 'same' });
    for (const name of ['old-1.csv', 'old-2.csv'])
      await writeFile(product, source, { name, state: 'ignored' });
    await page.goto(tab);
    const [local, files] = [localFolder(page), localFiles(page)];
    await sees(local, 'Turn on file monitoring to watch /data/watched.');
    await sees(files, 'Imported. Moved to Archive.');
    await sees(files, 'This is an Excel workbook.');
    await sees(local, '2 files were there before watching began.');
    await expect.poll(() => files.getByText('Waits for your answer.').count()).toBe(2);
    await sees(files, '1 file imported · 1 file with known content · 1 file refused');
    await page.getByRole('button', { name: 'Configure' }).click();
    await page.getByRole('button', { name: 'Get Code' }).waitFor();
    await expectNoSidewaysScroll(page);
    expect(await violationsOf(page)).toEqual([]);
    expect(await smallTargets(page.locator('body'))).toEqual([]);
    await files.getByRole('button', { name: 'Import It: long-name' }).click();
    await sees(files, 'Waits: no folder worker is running.');
    const stopWorker = await keepFolderWorker(product);
    onTestFinished(stopWorker);
    await sees(files, 'Next.');
    await local.getByRole('button', { name: 'Leave Them' }).click();
    await local.getByText('2 files were there before watching began.').waitFor({ state: 'detached' });
    await hasFocus(local.getByRole('status').first());
    await sees(files, 'Was there before.');
    await files.getByRole('button', { name: 'Try Again: book.xlsx' }).waitFor();
    await page.getByRole('main').getByText('Setup Required', { exact: true }).waitFor();

    for (const name of ['many-1.csv', 'many-2.csv', 'many-3.csv'])
      await writeFile(product, source, { name, state: 'held' });
    await sees(local, '3 new files arrived at once. Nothing was imported yet.');
    await expect.poll(() => files.getByText('Waits for your answer.').count()).toBe(3);
    await local.getByRole('button', { name: 'Import Them' }).click();
    await local.getByText('3 new files arrived at once.').waitFor({ state: 'detached' });
    await hasFocus(local.getByRole('status').first());
    await expect.poll(() => files.getByText('Waits until file monitoring is on.').count()).toBe(3);
  }));

test.runIf(isLong)(
  'nothing moves while the tab of a connected OneDrive loads',
  async ({ browser, product }) => {
    onTestFinished(await keepFolderWorker(product));
    await connectOneDrive(product);
    for (const width of [390, 1440]) {
      const device = { viewport: { width, height: 900 }, touch: width < 768 };
      await browser.visit({ isFirst: true, ...device }, async (page) => {
        await measureShifts(page);
        await signInAt(page, tab);
        await sees(page, 'acme-november.csv');
        await page.waitForLoadState('networkidle');
        await expectNoShift(page);
        await expectNoSidewaysScroll(page);
      });
    }
  },
);

/** Kinds of trouble with the folder worker's sentences, each with a question or what to do. */
const localTroubles = [
  [
    'empty',
    'The folder is empty, but 60 files were there at the last look. Is the drive connected? If you emptied it yourself, nothing is lost: it’s watched again when a file arrives.',
  ],
  ['not found', 'The folder /data/watched doesn’t exist. Is the drive connected?'],
  [
    'no permission',
    'Draftshelf may not read the folder /data/watched. Allow it to the user that runs Draftshelf.',
  ],
] as const;

test.runIf(isLong)(
  'trouble of a local folder has its sentence and Check Now, and of many files the newest are listed',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      await hurryPolls(page);
      onTestFinished(await keepFolderWorker(product));
      await openSession(page);
      await post(page, '/api/settings', { oneDriveEnabled: true });
      const source = await writeSource(product, 'local', { place, ...looked });
      await Promise.all(
        Array.from({ length: 60 }, (_, at) =>
          writeFile(product, source, { name: `${at}.csv`, state: 'taken' }),
        ),
      );
      await page.goto(tab);
      const [local, files] = [localFolder(page), localFiles(page)];
      await sees(files, '60 files imported');
      await sees(files, 'These are the 50 newest.');
      expect(await files.getByRole('listitem').count()).toBe(50);
      for (const [kind, sentence] of localTroubles) {
        const trouble = {
          state: 'trouble',
          trouble: sentence,
          trouble_kind: kind,
          blocked_until: minutes(12),
        };
        await writeSource(product, 'local', { place, ...looked, ...trouble });
        await sees(local, sentence);
        await sees(local, /Tries again at .+\.$/);
        await local.getByText('Can’t Check', { exact: true }).waitFor();
        await local.getByRole('button', { name: 'Check Now' }).waitFor();
      }
    }),
);

test('folders and sign-in are polled while their tab is shown, and not after it is left', ({
  browser,
  product,
}) =>
  browser.visit({}, async (page) => {
    await openSession(page);
    const id = await writeCode(product, 'ABCD-1234');
    await page.clock.install();
    const asked = requestsOf(page);
    const counts = () => {
      const of = (path: string) => asked.filter((one) => one === `GET ${path}`).length;
      return [of('/api/folders'), of(`/api/folders/onedrive/sign-in/${id}`)];
    };
    const polled = async (seconds: number) => {
      const before = counts();
      for (let second = 0; second < seconds; second += 1) await page.clock.runFor(1_000);
      return counts().map((count, at) => count > (before[at] ?? 0));
    };
    await page.goto(tab);
    await sees(page, 'ABCD-1234');
    await expect.poll(() => polled(6), { timeout: waitMsMax }).toEqual([true, true]);

    await page.getByRole('tab', { name: 'General' }).click();
    await page.getByLabel('Batch Size').first().waitFor();
    expect(await polled(20)).toEqual([false, false]);
    await goTo(page, 'Processing Queue');
    await page.getByRole('heading', { name: 'Processing Queue', level: 1 }).waitFor();
    const before = asked.length;
    expect(await polled(20)).toEqual([false, false]);
    // The timers do run.
    await expect.poll(() => asked.slice(before), { timeout: waitMsMax }).toContain('GET /api/queue');
  }));
