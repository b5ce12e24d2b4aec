import { createHash } from 'node:crypto';
import { createWriteStream, constants as flags } from 'node:fs';
import { type FileHandle, link, lstat, open, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { BackupError, type StoredFile } from './manifest.ts';

/** The fastest level of compression keeps up with a disk. Rows shrink to about a sixth. */
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

function meter() {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    async *pass(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const piece of pieces) {
        hash.update(piece);
        bytes += piece.length;
        yield piece;
      }
    },
    read: () => ({ bytes, sha256: hash.digest('hex') }),
  };
}

/** Writes a file and waits until it is on the disk. Throws stream or file errors, or the signal's reason. */
export async function storeFile(
  directory: string,
  name: string,
  content: Readable,
  { isCompressed, signal }: { isCompressed: boolean; signal: AbortSignal },
): Promise<StoredFile> {
  const { pass, read } = meter();
  const file = createWriteStream(path.join(directory, name), { flags: 'wx', mode: 0o600, flush: true });
  if (isCompressed) await pipeline(content, createZstdCompress(compression), pass, file, { signal });
  else await pipeline(content, pass, file, { signal });
  return { path: name, ...read() };
}

/** Links an earlier backup's file instead of copying it. Returns false if that file is gone, shorter or unlinkable. */
export async function linkFile(earlier: string, file: StoredFile, directory: string, name: string) {
  const from = path.join(earlier, file.path);
  const to = path.join(directory, name);
  try {
    const found = await lstat(from);
    if (!found.isFile() || found.size !== file.bytes) return false;
    await link(from, `${to}.link`);
    await rename(`${to}.link`, to);
    // A rename does nothing if both names are links to one file, so the temporary name is removed.
    await rm(`${to}.link`, { force: true });
    return true;
  } catch {
    return false;
  }
}

/** Opens a file of a backup. Throws if it is not a regular file, or if a link leads out of the folder. */
async function openStored(directory: string, { path: name }: StoredFile): Promise<FileHandle> {
  const file = path.join(await realpath(directory), name);
  if ((await realpath(file)) !== file) throw new Error(`${file} is a link`);
  // Without O_NONBLOCK, opening a pipe without a writer would block.
  const handle = await open(file, flags.O_RDONLY | flags.O_NOFOLLOW | flags.O_NONBLOCK);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new Error(`${file} is not a regular file`);
}

export function streamStoredFile(directory: string, file: StoredFile): Readable {
  const pieces = async function* () {
    const handle = await openStored(directory, file);
    yield* handle.createReadStream({ highWaterMark: 256 * 1024 });
  };
  return Readable.from(pieces(), { objectMode: false });
}

/** Returns the uncompressed content. The file is also closed if the reader stops early. */
export function streamUncompressed(directory: string, file: StoredFile): Readable {
  const content = createZstdDecompress();
  // An error reaches the reader through `content`, so it is ignored here.
  void pipeline(streamStoredFile(directory, file), content).catch(() => {});
  return content;
}

/** Throws BackupError if a file of a backup is missing, changed, or not a regular file of the right size. */
export async function checkFile(directory: string, file: StoredFile, signal: AbortSignal): Promise<void> {
  const name = path.join(directory, file.path);
  const { pass, read } = meter();
  let size: number;
  try {
    const handle = await openStored(directory, file);
    ({ size } = await handle.stat());
    // The size is compared before reading, because a changed file may be very large.
    if (size !== file.bytes) await handle.close();
    else for await (const _ of pass(handle.createReadStream())) signal.throwIfAborted();
  } catch (cause) {
    signal.throwIfAborted();
    throw new BackupError(`${name} of the backup is missing or cannot be read. ${nothingRestored}`, {
      cause,
    });
  }
  if (size < file.bytes) throw new BackupError(`${name} of the backup is cut off. ${nothingRestored}`);
  if (size > file.bytes || read().sha256 !== file.sha256) {
    throw new BackupError(`${name} of the backup was changed. ${nothingRestored}`);
  }
}

const nothingRestored = 'Nothing was restored; use another copy of the backup.';
