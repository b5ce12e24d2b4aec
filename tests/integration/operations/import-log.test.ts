import { expect } from 'vitest';
import { csvForm } from '../../support/api-client.ts';
import { csvOf, until } from '../../support/fixture.ts';
import { testOnStack } from '../../support/test.ts';

const test = testOnStack({
  names: ['store-simulator', 'api', 'parse-worker', 'enrich-worker', 'push-worker'],
  env: { LOG_LEVEL: 'info' },
});

type Line = { msg: string; importId?: string; time: number } & Record<string, unknown>;

test('about ten lines tell the story of an import, without its contents', async ({ stack, client }) => {
  const csv = csvOf([
    ['Title', 'Price', 'SKU'],
    ...Array.from({ length: 60 }, (_, i) => [`Kite ${i}`, '12.00', `K-${i}`]),
  ]);
  const { body } = await client.upload(csvForm(csv));
  const { id } = body as { id: string };
  const status = async () => {
    const { body } = await client.call('GET', `/api/queue/${id}?rows=0`);
    return (body as { job: { status: string } }).job.status;
  };
  await until('it is processed', async () => (await status()) === 'processed');
  expect(await client.call('POST', `/api/queue/${id}/dialect`, { body: { quote: "'" } })).toMatchObject({
    status: 200,
  });
  await until('it is read again', async () => (await status()) === 'processed');
  expect(await client.call('POST', `/api/queue/${id}/push`)).toMatchObject({ status: 200 });
  const lines = () =>
    [...stack.processes.values()]
      .flatMap((process) => process.output().split('\n'))
      .filter((text) => text.includes(id))
      .map((text) => JSON.parse(text) as Line)
      .toSorted((a, b) => a.time - b.time);
  const isPushEnd = ({ msg, stage }: Line) => msg === 'stage ended' && stage === 'push';
  await until('the push has ended', () => lines().some(isPushEnd));

  const story = lines();
  expect(story.length).toBeLessThanOrEqual(40);
  expect(story.every(({ importId }) => importId === id)).toBe(true);
  const words = story.map(({ msg, stage, action }) => [msg, stage ?? action].filter(Boolean).join(' '));
  expect([...new Set(words)].toSorted()).toEqual([
    'action dialect',
    'action push',
    'import received',
    'security event',
    ...['split begun parse', 'split ended parse'],
    ...['stage begun parse', 'stage begun push', 'stage ended parse', 'stage ended push'],
  ]);
  const found = (word: string) => story[words.indexOf(word)];
  expect(found('import received')).toMatchObject({ rows: 60, products: 60, reqId: expect.any(String) });
  expect(found('action push')).toMatchObject({ reqId: expect.any(String), status: 'uploading' });
  expect(found('stage ended parse')).toMatchObject({ rows: 60, valid: 60, seconds: expect.any(Number) });
  expect(story.find(isPushEnd)).toMatchObject({ status: 'completed', created: 60, failed: 0, run: 1 });
  expect(JSON.stringify(story)).not.toMatch(/Kite|K-\d/);
});
