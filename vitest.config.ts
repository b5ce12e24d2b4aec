import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Longest time that a test that starts processes may take on a busy machine. */
const processTestMsMax = 120_000;

/** Tests of servers and of thousands of files, which would make the quick check slow. */
const slowUnits = [
  'infra/{s3/s3-server,supervisor,embedded-postgres}.test.ts',
  'packages/csv/src/polluted.test.ts',
];

/** Tests of hundreds of megabytes: only in the long form, npm run test:long. */
const largeFiles =
  process.env.TEST_LONG === '1' ? [] : ['tests/integration/operations/{api-memory,heap}.test.ts'];

/** Files that take a minute or more although they are short. */
const longFiles = ['axe', 'overnight', 'polls', 'start', 'change-store', 'hostile-cells', 'push-storm'];
const isLong = ({ moduleId }: TestSpecification) =>
  longFiles.some((name) => moduleId.endsWith(`/${name}.test.ts`));

/** Among so many integration tests, which mostly compute, comes one file of fault tests, which mostly wait. */
const computingPerWaiting = 5;

/**
 * Starts long files first within their project: Vitest goes by size where it knows no times of an earlier run. Fault
 * and integration tests that run at the same time are mixed, else the processor would idle during the former.
 */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const ordered = sorted.toSorted((a, b) =>
      a.project.name === b.project.name ? Number(isLong(b)) - Number(isLong(a)) : 0,
    );
    const waiting = ordered.filter(({ project }) => project.name === 'faults');
    const others = ordered.filter(({ project }) => project.name !== 'faults');
    const mixed = others.flatMap((file, at) => [
      ...(at % computingPerWaiting === 0 ? waiting.splice(0, 1) : []),
      file,
    ]);
    return [...mixed, ...waiting];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFilesFirst },
    // Most tests wait for processes: with as many workers as cores, a third of the processor time stays unused.
    maxWorkers: availableParallelism() + 1,
    // A worker stops the processes that its files share.
    teardownTimeout: 60_000,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{packages,apps,infra,scripts}/**/*.test.{ts,tsx}', 'tests/bench/*.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**', ...slowUnits],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'slow-unit',
          include: slowUnits,
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'store',
          include: ['tests/store/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'integration',
          // The files of a worker share its imports.
          isolate: false,
          include: ['tests/integration/**/*.test.ts'],
          exclude: largeFiles,
          globalSetup: ['tests/support/services.ts'],
          testTimeout: processTestMsMax,
          hookTimeout: processTestMsMax,
        },
      },
      {
        test: {
          name: 'e2e',
          // The files of a worker share its imports, the processes and the browser.
          isolate: false,
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/e2e/browser-services.ts'],
          testTimeout: processTestMsMax,
          hookTimeout: processTestMsMax,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['tests/faults/*.test.ts'],
          globalSetup: ['tests/support/services.ts'],
          testTimeout: 10 * processTestMsMax,
          hookTimeout: processTestMsMax,
        },
      },
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
