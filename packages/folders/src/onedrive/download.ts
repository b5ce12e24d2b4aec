import type { IncomingMessage } from 'node:http';
import { FetchFailed, FetchRefused, type GuardedStreamFetch } from '@draftshelf/runtime/guarded-fetch';
import { FileChanged, FileGone, FileUnreadable, type KnownFile, type Place } from '../file-source.ts';
import { limitPace } from '../pieces-in-time.ts';
import { hashOfVersion, itemAddress } from './drive-item.ts';
import { createFileNotFoundError, recheckFile } from './file-disposal.ts';
import type { GraphClient } from './graph-client.ts';
import { createQuickXorHash } from './quick-xor-hash.ts';

/** Maximum wait between two pieces. */
const pieceMsMax = 30_000;

const expiredStatuses = [401, 403, 404, 410];

/**
 * Reads content from an address that is valid for an hour without a sign-in. Therefore no token is sent, only public
 * addresses are allowed, and errors omit the address. Size and hash are compared at the end. `signal` limits the time.
 */
export async function downloadFile(
  { graph, stream }: { graph: GraphClient; stream: GuardedStreamFetch },
  place: Place,
  file: KnownFile,
  signal: AbortSignal,
): Promise<AsyncIterable<Buffer>> {
  const open = async () => {
    const address = await contentAddress(graph, place, file, signal);
    return stream(address, signal).catch((error) => {
      throw signal.aborted ? signal.reason : brokenBy(file, error);
    });
  };
  let reply = await open();
  if (expiredStatuses.includes(reply.statusCode ?? 0)) {
    reply.destroy();
    reply = await open();
  }
  if (reply.statusCode !== 200) {
    reply.destroy();
    throw new FileUnreadable(`OneDrive didn’t send ${file.name} (status ${reply.statusCode}).`);
  }
  return verified(reply, { graph, place, file, signal });
}

async function contentAddress(graph: GraphClient, place: Place, file: KnownFile, signal: AbortSignal) {
  const { status, headers } = await graph.call(`${itemAddress(place, file.key)}/content`, { signal });
  const location = headers.get('location');
  if (status === 302 && location !== null && isHttpsOr(graph.origin, location)) return location;
  if (status === 404) throw createFileNotFoundError(file.name);
  if (status === 423) throw new FileUnreadable(`${file.name} is locked in OneDrive.`);
  if (status === 403) throw new FileUnreadable(`Microsoft doesn’t allow reading ${file.name}.`);
  throw new FileUnreadable(`OneDrive didn’t say where the contents of ${file.name} are.`);
}

/** Returns whether a location uses https or `origin`'s protocol, because the simulator has only http. */
const isHttpsOr = (origin: string, location: string): boolean =>
  URL.canParse(location) && ['https:', new URL(origin).protocol].includes(new URL(location).protocol);

function brokenBy(file: KnownFile, error: unknown): FileUnreadable {
  const cause = error instanceof FetchRefused || error instanceof FetchFailed ? ` ${error.message}` : '';
  return new FileUnreadable(`The download of ${file.name} failed.${cause}`);
}

async function* verified(
  reply: IncomingMessage,
  { graph, place, file, signal }: { graph: GraphClient; place: Place; file: KnownFile; signal: AbortSignal },
): AsyncGenerator<Buffer> {
  const mismatch = async (sentence: string): Promise<Error> => {
    const found = await recheckFile(graph, place, file, signal);
    if (!found) return new FileGone(file.name);
    return found.version === file.version ? new FileUnreadable(sentence) : new FileChanged(file.name);
  };
  const hash = createQuickXorHash();
  let bytes = 0;
  try {
    for await (const piece of limitPace(reply, 'OneDrive', { pieceMsMax }, signal)) {
      bytes += piece.length;
      if (bytes > file.bytes) break;
      hash.update(piece);
      yield piece;
    }
  } catch {
    if (signal.aborted) throw signal.reason;
    throw new FileUnreadable(`The download of ${file.name} broke off after ${bytes} of ${file.bytes} bytes.`);
  } finally {
    reply.destroy();
  }
  if (bytes !== file.bytes) {
    throw await mismatch(`The download of ${file.name} has ${bytes} bytes instead of ${file.bytes}.`);
  }
  const expected = hashOfVersion(file.version);
  if (expected !== null && hash.digest() !== expected) {
    throw await mismatch(`The download of ${file.name} doesn’t match OneDrive’s checksum.`);
  }
}
