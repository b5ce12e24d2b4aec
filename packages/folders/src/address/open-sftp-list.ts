import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { ListSignIn } from '@draftshelf/domain/suppliers/list-address';
import type { GuardedConnect } from '@draftshelf/runtime/guarded-fetch';
import type { Algorithms, Client, FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import {
  asUnreachable,
  atPace,
  ListUnreadable,
  noFile,
  notFetchedHere,
  type OpenedList,
  type Pace,
  tooLarge,
  withinMs,
} from './opened-list.ts';

export type SftpOptions = { connect: GuardedConnect; isPublicFetched: boolean; bytesMax: number; pace: Pace };

export type SftpRequest = {
  address: { url: string; host: string };
  signIn: ListSignIn;
  /** The key that the server must show before anything is sent to it; null: any, which is returned. */
  hostKey: string | null;
  known: { etag: string | null };
  signal: AbortSignal;
};

const handshakeMsMax = 20_000;
const usualPort = 22;
/** Names in a folder that are looked at. */
const namesMax = 30_000;

/** Without SHA-1, which servers of this decade need no more. */
const algorithms: Algorithms = {
  serverHostKey: { remove: ['ssh-rsa'], append: [], prepend: [] },
  hmac: { remove: ['hmac-sha1', 'hmac-sha1-etm@openssh.com'], append: [], prepend: [] },
};

/**
 * Asks an sftp server for a file, or for the newest one of a folder whose name fits a pattern with '*'. One connection,
 * which ends with the list. Throws ListUnreadable, or the signal's reason.
 */
export async function openSftpList(request: SftpRequest, options: SftpOptions): Promise<OpenedList> {
  const { address, known, signal } = request;
  const { client, hostKey } = await connect(request, options);
  const end = () => void client.destroy();
  signal.addEventListener('abort', end, { once: true });
  try {
    const { host } = address;
    const { pieceMsMax } = options.pace;
    const sftp = await withinMs(
      pieceMsMax,
      host,
      call<SFTPWrapper>((done) => client.sftp(done)),
      signal,
    );
    const found = await withinMs(pieceMsMax, host, findFile(sftp, address), signal);
    const etag = `${found.path} ${found.stats.size} ${found.stats.mtime}`;
    if (known.etag === etag) {
      end();
      return { is: 'unchanged' };
    }
    if (found.stats.size > options.bytesMax) throw tooLarge(host);
    return {
      is: 'list',
      name: found.path.split('/').at(-1) ?? '',
      version: { etag, lastModified: null },
      modifiedAt: new Date(found.stats.mtime * 1000),
      hostKey,
      pieces: wholeFile(sftp, found, { request, options, end }),
    };
  } catch (error) {
    end();
    if (signal.aborted) throw signal.reason;
    throw asUnreadable(error, address.host);
  }
}

async function connect({ address, signIn, hostKey, signal }: SftpRequest, options: SftpOptions) {
  const url = new URL(address.url);
  const socket = await reach(url, options, signal);
  const { Client } = await import('ssh2');
  const client: Client = new Client();
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  let shown = '';
  // Kept for the client's whole life: an error without a listener would end the process.
  client.on('error', reject);
  client.on('ready', () => resolve());
  client.on('close', () => reject(new Error('The connection was closed.')));
  ready.catch(() => {});
  try {
    client.connect({
      ...{ sock: socket, readyTimeout: handshakeMsMax, algorithms, ...signInOf(signIn) },
      hostVerifier: (key: Buffer) => {
        shown = `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
        return hostKey === null || hostKey === shown;
      },
    });
    await withinMs(handshakeMsMax + 1_000, address.host, ready, signal);
  } catch (error) {
    client.destroy();
    socket.destroy();
    if (signal.aborted) throw signal.reason;
    if (hostKey !== null && shown !== '' && shown !== hostKey)
      throw new ListUnreadable(
        'host key',
        `${address.host} shows another key than before. Ask the supplier whether they changed it.`,
        { detail: shown },
      );
    throw asUnreadable(error, address.host);
  }
  return { client, hostKey: shown };
}

async function reach(url: URL, options: SftpOptions, signal: AbortSignal): Promise<Socket> {
  const port = Number(url.port) || usualPort;
  const origins = [
    `sftp://${url.hostname}:${port}`,
    ...(port === usualPort ? [`sftp://${url.hostname}`] : []),
  ];
  if (!options.isPublicFetched && !options.connect.isAllowed(origins)) throw notFetchedHere();
  try {
    return await options.connect.open({ host: url.hostname, port, origins }, signal);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw asUnreachable(error, url.host);
  }
}

function signInOf(signIn: ListSignIn) {
  if (signIn.kind === 'password') return { username: signIn.user, password: signIn.password };
  if (signIn.kind !== 'key') throw new ListUnreadable('sign in', 'The server needs a user name.');
  const { user: username, privateKey, passphrase } = signIn;
  return { username, privateKey, ...(passphrase !== '' && { passphrase }) };
}

/** A call with a callback as a promise. */
function call<T>(start: (done: (error: Error | null | undefined, value: T) => void) => void): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  start((error, value) => (error ? reject(error) : resolve(value)));
  return promise;
}

type FoundFile = { path: string; stats: Pick<Stats, 'size' | 'mtime'> };

/** Finds the file of an address. Links are not followed. */
async function findFile(sftp: SFTPWrapper, { url, host }: SftpRequest['address']): Promise<FoundFile> {
  // '/~/list.csv' is in the folder where a sign-in begins.
  const path = decodeURIComponent(new URL(url).pathname).replace(/^\/~\//, './');
  const [, folder = '', pattern = ''] = /^(.*)\/([^/]*)$/.exec(path) ?? [];
  if (!pattern.includes('*')) {
    const stats = await call<Stats>((done) => sftp.lstat(path, done));
    if (!stats.isFile()) throw noFile(host);
    return { path, stats };
  }
  const isWanted = patternOf(pattern);
  let newest: FoundFile | undefined;
  for await (const { filename, attrs } of entries(sftp, folder === '' ? '/' : folder)) {
    if (filename.includes('/') || !isWanted.test(filename) || !isFile(attrs.mode)) continue;
    if (!newest || attrs.mtime > newest.stats.mtime) newest = { path: `${folder}/${filename}`, stats: attrs };
  }
  if (!newest) throw noFile(host);
  return newest;
}

/** The kind of a file, in its mode (POSIX). */
const isFile = (mode: number): boolean => (mode & 0o170000) === 0o100000;

/** Only '*' has a meaning. Names that begin with a dot are hidden. */
const patternOf = (pattern: string): RegExp =>
  new RegExp(`^(?!\\.)${pattern.split(/\*+/).map(RegExp.escape).join('[^/]*')}$`, 'u');

async function* entries(sftp: SFTPWrapper, folder: string): AsyncGenerator<FileEntryWithStats> {
  const handle = await call<Buffer>((done) => sftp.opendir(folder, done));
  let seen = 0;
  while (seen < namesMax) {
    const part = await call<FileEntryWithStats[] | null>((done) =>
      sftp.readdir(handle, (error, list) => done(isEnd(error) ? null : error, isEnd(error) ? null : list)),
    );
    if (part === null || part.length === 0) break;
    seen += part.length;
    yield* part;
  }
  sftp.close(handle, () => {});
}

/** The status of SFTP that ends a listing. */
const isEnd = (error: Error | undefined): boolean => (error as { code?: number } | undefined)?.code === 1;

async function* wholeFile(
  sftp: SFTPWrapper,
  { path, stats }: FoundFile,
  of: { request: SftpRequest; options: SftpOptions; end: () => void },
): AsyncGenerator<Buffer> {
  const { request, options, end } = of;
  const { address, signal } = request;
  const { host } = address;
  let bytes = 0;
  try {
    const stream: AsyncIterable<Buffer> = sftp.createReadStream(path);
    for await (const piece of atPace(stream, { host, pace: options.pace, signal })) {
      bytes += piece.length;
      if (bytes > stats.size) break;
      yield piece;
    }
    const now = await withinMs(
      options.pace.pieceMsMax,
      host,
      call<Stats>((done) => sftp.lstat(path, done)),
      signal,
    );
    if (bytes !== stats.size || now.size !== stats.size || now.mtime !== stats.mtime)
      throw new ListUnreadable('cut off', `The list at ${host} changed while it was read.`, {
        detail: `${bytes} of ${stats.size} bytes came.`,
      });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw asUnreadable(error, host);
  } finally {
    end();
  }
}

function asUnreadable(error: unknown, host: string): unknown {
  if (error instanceof ListUnreadable || !(error instanceof Error)) return error;
  const { message: detail, level, code } = error as Error & { level?: string; code?: unknown };
  if (level === 'client-authentication')
    return new ListUnreadable('sign in', `${host} refuses the sign-in.`, { detail });
  if (/privatekey|passphrase/i.test(detail))
    return new ListUnreadable('sign in', 'The private key can’t be read. Check it and its passphrase.');
  // Statuses of SFTP: no such file, permission denied.
  if (code === 2) return noFile(host);
  if (code === 3)
    return new ListUnreadable('not found', `${host} doesn’t let you read this file.`, { detail });
  return new ListUnreadable('network', `${host} can’t be reached.`, { detail });
}
