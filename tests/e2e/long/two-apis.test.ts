import { expect, inject } from 'vitest';
import { browserOf, csvForm } from '../../support/api-client.ts';
import { ownPort } from '../../support/own-port.ts';
import { startRoundRobin } from '../../support/round-robin.ts';
import { startStack } from '../../support/stack.ts';
import { openBrowser } from '../browser.ts';
import { testInChromium } from '../chromium-test.ts';
import { accessKey } from '../product.ts';
import { expectOutcomes, queueRow, sees, seesClasses, signInOnScreen, uploadOnScreen } from '../steps.ts';

const products = 60;
const csv = `Title,Price,SKU\n,9.50,V-0\n${Array.from(
  { length: products - 1 },
  (_, i) => `Vase ${i + 1},${i + 1}.50,V-${i + 1}`,
).join('\n')}\n`;

/** All processes, two apis, and a proxy without sticky sessions in front of them. */
const test = testInChromium.extend(
  'two',
  { scope: 'file' },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the needed fixtures from the pattern.
  async ({}, { onCleanup }) => {
    const proxy = await startRoundRobin();
    const stack = await startStack({
      names: ['store-simulator', 'api', 'parse-worker', 'enrich-worker', 'push-worker'],
      webDir: inject('webDir'),
      asAppRole: true,
    });
    const others = { PUBLIC_URL: proxy.url, TRUSTED_PROXIES: '127.0.0.1' };
    const start = async () => {
      const port = String(await ownPort());
      return {
        process: await stack.startAnother('api', { ...others, PORT: port }),
        url: `http://127.0.0.1:${port}`,
      };
    };
    const apis = [await start(), await start()] as const;
    await stack.process('api').stop();
    proxy.servers.push(...apis.map(({ url }) => url));
    onCleanup(async () => {
      await stack.close();
      await proxy.close();
    });
    return { stack, proxy, apis, start };
  },
);

test('an operator signs in, uploads, reviews and pushes through two apis, of which each is killed once', ({
  chromium,
  two: { stack, proxy, apis, start },
}) =>
  openBrowser(chromium, proxy.url).visit({}, async (page) => {
    await signInOnScreen(page);
    await uploadOnScreen(page, { name: 'vases.csv', content: csv });
    await seesClasses(page, `${products - 1} valid, 1 warning`);
    expect([...proxy.answered.keys()].toSorted()).toEqual(apis.map(({ url }) => url).toSorted());

    apis[0].process.kill('SIGKILL');
    await apis[0].process.ended;
    await page.getByRole('button', { name: 'Edit row 1', exact: true }).click();
    await page.getByLabel('Title of row 1', { exact: true }).fill('Tall Vase');
    await page.getByRole('button', { name: 'Save' }).click();
    await seesClasses(page, `${products} valid`);
    proxy.servers[0] = (await start()).url;

    await stack.store.fault({ kind: 'delay', delayMs: 300, operation: 'productSet', times: products });
    await page.getByRole('button', { name: 'Push', exact: true }).click();
    await sees(queueRow(page, 'vases.csv'), 'Uploading to Shopify');
    apis[1].process.kill('SIGKILL');
    await apis[1].process.ended;
    await sees(queueRow(page, 'vases.csv'), 'Completed');
    await queueRow(page, 'vases.csv').getByRole('link', { name: 'vases.csv' }).click();
    await expectOutcomes(page, `${products} Created`);
    const titles = (await stack.store.products()).map(({ title }) => title);
    expect(titles).toHaveLength(products);
    expect(titles).toContain('Tall Vase');
  }));

test('what was done through one api is soon seen through the other, and ended there too', async ({ two }) => {
  const [one, other] = [await two.start(), await two.start()];
  const first = browserOf(one.url);
  const cookie = (await first.login(accessKey)).headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const seen = (path: string) => fetch(other.url + path, { headers: { cookie } });
  const { id } = (await first.upload(csvForm('Title,Price\nBowl,4\n'))).body as { id: string };
  const listed = async () =>
    ((await (await seen('/api/queue')).json()) as { id: string }[]).map((job) => job.id);
  await expect.poll(listed).toContain(id);
  await first.call('POST', '/api/auth/logout');
  await expect.poll(async () => (await seen('/api/queue')).status).toBe(401);
  const missing = await seen('/assets/of-another-version.js');
  expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store']);
});
