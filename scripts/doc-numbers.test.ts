import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** A number in a page, and where it is in the code or in the record of its measurement. */
const numbers: [page: string, inPage: RegExp, file: string, inFile: RegExp][] = [
  [
    'README.md',
    /a parse worker takes at most (\d+) MB/,
    'docs/BENCHMARKS.md',
    /parse worker, peak in .*\((\d+) today\)/,
  ],
  [
    'README.md',
    /uses ([\d.]+) % of the rate of a simulated Standard/,
    'docs/BENCHMARKS.md',
    /Standard, 1, 300 ms .*? ([\d.]+) % \| 0 of/,
  ],
  [
    'README.md',
    /([\d,]+) products pushed through/,
    'docs/FAULTS.md',
    /\| ([\d,]+) products, \d+ kills -9 \|/,
  ],
  ['README.md', /pushed through (\d+) kills/, 'docs/FAULTS.md', /\| [\d,]+ products, (\d+) kills -9 \|/],
  [
    'README.md',
    /\| yes, (\d+) days \|/,
    'packages/core/src/push/pushed-states.ts',
    /pushedStateDays = (\d+)/,
  ],
  [
    'docs/why/work.md',
    /a push chunk has at most (\d+) products/,
    'packages/core/src/push/push-run.ts',
    /productsPerPushChunkMax = (\d+)/,
  ],
  [
    'docs/why/enrich.md',
    /Up to ([\d,]+) are decided as one command/,
    'packages/contract/src/wire.ts',
    /proposalsDecidedMax = ([\d_]+)/,
  ],
  [
    'docs/why/work.md',
    /live for (\d+) s after its heartbeat/,
    'packages/core/src/work/processes.ts',
    /liveForMs = (\d+)_000/,
  ],
  [
    'docs/OPERATIONS.md',
    /every night at (\d\d:\d\d), for/,
    'packages/runtime/src/env-catalog.ts',
    /prefault\('(\d\d:\d\d)'\)/,
  ],
  [
    'docs/OPERATIONS.md',
    /for (\d+) nights and \d+ Sundays/,
    'packages/runtime/src/env-catalog.ts',
    /BACKUP_KEEP: \{\s*schema: Count.prefault\('(\d+)'\)/,
  ],
  ['docs/OPERATIONS.md', /nights and (\d+) Sundays/, 'apps/keeper/src/back-up.ts', /sundaysKept = (\d+)/],
  [
    'docs/OPERATIONS.md',
    /none has succeeded for (\d+) days/,
    'packages/domain/src/operate/conditions.ts',
    /proofMs: (\d+) \* dayMs/,
  ],
  [
    'docs/OPERATIONS.md',
    /reads (\d+) files or photos from the storage/,
    'packages/backup/src/check-backup.ts',
    /sampledObjects = (\d+)/,
  ],
  [
    'docs/OPERATIONS.md',
    /The heap limit of each program is (\d+) MB/,
    'infra/launch.ts',
    /--max-old-space-size=(\d+)/,
  ],
];

test.each(numbers)('%s has the number %s of %s', (page, inPage, file, inFile) => {
  const shown = inPage.exec(read(page))?.[1]?.replaceAll(',', '');
  const known = inFile.exec(read(file))?.[1]?.replaceAll(/[,_]/g, '');
  expect(shown).toBeDefined();
  expect(shown).toBe(known);
});

test('the first page of OPERATIONS.md is a page, and the first screen of README.md a screen', () => {
  const lineOf = (page: string, heading: string) => read(page).split('\n').indexOf(heading);
  expect(lineOf('docs/OPERATIONS.md', '## Start')).toBeLessThanOrEqual(40);
  expect(lineOf('README.md', '## What runs')).toBeLessThanOrEqual(60);
});
