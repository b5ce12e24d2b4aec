import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';

/** An append-only file of JSON lines; flushed records survive a kill -9 and a power failure. */
export type Journal = {
  append(record: object): void;
  /** Resolves when everything appended so far is on disk; concurrent calls share one fsync. */
  flushed(): Promise<void>;
  close(): Promise<void>;
};

const fileName = 'store.jsonl';

/** Opens a journal and passes its records to `onRecord`, in order. Truncates the incomplete line of a crash. */
export async function openJournal(dir: string, onRecord: (record: unknown) => void): Promise<Journal> {
  await mkdir(dir, { recursive: true });
  const file = await open(join(dir, fileName), 'a+');
  const wholeBytes = await readRecords(file, onRecord);
  await file.truncate(wholeBytes);
  return createJournal(file);
}

/** Replaces the journal by one with only `records`; the old one stays until the new one is on disk. */
export async function rewriteJournal(dir: string, records: Iterable<object>): Promise<void> {
  const fresh = join(dir, `${fileName}.new`);
  const file = await open(fresh, 'w');
  let piece: string[] = [];
  for (const record of records) {
    piece.push(`${JSON.stringify(record)}\n`);
    if (piece.length < 1000) continue;
    await file.write(piece.join(''));
    piece = [];
  }
  await file.write(piece.join(''));
  await file.sync();
  await file.close();
  await rename(fresh, join(dir, fileName));
  const directory = await open(dir, 'r');
  await directory.sync();
  await directory.close();
}

/** Returns the number of bytes up to the last complete line. */
async function readRecords(file: FileHandle, onRecord: (record: unknown) => void): Promise<number> {
  const newline = 0x0a;
  let rest = Buffer.alloc(0);
  let wholeBytes = 0;
  for await (const piece of file.createReadStream({ start: 0, autoClose: false, highWaterMark: 1 << 20 })) {
    const bytes = Buffer.concat([rest, piece as Buffer]);
    let from = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
      onRecord(JSON.parse(bytes.toString('utf8', from, end)));
      from = end + 1;
    }
    wholeBytes += from;
    rest = bytes.subarray(from);
  }
  return wholeBytes;
}

function createJournal(file: FileHandle): Journal {
  let lines: string[] = [];
  let last: Promise<void> = Promise.resolve();
  /** The next write, not begun yet: it contains everything appended before it begins. */
  let next: Promise<void> | null = null;

  async function writeLines(): Promise<void> {
    next = null;
    const piece = lines.join('');
    lines = [];
    if (piece === '') return;
    await file.appendFile(piece);
    await file.datasync();
  }

  return {
    append(record) {
      lines.push(`${JSON.stringify(record)}\n`);
    },
    flushed() {
      if (!next) {
        next = last.then(writeLines);
        last = next;
      }
      return next;
    },
    async close() {
      await last;
      await file.close();
    },
  };
}
