import { isDatabaseUnavailable } from '@draftshelf/core/connection/database';
import { until } from '../support/fixture.ts';
import { askForLook, dropFile } from '../support/folder-steps.ts';
import type { Stack } from '../support/stack.ts';
import { rowDifferences } from './differences.ts';
import { otherFaultsMsMax, reachRest } from './fault-stack.ts';
import { type Truth, truthOf } from './true-file.ts';

/** A file in the watched folder, and the expected result of its import. */
export type DroppedFile = { name: string; truth: Truth };

const rowsPerFile = 60;
let labels = 0;

/** Puts files into the watched folder. */
export async function dropFiles({ watchFolder }: Stack, count: number): Promise<DroppedFile[]> {
  const dropped: DroppedFile[] = [];
  for (let at = 0; at < count; at += 1) {
    labels += 1;
    const file = { name: `folder-${labels}.csv`, truth: truthOf(`W${labels}x`, rowsPerFile) };
    await dropFile(watchFolder, file.name, file.truth.csv);
    dropped.push(file);
  }
  return dropped;
}

/** Waits until each file has an import at rest. Returns what is wrong: a second import, or other rows. */
export async function folderDifferences(stack: Stack, dropped: readonly DroppedFile[]): Promise<string[]> {
  const wrong: string[] = [];
  const isImported = askingForLooks(stack);
  for (const { name, truth } of dropped) {
    await until(`${name} is imported`, () => isImported(name), otherFaultsMsMax);
    const [first, ...more] = await importsOf(stack, name);
    if (!first || more.length > 0) wrong.push(`${name} has ${1 + more.length} imports`);
    if (!first) continue;
    await reachRest(stack, first.id);
    wrong.push(...(await rowDifferences(stack, first.id, truth)).map((text) => `${name}: ${text}`));
  }
  return wrong;
}

const askEveryMs = 1_000;

/** Whether a file has an import; asks for looks at the folder meanwhile, and waits while the database is down. */
function askingForLooks(stack: Stack) {
  let askedAt = Number.NEGATIVE_INFINITY;
  return async (name: string): Promise<boolean> => {
    try {
      if (performance.now() - askedAt > askEveryMs) {
        askedAt = performance.now();
        await askForLook(stack);
      }
      return (await importsOf(stack, name)).length > 0;
    } catch (error) {
      if (isDatabaseUnavailable(error)) return false;
      throw error;
    }
  };
}

const importsOf = ({ database }: Stack, name: string) =>
  database.db
    .selectFrom('imports')
    .select('id')
    .where('source', '=', 'local')
    .where('filename', '=', name)
    .execute();
