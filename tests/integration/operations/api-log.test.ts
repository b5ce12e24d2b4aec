import { expect } from 'vitest';
import { until } from '../../support/fixture.ts';
import { testOnStack } from '../../support/test.ts';

const test = testOnStack({ names: ['api'] });

test('an internal error is logged with the request id of the answer', async ({ stack, client }) => {
  await stack.database.db.schema.dropTable('settings').execute();
  const answer = await client.call('GET', '/api/settings');
  expect(answer).toMatchObject({ status: 500, body: { code: 'internal' } });
  const request = /for request (\S+)\.$/.exec((answer.body as { message: string }).message)?.[1];
  const { output } = stack.process('api');
  await until('the failure is logged', async () => output().includes('request failed'));
  const entry = output()
    .split('\n')
    .find((text) => text.includes('request failed'));
  expect(JSON.parse(entry ?? '')).toMatchObject({ level: 50, status: 500, reqId: request });
});
