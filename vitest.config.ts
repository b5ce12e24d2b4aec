import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Longest time that a test that starts processes may take on a busy machine. */
const processTestMsMax = 120_000;

/** Wait of expect.poll where processes or a browser run, like their other waits; its default is one second. */
const polledInProcesses = { poll: { timeout: 100_000 } };
/** Below the time-out of a unit test. */
const polledInUnits = { poll: { timeout: 20_000 } };

/** Tests of servers, of thousands of files and of 100,000 commands, which would make the quick check slow. */
const slowUnits = [
  'infra/{s3/s3-server,supervisor,embedded-postgres}.test.ts',
  'packages/csv/src/polluted.test.ts',
  'packages/domain/src/review/operations/random-amounts.test.ts',
];

/**
 * Only in the long form, npm run test:long: hundreds of megabytes, whole backups and developing, quotas, lost workers,
 * four push workers, hostile texts and files, the size of a table, limits and ends of re-reads, alerts, calls under way,
 * lost answers, conversions, changes of the store, keys of sources, SFTP, limits of services, questions to AI, gone
 * products, undos of variants, and random histories.
 */
const longIntegration = [
  'tests/integration/operations/{api-memory,photo-memory,heap,alert-rules,restore-million,upgrade-million,backup-command,dev,import-log,restore-push}.test.ts',
  'tests/integration/operations/{schema-gate,keeper,left-overs,api-start}.test.ts',
  'tests/integration/pipeline/{poison-chunk,processes,import-progress,hostile-cells,calls,admission}.test.ts',
  'tests/integration/push/{push-workers,push-claims,feed-full-auto,push-unsure,change-store,match-suppliers}.test.ts',
  'tests/integration/{lookups/quotas,lookups/source-keys,lookups/file-pictures,folders/sftp-feeds}.test.ts',
  'tests/integration/{rows/row-texts,rows/table-size,retention/kept-places,reread/reread-ends,reread/reread-limits}.test.ts',
  'tests/integration/upload/{sheet-histories,hostile-files,conversion-ends,workbook-limits}.test.ts',
  'tests/integration/{suppliers/carried-histories,suppliers/recipe-histories,suppliers/leaving-suppliers}.test.ts',
  'tests/integration/{ai/asking,undo/gone-run,undo/undo-variants}.test.ts',
];

/**
 * Only in the long form: storms, kills at each place of a story, and the kill of the queue. The short form has the
 * simulation in their place, and processes that are killed with each kind of background work.
 */
const longFaults = [
  'tests/faults/{push-storm,command-storm,drive-storm,scanner-storm,folder-storm,feed-storm,undo-storm}.test.ts',
  'tests/faults/{reread-faults,file-kills,list-kills,text-kills,gone-kills,deaths,ai-budget,added-rows}.test.ts',
  'tests/faults/{edits-during-push,scanner-sync,short-postgres,short-redis}.test.ts',
];

/** Files that start first, in this order, because they take long although they are short. */
const firstFiles = [
  ...['simulation', 'months-story'],
  ...['start', 'upgrade', 'lookups', 'backup', 'added-rows'],
  ...['plan', 'shopify', 'story', 'job-rows', 'settings', 'job-page', 'axe', 'upload-steps', 'grid'],
];

/** A worker keeps what its files share only as long as the next file is of the same project. */
const folders = ['/tests/faults/', '/tests/integration/', '/tests/e2e/'];

