import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Cells, parsers } from './bench-parsers.ts';
import { writeProductFile } from './product-file.ts';

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '200000' }, rounds: { type: 'string', default: '5' } },
});
const rows = Number(values.rows);
const rounds = Number(values.rounds);

const folder = mkdtempSync(path.join(tmpdir(), 'draftshelf-bench-'));
try {
  for (const kind of ['ascii', 'accented', 'quoted'] as const) {
    const file = path.join(folder, `${kind}.csv`);
    writeProductFile(file, rows, kind);
    const megabytes = statSync(file).size / 1e6;
    console.log(
      `${rows} rows of 12 columns, ${megabytes.toFixed(0)} MB, ${kind}; median of ${rounds} alternating rounds`,
    );
    const times = await timed(file);
    const slowest = medianOf(times.get('fast-csv') ?? []);
    for (const [name, all] of times) {
      const ms = medianOf(all);
      const line = [
        name.padEnd(12),
        `${ms.toFixed(0).padStart(7)} ms`,
        `${(rows / ms / 1000).toFixed(2).padStart(6)} M rows/s`,
        `${(slowest / ms).toFixed(1).padStart(6)} × fast-csv`,
      ];
      console.log(line.join('  '));
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** Milliseconds of every round by parser. Throws if two parsers give different cells. */
async function timed(file: string): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(parsers.map(({ name }) => [name, []]));
  let first: Cells | undefined;
  // The first round is a warm-up and not counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, parse } of parsers) {
      const begun = performance.now();
      const cells = await parse(file);
      if (round > 0) times.get(name)?.push(performance.now() - begun);
      first ??= cells;
      if (JSON.stringify(cells) !== JSON.stringify(first)) {
        throw new Error(
          `${name} gave different cells: ${JSON.stringify(cells)}, not ${JSON.stringify(first)}`,
        );
      }
    }
  }
  return times;
}

function medianOf(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
