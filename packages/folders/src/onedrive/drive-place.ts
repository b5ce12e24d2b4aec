import { z } from 'zod';
import { FolderUnreadable, type Place } from '../file-source.ts';
import { detailOf, type GraphAnswer } from './graph-client.ts';

/** A folder of a drive by ids, which stay when it is renamed. */
export const DrivePlace = z.object({ driveId: z.string(), itemId: z.string() });

/** The address of a place's folder, below /v1.0. */
export function folderAddress(place: Place): string {
  const { itemId } = DrivePlace.parse(place.detail);
  return itemAddress(place, itemId);
}

/** The address of an item of a place's drive, below /v1.0. */
export function itemAddress({ detail }: Place, itemId: string): string {
  const { driveId } = DrivePlace.parse(detail);
  return `/drives/${encodeURIComponent(driveId)}/items/${encodeURIComponent(itemId)}`;
}

/** A locked file or site is asked for again after this time. */
export const lockedMs = 5 * 60_000;

/** Why a folder cannot be read, by an answer about the folder itself. */
export function refusalOf(answer: GraphAnswer, path: string): FolderUnreadable {
  const detail = detailOf(answer);
  if (answer.status === 404) {
    return new FolderUnreadable('not found', `The folder ${path} isn’t there any more.`, { detail });
  }
  if (answer.status === 403) {
    const sentence = `Microsoft doesn’t allow access to ${path}. An administrator can allow it.`;
    return new FolderUnreadable('no permission', sentence, { detail });
  }
  if (answer.status === 423) {
    const sentence = `Microsoft has locked ${path}. It is tried again.`;
    return new FolderUnreadable('throttled', sentence, { detail, waitMs: lockedMs });
  }
  return new FolderUnreadable('network', 'OneDrive can’t be read. It is tried again.', { detail });
}
