import { createWriteStream, renameSync, statSync, type WriteStream } from 'node:fs';

/** A program's two log files together take at most twice this. */
const fileBytesMax = 10 * 1024 * 1024;

/** A program's log; write never throws and never waits. */
export type LogFile = { readonly file: string; write: (text: string) => void };

/**
 * Appends to a file; a full one is renamed to `<file>.1` and a new one is started. Output that cannot be written (a
 * full disk) is dropped: a log must not stop the program.
 */
export function openLogFile(file: string): LogFile {
  let bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  let stream = append(file);
  return {
    file,
    write: (text) => {
      if (bytes > fileBytesMax) {
        stream.end();
        renameIfPossible(file);
        bytes = 0;
        stream = append(file);
      }
      bytes += Buffer.byteLength(text);
      stream.write(text);
    },
  };
}

function append(file: string): WriteStream {
  const stream = createWriteStream(file, { flags: 'a', mode: 0o600 });
  stream.on('error', () => {});
  return stream;
}

/** The file may have been removed, or its directory may be unreadable; appending is tried anyway. */
function renameIfPossible(file: string): void {
  try {
    renameSync(file, `${file}.1`);
  } catch {}
}