/** The processes that a file uses, by their name in tests/support/test.ts. */
const processesOf = (file: string) =>
  /\btests?On(?:Workers|Backends)\((\w+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';

/**
 * Sorts by project, then long files first, then files with the same processes together, which are otherwise stopped
 * and started between them.
 */
const orderOf = ({ moduleId: file }: TestSpecification): string => {
  const at = firstFiles.findIndex((name) => file.endsWith(`/${name}.test.ts`));
  const group = at === -1 ? `then ${processesOf(file)}` : `first ${String(at).padStart(2, '0')}`;
  return `${folders.findIndex((folder) => file.includes(folder))} ${group}`;
};

/** Vitest goes by size where it knows no times of an earlier run. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ordered = (await super.sort(files)).map((file) => ({ file, order: orderOf(file) }));
    return ordered.toSorted((a, b) => a.order.localeCompare(b.order)).map(({ file }) => file);
  }
}

/**
 * Node loads the files itself. Vite's loader turns each use of an imported name into a look-up in a module's exports,
 * which costs tests that run the api in their process about 8 % of their time. It is needed for files that Node cannot
 * read (.tsx), and for mocked modules, which no test has.
 */
const loadedByNode = { viteModuleRunner: false, nodeLoader: false };

type Units = { loader?: typeof loadedByNode; include: string[]; exclude?: string[] };

/** Files of a worker share its imports: none of them changes what another one sees. */
const units = (name: string, { loader, include, exclude = [] }: Units) => ({
  test: {
    name,
    experimental: loader,
    isolate: false,
    include,
    exclude: ['**/node_modules/**', '**/dist/**', ...exclude],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: polledInUnits,
  },
});

const integration = (name: string, files: { include: string[]; exclude?: string[] }) => ({
  test: {
    name,
    experimental: loadedByNode,
    // The files of a worker share its imports.
    isolate: false,
    ...files,
    globalSetup: ['tests/support/services.ts'],
    testTimeout: 2 * processTestMsMax,
    hookTimeout: 2 * processTestMsMax,
    expect: polledInProcesses,
  },
});

const e2e = (name: string, files: string) => ({
  test: {
    name,
    experimental: loadedByNode,
    // The files of a worker share its imports, the processes and the browser.
    isolate: false,
    include: [files],
    globalSetup: ['tests/e2e/browser-services.ts'],
    // The longest story takes 20 s, on an overloaded machine ten times that.
    testTimeout: 2 * processTestMsMax,
    hookTimeout: processTestMsMax,
    expect: polledInProcesses,
  },
});

const faults = (name: string, files: { include: string[]; exclude?: string[] }) => ({
  test: {
    name,
    experimental: loadedByNode,
    // The files of a worker share its imports.
    isolate: false,
    ...files,
    globalSetup: ['tests/support/services.ts'],
    testTimeout: 10 * processTestMsMax,
    hookTimeout: processTestMsMax,
    expect: polledInProcesses,
  },
});

export default defineConfig({
  test: {
    sequence: { sequencer: LongFilesFirst },
    // Most tests wait for processes: with as many workers as cores, a third of the processor time stays unused.
    maxWorkers: availableParallelism() + 1,
    // A worker stops the processes that its files share.
    teardownTimeout: 60_000,
    projects: [
      units('unit', {
        loader: loadedByNode,
        include: [
          '{packages,infra,scripts}/**/*.test.ts',
          'apps/!(web)/**/*.test.ts',
          'tests/{bench,spec}/*.test.ts',
        ],
        exclude: slowUnits,
      }),
      // Vite loads the components that these tests import.
      units('unit-web', { include: ['apps/web/**/*.test.{ts,tsx}'] }),
      units('slow-unit', { loader: loadedByNode, include: slowUnits }),
      units('store', { loader: loadedByNode, include: ['tests/store/**/*.test.ts'] }),
      integration('integration', { include: ['tests/integration/**/*.test.ts'], exclude: longIntegration }),
      integration('integration-long', { include: longIntegration }),
      e2e('e2e', 'tests/e2e/*.test.ts'),
      e2e('e2e-long', 'tests/e2e/long/*.test.ts'),
      faults('faults', { include: ['tests/faults/*.test.ts'], exclude: longFaults }),
      faults('faults-storms', { include: longFaults }),
      {
        test: {
          name: 'faults-long',
          include: ['tests/faults/long/*.test.ts'],
          testTimeout: 24 * 60 * 60_000,
          hookTimeout: processTestMsMax,
          fileParallelism: false,
          disableConsoleIntercept: true,
        },
      },
    ],
  },
});
