import { z } from 'zod';
import { FolderUnreadable, type FoundFile, type KnownFile, type Place } from '../file-source.ts';
import { answerDetail, type GraphAnswer } from './graph-client.ts';

export const itemFields =
  'id,name,size,file,folder,deleted,parentReference,eTag,lastModifiedDateTime,pendingOperations,package,remoteItem';

/** An item of a drive. Graph may omit any facet. */
export const DriveItem = z.object({
  id: z.string().min(1),
  name: z.string().optional(),
  size: z.number().int().min(0).optional(),
  eTag: z.string().optional(),
  lastModifiedDateTime: z.iso.datetime({ offset: true }).optional(),
  parentReference: z.object({ id: z.string().optional() }).optional(),
  file: z.object({ hashes: z.object({ quickXorHash: z.string().nullish() }).nullish() }).nullish(),
  folder: z.object({}).nullish(),
  deleted: z.object({}).nullish(),
  remoteItem: z.object({ folder: z.object({}).nullish() }).nullish(),
  pendingOperations: z.object({ pendingContentUpdate: z.object({}).nullish() }).nullish(),
});
export type DriveItem = z.infer<typeof DriveItem>;

const stillWritten = 'OneDrive is still receiving the file.';
const shortcut =
  'This is a shortcut to a file of somebody else’s OneDrive. Put a copy of the file into the folder.';
const unclear = 'OneDrive’s description of this file can’t be understood.';

/** Returns a file that is directly in `folderId`, and so not in Archive. Null for other items and deleted files. */
export function toFoundFile(item: DriveItem, folderId: string): FoundFile | null {
  if (item.deleted || item.parentReference?.id !== folderId) return null;
  if (item.remoteItem) {
    const isFolder = item.folder != null || item.remoteItem.folder != null;
    return isFolder ? null : { ...described(item), unreadable: { because: shortcut, later: false } };
  }
  // Folders and notebooks have no file facet.
  if (!item.file || item.folder) return null;
  if (item.name === undefined || item.size === undefined) {
    return { ...described(item), unreadable: { because: unclear, later: true } };
  }
  const isPending = item.pendingOperations?.pendingContentUpdate != null;
  return { ...described(item), unreadable: isPending ? { because: stillWritten, later: true } : null };
}

function described(item: DriveItem): KnownFile {
  const { id, name = id, size: bytes = 0, lastModifiedDateTime } = item;
  const modifiedAt = lastModifiedDateTime === undefined ? null : new Date(lastModifiedDateTime);
  return { key: id, version: versionOf(item), name, bytes, modifiedAt };
}

const hashed = 'xor:';

/** Returns hash and size or, without a hash, time and size. An eTag would change with each renaming or sharing. */
function versionOf({ file, size, lastModifiedDateTime }: DriveItem): string {
  const hash = file?.hashes?.quickXorHash;
  return hash ? `${hashed}${hash}:${size}` : `time:${size}:${lastModifiedDateTime}`;
}

export function hashOfVersion(version: string): string | null {
  return version.startsWith(hashed) ? version.slice(hashed.length, version.lastIndexOf(':')) : null;
}

/** Ids of a folder. They stay the same when the folder is renamed. */
export const DriveFolderIds = z.object({ driveId: z.string(), itemId: z.string() });

export const folderAddress = (place: Place): string =>
  itemAddress(place, DriveFolderIds.parse(place.detail).itemId);

export function itemAddress({ detail }: Place, itemId: string): string {
  const { driveId } = DriveFolderIds.parse(detail);
  return `/drives/${encodeURIComponent(driveId)}/items/${encodeURIComponent(itemId)}`;
}

export const lockedPauseMs = 5 * 60_000;

/** Converts Graph's refusal of the watched folder itself to FolderUnreadable. */
export function toFolderUnreadable(answer: GraphAnswer, path: string): FolderUnreadable {
  const detail = answerDetail(answer);
  if (answer.status === 404) {
    return new FolderUnreadable('not found', `The folder ${path} isn’t there any more.`, { detail });
  }
  if (answer.status === 403) {
    const sentence = `Microsoft doesn’t allow access to ${path}. An administrator can allow it.`;
    return new FolderUnreadable('no permission', sentence, { detail });
  }
  if (answer.status === 423) {
    const sentence = `Microsoft has locked ${path}. It is tried again.`;
    return new FolderUnreadable('throttled', sentence, { detail, waitMs: lockedPauseMs });
  }
  return new FolderUnreadable('network', 'OneDrive can’t be read. It is tried again.', { detail });
}
