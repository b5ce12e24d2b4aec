import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { findImport } from '@draftshelf/core/imports/imports';
import type { BenchStack } from './bench-stack.ts';
import { uploadFile } from './upload-file.ts';

const lookEveryMs = 20;

/** The calls of the fairness benchmark, each with its duration. */
export function fairnessCalls(stack: BenchStack) {
  const { apiUrl, cookie, database } = stack;
  const call = async (method: string, path: string, body?: object | FormData) => {
    const begun = performance.now();
    const isForm = body instanceof FormData;
    const answer = await fetch(`${apiUrl}${path}`, {
      method,
      headers: { cookie, ...(body && !isForm ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    return { status: answer.status, text, tookMs: performance.now() - begun };
  };
  const mustDo = async (method: string, path: string, body?: object | FormData): Promise<string> => {
    const { status, text } = await call(method, path, body);
    if (status !== 200) throw new Error(`${method} ${path} answered ${status}: ${text}`);
    return text;
  };
  const uploadBlob = async (csv: Blob, filename: string): Promise<string> => {
    const form = new FormData();
    form.append('csv', csv, filename);
    return (JSON.parse(await mustDo('POST', '/api/upload', form)) as { id: string }).id;
  };
  return {
    call,
    mustDo,
    /** Uploads a file from the disk; returns the import's id. */
    uploadFile: (path: string) => uploadFile(stack, path),
    /** Uploads a file with unique valid products. */
    uploadProducts: (rows: number) => uploadBlob(new Blob([productCsv(rows)]), `${rows} products.csv`),
    uploadText: (csv: string, filename: string) => uploadBlob(new Blob([csv]), filename),
    /** Waits until this many rows of the import are stored. */
    async stored(id: string, rows: number, msMax: number): Promise<void> {
      const deadline = performance.now() + msMax;
      while (((await findImport(database.db, id))?.parsed_rows ?? 0) < rows) {
        if (performance.now() > deadline) throw new Error(`Not ${rows} rows within ${msMax} ms`);
        await pause(lookEveryMs);
      }
    },
    /** Waits until the import has one of the statuses; throws if it fails or takes too long. */
    async reach(id: string, statuses: readonly ImportRecord['status'][], msMax: number): Promise<void> {
      const deadline = performance.now() + msMax;
      for (;;) {
        const record = await findImport(database.db, id);
        if (record && statuses.includes(record.status)) return;
        if (record?.status === 'failed') throw new Error(`The import failed: ${record.error_message}`);
        if (performance.now() > deadline) throw new Error(`Not ${statuses.join(' or ')} within ${msMax} ms`);
        await pause(lookEveryMs);
      }
    },
  };
}

export type FairnessCalls = ReturnType<typeof fairnessCalls>;

function productCsv(rows: number): string {
  const file = randomUUID().slice(0, 8);
  const lines = Array.from({ length: rows }, (_, i) => {
    return `Vase ${file} ${i},${i + 1}.50,${file}-${i},Acme,https://example.com/${file}/${i}.jpg\n`;
  });
  return `Title,Price,SKU,Brand,Image\n${lines.join('')}`;
}

/**
 * Records price edits of `count` rows spread over an import, as if an operator had made them, for a re-read to carry
 * over. The rows themselves are not changed, because the re-read replaces them.
 */
export async function recordEdits({ database }: BenchStack, importId: string, count: number): Promise<void> {
  await database.pool.query(
    `with command as (
       insert into edit_commands (import_id, kind, rows) values ($1, 'single', $2::int) returning id
     )
     insert into edits (import_id, command, row, byte_from, field, before, after)
     select import_id, command.id, row, byte_from, 'price', price, '9.99' from rows, command
     where import_id = $1 and row % greatest(1, (select total_rows / $2::int from import_records where id = $1)) = 0
     order by row limit $2::int`,
    [importId, count],
  );
}
