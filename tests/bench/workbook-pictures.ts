import { randomBytes } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { pngChunk, pngOf, pngParts } from '@draftshelf/domain/testing/sample-pictures';
import type { AppName } from '@draftshelf/infra/app-mains';
import { zipFile } from '@draftshelf/workbooks/testing/zip-file';
import { memoryOf } from '../support/process-memory.ts';
import { type BenchStack, startBenchStack } from './bench-stack.ts';
import { describeMachine } from './figures.ts';
import { processorSeconds } from './processor.ts';
import { uploadFile } from './upload-file.ts';

const apps = ['api', 'parse-worker', 'enrich-worker'] as const satisfies readonly AppName[];
/** A run of the workers over a small archive, so that an idle process is one that has worked. */
const warmUpPictures = 200;

/** Measures an archive of a list and so many pictures through the real processes. */
export async function measurePictures(pictures: number, pictureBytes: number): Promise<void> {
  const stack = await startBenchStack(apps);
  try {
    console.log(await describeMachine(stack.database));
    await takeArchive(stack, 'W', warmUpPictures, pictureBytes);
    const idle = await Promise.all(apps.map((name) => memoryOf(stack.app(name).pid).residentBytes()));
    const before = apps.map((name) => processorSeconds(stack.app(name).pid));
    for (const name of apps) await memoryOf(stack.app(name).pid).forgetPeak();
    const { bytes, upload, ready } = await takeArchive(stack, 'P', pictures, pictureBytes);
    console.log(
      `${pictures} pictures of ${Math.round(pictureBytes / 1000)} KB, archive of ${megabytes(bytes)}`,
    );
    console.log(
      `upload answered after ${upload.toFixed(1)} s, all pictures matched after ${ready.toFixed(1)} s`,
    );
    for (const [at, name] of apps.entries()) {
      const { pid } = stack.app(name);
      const above = (await memoryOf(pid).peakBytes()) - (idle[at] ?? 0);
      const used = processorSeconds(pid) - (before[at] ?? 0);
      console.log(
        `${name.padEnd(14)} ${used.toFixed(1).padStart(6)} processor s   idle ${megabytes(idle[at] ?? 0)}, at most ${megabytes(above)} above`,
      );
    }
  } finally {
    await stack.close();
  }
}

/** Takes an archive with a product for each of its pictures, and waits until all are matched. */
async function takeArchive(stack: BenchStack, label: string, pictures: number, pictureBytes: number) {
  const { pool } = stack.database;
  const file = path.join(stack.dir, `${label}.zip`);
  await writeFile(file, await archiveOf(label, pictures, pictureBytes));
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1000;
  const id = await uploadFile(stack, file);
  const upload = seconds();
  for (;;) {
    const { rows } = await pool.query<{ open: number; matched: number }>(
      `select (select count(*) from chunks where import_id = $1 and state in ('pending', 'published'))::int as open,
        (select count(*) from picture_matches where import_id = $1 and row is not null and reason is null)::int
          as matched`,
      [id],
    );
    if (rows[0]?.open === 0) {
      if (rows[0].matched !== pictures)
        throw new Error(`${rows[0].matched} of ${pictures} pictures are matched`);
      return { bytes: (await stat(file)).size, upload, ready: seconds() };
    }
    await pause(200);
  }
}

async function archiveOf(label: string, pictures: number, pictureBytes: number): Promise<Uint8Array> {
  const numbers = Array.from({ length: pictures }, (_, at) => at + 1);
  const lines = numbers.map((n) => `${label}-${n},Vase ${label} ${n},${10 + (n % 90)}.50\n`);
  return zipFile([
    { name: 'list.csv', data: `SKU,Title,Price\n${lines.join('')}` },
    ...numbers.map((n) => ({
      name: `pictures/${label}-${n}.png`,
      data: pictureOf(pictureBytes),
      isStored: true,
    })),
  ]);
}

function pictureOf(bytes: number): Uint8Array {
  const [header = new Uint8Array()] = pngParts();
  const body = Buffer.concat([Buffer.from('IDAT'), randomBytes(bytes)]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(bytes);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return pngOf([header, chunk, pngChunk('IEND', new Uint8Array())]);
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
