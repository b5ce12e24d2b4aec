import type { AppName } from '@draftshelf/infra/app-mains';
import { inject } from 'vitest';
import { type ApiClient, browserOf } from '../support/api-client.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { testInChromium } from './chromium-test.ts';
import { accessKey } from './product.ts';

type Options = Partial<Parameters<typeof startStack>[0]>;

/** All processes that a product needs, without watched folders. */
export const workers: AppName[] = ['store-simulator', 'api', 'parse-worker', 'enrich-worker', 'push-worker'];

/** What the tests of `testOnOwnStack` use: the product, a browser, and a client of the api that has signed in. */
export let stack: Stack;
export let browser: TestBrowser;
export let api: ApiClient;

/** Tests on a product of the file's own, which starts once its options are known. */
export function testOnOwnStack(options: () => Options | Promise<Options>) {
  testInChromium.beforeAll(async ({ chromium }) => {
    stack = await startStack({ names: workers, webDir: inject('webDir'), ...(await options()) });
    browser = openBrowser(chromium, stack.apiUrl);
    api = browserOf(stack.apiUrl);
    await api.login(accessKey);
  });
  testInChromium.afterAll(() => stack?.close());
  return testInChromium;
}
