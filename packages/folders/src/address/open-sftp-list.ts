import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { callWithTimeout, rejectOnAbort } from '@draftshelf/runtime/answer-within';
import type { Algorithms, Client, FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import { limitPace } from '../pieces-in-time.ts';
import {
  createNoFileError,
  type ListRequest,
  ListUnreadable,
  type OpenedList,
  type OpenOptions,
  toListUnreadable,
} from './opened-list.ts';

const handshakeMsMax = 20_000;
const usualPort = 22;
/** Maximum number of names in a folder that are compared with the pattern. */
const namesMax = 30_000;

/** Algorithms without SHA-1, which current servers do not need. */
const algorithms: Algorithms = {
  serverHostKey: { remove: ['ssh-rsa'], append: [], prepend: [] },
  hmac: { remove: ['hmac-sha1', 'hmac-sha1-etm@openssh.com'], append: [], prepend: [] },
};

/**
 * Opens a file of an sftp server, or the newest file whose name matches a pattern with '*'. The connection is used
 * only for this list and ends with it. Throws ListUnreadable, or the signal's reason.
 */
export async function openSftpList(request: ListRequest, options: OpenOptions): Promise<OpenedList> {
  const { host } = request.address;
  const { signal } = request;
  const { client, hostKey } = await connect(request, options);
  const end = () => void client.destroy();
  signal.addEventListener('abort', end, { once: true });
  const inTime: InTime = (start) =>
    callWithTimeout(options.pace.pieceMsMax, host, () => rejectOnAbort(promisify(start)(), signal));
  try {
    const sftp = await inTime<SFTPWrapper>((done) => client.sftp(done));
    const { path, stats } = await findFile(sftp, request, inTime);
    const etag = `${path} ${stats.size} ${stats.mtime}`;
    if (request.known.etag === etag) {
      end();
      return { is: 'unchanged' };
    }
    async function* pieces(): AsyncGenerator<Buffer> {
      let bytes = 0;
      try {
        const stream: AsyncIterable<Buffer> = sftp.createReadStream(path);
        for await (const piece of limitPace(stream, host, options.pace, signal)) {
          bytes += piece.length;
          if (bytes > stats.size) break;
          yield piece;
        }
        const now = await inTime<Stats>((done) => sftp.lstat(path, done));
        if (bytes !== stats.size || now.size !== stats.size || now.mtime !== stats.mtime)
          throw new ListUnreadable('cut off', `The list at ${host} changed while it was read.`, {
            detail: `${bytes} of ${stats.size} bytes came.`,
          });
      } catch (error) {
        throw asUnreadable(error, request);
      } finally {
        end();
      }
    }
    return {
      ...{ is: 'list', name: path.split('/').at(-1) ?? '', hostKey, pieces: pieces() },
      ...{ version: { etag, lastModified: null }, modifiedAt: new Date(stats.mtime * 1000) },
    };
  } catch (error) {
    end();
    throw asUnreadable(error, request);
  }
}

async function connect(request: ListRequest, options: OpenOptions) {
  const { address, signIn, hostKey, signal } = request;
  if (signIn.kind === 'none' || signIn.kind === 'header')
    throw new ListUnreadable('sign in', 'The server needs a user name.');
  const { user: username, kind: _, ...secret } = signIn;
  // The module is imported before the socket opens: until the client listens, a socket error would end the process.
  const { Client } = await import('ssh2');
  const client: Client = new Client();
  let shown = '';
  let socket: Socket | undefined;
  try {
    socket = await options.connect(new URL(address.url), usualPort, signal);
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
    // This listener stays for the client's lifetime, because an error without a listener would end the process.
    client.on('error', reject);
    client.on('ready', resolve);
    client.on('close', () => reject(new Error('The connection was closed.')));
    ready.catch(() => {});
    client.connect({
      ...{ sock: socket, readyTimeout: handshakeMsMax, algorithms, username, ...secret },
      hostVerifier: (key: Buffer) => {
        shown = `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
        return hostKey === null || hostKey === shown;
      },
    });
    await rejectOnAbort(ready, signal);
    return { client, hostKey: shown };
  } catch (error) {
    client.destroy();
    socket?.destroy();
    if (signal.aborted || hostKey === null || shown === '' || shown === hostKey)
      throw asUnreadable(error, request);
    const sentence = `${address.host} shows another key than before. Ask the supplier whether they changed it.`;
    throw new ListUnreadable('host key', sentence, { detail: shown });
  }
}

type Start<T> = (done: (error: Error | null | undefined, value: T) => void) => void;

/** Runs a call to the server with a time limit. */
type InTime = <T>(start: Start<T>) => Promise<T>;

type FoundFile = { path: string; stats: Pick<Stats, 'size' | 'mtime'> };

/** Finds the file for an address. Symbolic links are not followed. */
async function findFile(
  sftp: SFTPWrapper,
  { address: { url, host } }: ListRequest,
  inTime: InTime,
): Promise<FoundFile> {
  // '/~/list.csv' is relative to the folder in which the server starts a session.
  const path = decodeURIComponent(new URL(url).pathname).replace(/^\/~\//, './');
  const [, folder = '', pattern = ''] = /^(.*)\/([^/]*)$/.exec(path) ?? [];
  if (!pattern.includes('*')) {
    const stats = await inTime<Stats>((done) => sftp.lstat(path, done));
    if (!stats.isFile()) throw createNoFileError(host);
    return { path, stats };
  }
  // In a pattern, only '*' is special. A pattern never matches a name that begins with a dot.
  const fits = new RegExp(`^(?!\\.)${pattern.split(/\*+/).map(RegExp.escape).join('[^/]*')}$`, 'u');
  let newest: FoundFile | undefined;
  for (const { filename, attrs } of await listFolder(sftp, folder === '' ? '/' : folder, inTime)) {
    if (!fits.test(filename) || !attrs.isFile()) continue;
    if (!newest || attrs.mtime > newest.stats.mtime) newest = { path: `${folder}/${filename}`, stats: attrs };
  }
  if (!newest) throw createNoFileError(host);
  return newest;
}

async function listFolder(sftp: SFTPWrapper, folder: string, inTime: InTime): Promise<FileEntryWithStats[]> {
  const handle = await inTime<Buffer>((done) => sftp.opendir(folder, done));
  const found: FileEntryWithStats[] = [];
  while (found.length < namesMax) {
    const part = await inTime<FileEntryWithStats[]>((done) => sftp.readdir(handle, done)).catch((error) => {
      if (codeOf(error) === 1) return [];
      throw error;
    });
    if (part.length === 0) break;
    found.push(...part);
  }
  return found;
}

/** Returns an SFTP status: 1 end of file, 2 no such file, 3 permission denied. */
const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

function asUnreadable(thrown: unknown, { address: { host }, signal }: ListRequest): unknown {
  if (signal.aborted) return signal.reason;
  const error = toListUnreadable(thrown, host);
  if (error instanceof ListUnreadable || !(error instanceof Error)) return error;
  const { message: detail, level } = error as Error & { level?: string };
  if (level === 'client-authentication')
    return new ListUnreadable('sign in', `${host} refuses the sign-in.`, { detail });
  if (/privatekey|passphrase/i.test(detail))
    return new ListUnreadable('sign in', 'The private key can’t be read. Check it and its passphrase.');
  if (codeOf(error) === 2) return createNoFileError(host);
  if (codeOf(error) === 3)
    return new ListUnreadable('not found', `${host} doesn’t let you read this file.`, { detail });
  return new ListUnreadable('network', `${host} can’t be reached.`, { detail });
}
