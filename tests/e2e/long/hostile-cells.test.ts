import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { browserOf, csvForm } from '../../support/api-client.ts';
import { until } from '../../support/fixture.ts';
import { hostileFiles } from '../../support/hostile-cells.ts';
import { waitMsMax } from '../browser.ts';
import { accessKey } from '../product.ts';
import { goToAddress, openSession, sees } from '../steps.ts';
import { test } from '../test.ts';

const ids = new Map<string, string>();
test.beforeAll(async ({ product }) => {
  const api = browserOf(product.apiUrl);
  await api.login(accessKey);
  const files = [...hostileFiles(), { name: 'damaged.csv', bytes: Buffer.from('Title,Price\nCup,5\n') }];
  for (const { name, bytes } of files) {
    const { body } = await api.upload(csvForm(new Uint8Array(bytes), { filename: name }));
    ids.set(name, (body as { id: string }).id);
  }
  const statusOf = async (id: string) =>
    ((await api.call('GET', `/api/jobs/${id}?rows=0`)).body as { status: string }).status;
  await until('all files are processed', async () => {
    const statuses = await Promise.all([...ids.values()].map(statusOf));
    return statuses.every((status) => status === 'queued' || status === 'processed');
  });
  await api.call('POST', `/api/queue/${ids.get('cuts.csv')}/cancel`);
  await api.call('POST', `/api/queue/${ids.get('damaged.csv')}/cancel`);
  const { pool } = product.database;
  await pool.query(`update runs set mapping = '{}' where import_id = $1`, [ids.get('damaged.csv')]);
  await pool.query(`update imports set version = nextval('import_version')`);
});

/** The paths of all screens, from the router. */
async function screenPaths(): Promise<string[]> {
  const router = new URL('../../../apps/web/src/app/router.tsx', import.meta.url);
  const paths = [...(await readFile(router, 'utf8')).matchAll(/path: '([^']+)'/g)].map(
    ([, path = '']) => path,
  );
  // No supplier is needed for hostile cells.
  const known = paths
    .map((path) => path.replace('*', '/no/such/screen'))
    .filter((path) => path !== '/login' && !path.includes(':supplierId'));
  return known.flatMap((path) =>
    path.includes(':importId') ? [...ids.values()].map((id) => path.replace(':importId', id)) : [path],
  );
}

/** What a screen says about a failure once everything has loaded. */
async function failuresOf(page: Page, path: string): Promise<string[]> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root') === null);
  return (await page.getByRole('alert').allInnerTexts()).map((text) => `${path}: ${text}`);
}

test('no screen fails because of hostile cells, and an import with damaged data says so beside the others', ({
  browser,
}) =>
  browser.visit({}, async (page) => {
    page.on('dialog', (dialog) => expect.unreachable(`A file runs script: ${dialog.message()}`));
    await page.goto('/login');
    await openSession(page);
    const damaged = `/queue/${ids.get('damaged.csv')}`;
    const paths = await screenPaths();
    expect(paths).toContain(damaged);
    const failures: string[] = [];
    for (const [at, path] of paths.entries()) {
      await (at === 0 ? page.goto(path) : goToAddress(page, path));
      failures.push(...(await failuresOf(page, path)));
    }
    expect(failures).toEqual([expect.stringMatching(`${damaged}: This import can’t be shown`)]);
    for (const path of ['/queue', '/history']) {
      await goToAddress(page, path);
      await sees(page, 'cuts.csv');
      await page
        .getByText(/^This import can’t be shown/)
        .first()
        .waitFor({ timeout: waitMsMax });
    }
  }));
