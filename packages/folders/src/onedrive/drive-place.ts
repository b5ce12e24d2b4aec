import { z } from 'zod';
import { FolderUnreadable, type Place } from '../file-source.ts';
import { detailOf, type GraphAnswer } from './graph-client.ts';

/** Ids stay when the folder is renamed. */
export const DrivePlace = z.object({ driveId: z.string(), itemId: z.string() });

export function folderAddress(place: Place): string {
  const { itemId } = DrivePlace.parse(place.detail);
  return itemAddress(place, itemId);
}

export function itemAddress({ detail }: Place, itemId: string): string {
  const { driveId } = DrivePlace.parse(detail);
  return `/drives/${encodeURIComponent(driveId)}/items/${encodeURIComponent(itemId)}`;
}

export const lockedMs = 5 * 60_000;

/** Converts an answer about the folder itself to FolderUnreadable. */
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
