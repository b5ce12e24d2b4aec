import { z } from 'zod';
import { insertBeforeExtension } from '../file-rules.ts';
import {
  type DisposalResult,
  FileUnreadable,
  type FoundFile,
  type KnownFile,
  type Place,
} from '../file-source.ts';
import {
  DriveFolderIds,
  DriveItem,
  folderAddress,
  itemAddress,
  itemFields,
  lockedPauseMs,
  toFolderUnreadable,
  toFoundFile,
} from './drive-item.ts';
import { answerDetail, type GraphAnswer, type GraphClient } from './graph-client.ts';

const archiveFolder = 'Archive';
const namesMax = 5;
const attemptsMax = 3;

const Folder = z.object({ id: z.string().min(1), folder: z.object({}) });

async function findItem(graph: GraphClient, place: Place, id: string, signal: AbortSignal) {
  const answer = await graph.call(`${itemAddress(place, id)}?$select=${itemFields}`, { signal });
  if (answer.status === 404 || answer.status === 410) return null;
  if (answer.status !== 200) throw toFolderUnreadable(answer, place.path);
  return DriveItem.parse(answer.body);
}

/** Finds a file's version. Null if the file is gone. Throws FileUnreadable on a 404, which may be only temporary. */
export async function recheckFile(
  graph: GraphClient,
  place: Place,
  { key, name }: KnownFile,
  signal: AbortSignal,
): Promise<FoundFile | null> {
  const item = await findItem(graph, place, key, signal);
  if (item === null) throw createFileNotFoundError(name);
  return toFoundFile(item, DriveFolderIds.parse(place.detail).itemId);
}

export const createFileNotFoundError = (name: string) =>
  new FileUnreadable(`OneDrive doesn’t find ${name} now.`);

/** Moves a file into Archive. If an earlier call has moved the file already, the result is `done`. */
export async function archiveDriveItem(
  graph: GraphClient,
  place: Place,
  { file, name }: { file: KnownFile; name: string },
  signal: AbortSignal,
): Promise<DisposalResult> {
  const archive = await findArchive(graph, place, signal);
  if (typeof archive !== 'string') return archive;
  return whileUnchanged(graph, { place, file, archive }, signal, async (etag) => {
    for (let tried = 1; tried <= namesMax; tried += 1) {
      const freeName = tried === 1 ? name : insertBeforeExtension(name, ` ${tried}`);
      const answer = await graph.call(itemAddress(place, file.key), {
        method: 'PATCH',
        headers: etag,
        body: { parentReference: { id: archive }, name: freeName },
        signal,
      });
      if (answer.status === 409) continue;
      if (answer.status !== 200) return disposalAfter(answer);
      // Some drives ignore the move and change only the name.
      const moved = DriveItem.parse(answer.body).parentReference?.id === archive;
      return moved ? { is: 'done', newKey: freeName } : kept('OneDrive didn’t move it.');
    }
    return kept(`Archive already has ${namesMax} files of this name.`);
  });
}

/** Deletes a file. OneDrive moves it to its recycle bin. */
export function deleteDriveItem(
  graph: GraphClient,
  place: Place,
  file: KnownFile,
  signal: AbortSignal,
): Promise<DisposalResult> {
  return whileUnchanged(graph, { place, file, archive: null }, signal, async (etag) => {
    const address = itemAddress(place, file.key);
    const answer = await graph.call(address, { method: 'DELETE', headers: etag, signal });
    return answer.status === 204 ? { is: 'done' } : disposalAfter(answer);
  });
}

// Calls `act` with the file's current eTag. Retries if `act` returns `changed`: a renaming changes the eTag too.
async function whileUnchanged(
  graph: GraphClient,
  { place, file, archive }: { place: Place; file: KnownFile; archive: string | null },
  signal: AbortSignal,
  act: (etag: Record<string, string>) => Promise<DisposalResult>,
): Promise<DisposalResult> {
  const { itemId } = DriveFolderIds.parse(place.detail);
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const item = await findItem(graph, place, file.key, signal);
    if (item === null) return { is: 'missing' };
    if (archive !== null && item.parentReference?.id === archive)
      return { is: 'done', newKey: item.name ?? '' };
    const found = toFoundFile(item, itemId);
    if (found === null) return { is: 'gone' };
    if (found.version !== file.version) return { is: 'changed' };
    const disposal = await act(item.eTag === undefined ? {} : { 'if-match': item.eTag });
    if (disposal.is !== 'changed') return disposal;
  }
  return { is: 'changed' };
}

async function findArchive(
  graph: GraphClient,
  place: Place,
  signal: AbortSignal,
): Promise<string | DisposalResult> {
  const address = folderAddress(place);
  const find = () => graph.call(`${address}:/${archiveFolder}?$select=id,folder`, { signal });
  let answer = await find();
  if (answer.status === 404) {
    const body = { name: archiveFolder, folder: {}, '@microsoft.graph.conflictBehavior': 'fail' };
    answer = await graph.call(`${address}/children`, { method: 'POST', body, signal });
    // Another client has created the folder in the meantime.
    if (answer.status === 409) answer = await find();
  }
  if (answer.status >= 300) return disposalAfter(answer);
  const folder = Folder.safeParse(answer.body);
  return folder.success ? folder.data.id : kept(`${archiveFolder} isn’t a folder.`);
}

const kept = (sentence: string): DisposalResult => ({ is: 'kept', sentence });

function disposalAfter(answer: GraphAnswer): DisposalResult {
  switch (answer.status) {
    case 404:
      return { is: 'missing' };
    case 412:
      return { is: 'changed' };
    case 423:
      return { is: 'later', sentence: 'The file is locked in OneDrive.', waitMs: lockedPauseMs };
    case 403:
      return kept('Microsoft allows reading the folder, but not changing it.');
    default:
      return kept(`OneDrive didn’t change it. ${answerDetail(answer)}`);
  }
}
