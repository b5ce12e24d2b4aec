import { hostileFiles } from '@draftshelf/workbooks/testing/hostile-files';
import { expect } from 'vitest';
import { csvForm } from '../../support/api-client.ts';
import { until } from '../../support/fixture.ts';
import { askForLook, beginWatching, dropFile } from '../../support/folder-steps.ts';
import { importSteps } from '../../support/import-steps.ts';
import { memoryOf, watchChildren } from '../../support/process-memory.ts';
import { isLong } from '../../support/queue-backend.ts';
import { testOnStack } from '../../support/test.ts';
import { fileOf } from '../../support/watched-folder.ts';

const test = testOnStack({
  names: ['api', 'parse-worker', 'enrich-worker', ...(isLong ? (['folder-worker'] as const) : [])],
  env: { FOLDER_SETTLE_MS: '200' },
});

/** Of each kind the worst; the long form has all. */
const short = [
  '30 names of hidden styles of 1 MB',
  'gzip of 60,000 members',
  '4,000 pictures and 200 cells of 2,000 paths',
];
const chosen = [...hostileFiles].filter(([name]) => isLong || short.includes(name));
const mb = 2 ** 20;
/** What each process may take, and the child that converts. */
const memoryMax = 256 * mb;

test.for(chosen)(
  '%s: a sentence or an import, and others are served',
  async ([name, file], { stack, client }) => {
    const steps = importSteps(() => ({ ...stack, api: client }));
    const processes = [...stack.processes.values()];
    const memories = processes.map(({ pid }) => memoryOf(pid));
    for (const memory of memories) await memory.forgetPeak();
    const bytes = await file.make();
    const conversions = watchChildren(stack.process('api').pid);
    const begun = performance.now();
    const secondsSince = () => Math.round((performance.now() - begun) / 100) / 10;

    const sent = client.upload(csvForm(bytes, { filename: file.filename, before: { supplier: '' } }));
    const plain = await steps.upload(fileOf(`Beside ${name}`));
    const [reply, plainSeconds] = await Promise.all([
      sent.then((answer) => ({ ...answer, seconds: secondsSince() })),
      steps.reach(plain, 'queued', 'processed').then(secondsSince),
      client.call('GET', '/api/health').then(({ status }) => expect(status).toBe(200)),
    ]);
    const { id, message = '' } = reply.body as { id?: string; message?: string };
    let outcome = `${reply.status} ${message}`;
    if (id === undefined) {
      expect([400, 413], outcome).toContain(reply.status);
      expect(message).toMatch(/^[A-Z].*\.$/);
    } else {
      const { status, error_message: error } = await steps.reach(id, 'queued', 'processed', 'failed');
      outcome = `${status} after ${secondsSince()} s: ${error ?? ''}`;
    }
    const names = [...processes.map((process) => process.name), 'conversion'];
    const peaks = [...(await Promise.all(memories.map((memory) => memory.peakBytes()))), conversions.stop()];
    const peakTexts = peaks.map((peak, at) => `${names[at]} ${Math.round(peak / mb)} MB`);
    if (isLong) {
      const size = `${(bytes.length / mb).toFixed(2)} MB`;
      console.log(
        [name, size, `${reply.seconds} s`, `beside ${plainSeconds} s`, ...peakTexts, outcome].join(' | '),
      );
    }
    for (const process of processes)
      expect(process.isRunning(), `${process.name}\n${process.output()}`).toBe(true);
    expect(Math.max(...peaks), peakTexts.join(', ')).toBeLessThan(memoryMax);
  },
);

test.runIf(isLong)('a watched folder takes the list behind a hostile file', async ({ stack }) => {
  await beginWatching(stack);
  const { make } = hostileFiles.get('30 names of hidden styles of 1 MB') ?? {};
  if (!make) throw new Error('There is no such file');
  await dropFile(stack.watchFolder, 'a.ods', await make());
  await dropFile(stack.watchFolder, 'b.csv', fileOf('Behind'));
  const stateOf = async (path: string) => {
    const { rows } = await stack.database.pool.query(
      'select state, reason from watched_files where name = $1',
      [path],
    );
    return rows[0];
  };
  await until(
    'both files are done',
    async () => {
      await askForLook(stack);
      return (await stateOf('a.ods'))?.state === 'refused' && (await stateOf('b.csv'))?.state === 'taken';
    },
    110_000,
  ).catch(async (error: Error) => {
    throw new Error(`${error.message}: ${JSON.stringify([await stateOf('a.ods'), await stateOf('b.csv')])}`);
  });
  expect(stack.process('folder-worker').isRunning()).toBe(true);
});
