import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserOf } from '../../support/api-client.ts';
import { until } from '../../support/fixture.ts';
import { type Stack, startStack } from '../../support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ names: ['api'] });
});
afterAll(() => stack.close());

test('an internal error is logged with the request id of the answer', async () => {
  const browser = browserOf(stack.apiUrl);
  await browser.login();
  await stack.database.db.schema.dropTable('settings').execute();
  const answer = await browser.call('GET', '/api/settings');
  expect(answer).toMatchObject({ status: 500, body: { code: 'internal' } });
  const request = /for request (\S+)\.$/.exec((answer.body as { message: string }).message)?.[1];
  const { output } = stack.process('api');
  await until('the failure is logged', async () => output().includes('request failed'));
  const entry = output()
    .split('\n')
    .find((text) => text.includes('request failed'));
  expect(JSON.parse(entry ?? '')).toMatchObject({ level: 50, status: 500, reqId: request });
});
