import type { Stage } from '@draftshelf/domain/imports/stages';
import { until } from '../../support/fixture.ts';
import { rowDifferences } from '../differences.ts';
import type { Random } from '../fault-random.ts';
import { beginImport, type FaultStack, progressOf, reachRest, readImport } from '../fault-stack.ts';

/**
 * Kills a worker with -9 in the middle of its work and restarts it. Returns the time until every chunk that was
 * published at the kill is done, and what is wrong in the result.
 */
export async function measureRecovery(
  stack: FaultStack,
  during: Extract<Stage, 'parse' | 'enrich'>,
  random: Random,
): Promise<{ recoveredMs: number; wrong: string[] }> {
  const work = await beginImport(stack, 30_000, 500);
  const wanted = random.between(0, 0.5);
  await until('it is in the middle of the stage', async () => {
    const { done, total } = progressOf(await readImport(stack, work.id), during);
    return done > 0 && done >= wanted * total;
  });
  const name = `${during}-worker` as const;
  const killedAt = performance.now();
  stack.process(name).kill('SIGKILL');
  await stack.process(name).ended;
  const held = await stack.database.db
    .selectFrom('chunks')
    .select('id')
    .where('import_id', '=', work.id)
    .where('state', '=', 'published')
    .execute();
  await stack.start(name);
  await until(
    'what was published at the kill is done',
    async () => {
      const undone = await stack.database.db
        .selectFrom('chunks')
        .select('id')
        .where('id', 'in', [0, ...held.map(({ id }) => id)])
        .where('state', '<>', 'done')
        .execute();
      return undone.length === 0;
    },
    60_000,
  );
  const recoveredMs = performance.now() - killedAt;
  await reachRest(stack, work.id);
  return { recoveredMs, wrong: await rowDifferences(stack, work.id, work.truth) };
}
