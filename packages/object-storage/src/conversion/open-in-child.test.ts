import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { type ByteSource, toBytesSource } from '@draftshelf/workbooks/byte-source';
import type { TableNotices } from '@draftshelf/workbooks/open-container';
import { workbookFile } from '@draftshelf/workbooks/testing/workbook-file';
import { expect, test } from 'vitest';
import { openInChild } from './open-in-child.ts';

const limits = { fileBytesMax: 2 ** 20, archiveBytesMax: 2 ** 20, columnsMax: 100, cellBytesMax: 2 ** 16 };
const never = new AbortController().signal;
const workbook = () =>
  workbookFile({
    sheets: [
      {
        name: 'Prices',
        rows: [
          ['Title', 'Price'],
          ['Lamp', 1],
        ],
      },
    ],
  });

/** The children of this process that convert files. */
function conversions(): number[] {
  const lines =
    process.platform === 'linux'
      ? readdirSync('/proc').flatMap(procLine)
      : execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    return parent === process.pid && line.includes('conversion-main') ? [Number(pid)] : [];
  });
}

/** A process as `ps` shows it, which not every system has. */
function procLine(pid: string): string[] {
  try {
    const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return [`${pid} ${parent} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8')}`];
  } catch {
    // It is none, or has ended.
    return [];
  }
}

/** A file whose bytes do not come until the test lets them. */
function heldSource(bytes: Uint8Array) {
  const asked = Promise.withResolvers<void>();
  const source: ByteSource = {
    bytes: bytes.length,
    async *stream() {
      asked.resolve();
      await new Promise(() => {});
      yield bytes;
    },
  };
  return { source, asked: asked.promise };
}

test('a workbook is read in a process of its own, which ends with it', async () => {
  const container = await openInChild(toBytesSource(await workbook()), limits, never);
  expect(container.tables).toMatchObject([{ name: 'Prices' }]);
  const hiddenRows: number[] = [];
  const onNotices = (notices: TableNotices) => hiddenRows.push(notices.hiddenRows);
  const pieces = await Array.fromAsync(container.read(container.tables[0]?.n ?? 0, { onNotices }));
  expect([Buffer.concat(pieces).toString(), hiddenRows]).toEqual(['Title,Price\nLamp,1\n', [0]]);
  expect(await container.pictures()).toEqual({ pictures: [], isCut: false });
  const [pid = 0] = conversions();
  container.close();
  await expect.poll(conversions).not.toContain(pid);
});

test.each([
  // As V8 ends a process whose heap is full.
  ['SIGABRT', 'The file needs more memory than a file may take.'],
  ['SIGKILL', 'The program that reads workbooks ended before it had read the file.'],
] as const)(
  'the death of a conversion by %s is a sentence, and ends nothing else',
  async (signal, sentence) => {
    const { source, asked } = heldSource(await workbook());
    const opening = openInChild(source, limits, never);
    await asked;
    for (const pid of conversions()) process.kill(pid, signal);
    await expect(opening).rejects.toMatchObject({
      code: 'conversion_died',
      message: `${sentence} Save the list as CSV and upload that.`,
      cause: new Error(`The conversion ended with ${signal}`),
    });
  },
);

test('a conversion ends with its signal, and with an error of the source', async () => {
  const ends = new AbortController();
  const { source, asked } = heldSource(await workbook());
  const opening = openInChild(source, limits, ends.signal);
  await asked;
  ends.abort(new Error('nobody waits'));
  await expect(opening).rejects.toThrow('nobody waits');
  const lost: ByteSource = {
    bytes: 100,
    // biome-ignore lint/correctness/useYield: it fails before its first piece.
    async *stream() {
      throw new Error('storage is away');
    },
  };
  await expect(openInChild(lost, limits, never)).rejects.toThrow('storage is away');
  await expect.poll(conversions).toEqual([]);
});

test('what is wrong with a file is said as without a process of its own', async () => {
  const cut = (await workbook()).subarray(0, 200);
  await expect(openInChild(toBytesSource(cut), limits, never)).rejects.toMatchObject({
    name: 'ContainerError',
    code: 'workbook_damaged',
  });
});
