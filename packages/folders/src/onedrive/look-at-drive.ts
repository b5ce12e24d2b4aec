import { z } from 'zod';
import { FolderUnreadable, type FoundFile, type LookResult, type Place } from '../file-source.ts';
import {
  DriveFolderIds,
  DriveItem,
  folderAddress,
  itemFields,
  toFolderUnreadable,
  toFoundFile,
} from './drive-item.ts';
import type { GraphAnswer, GraphClient } from './graph-client.ts';

/** Maximum number of pages in a look. The next look continues after the last page read. */
const pagesMax = 20;
const pageItems = 200;

const Page = z.object({
  value: z.array(z.unknown()),
  '@odata.nextLink': z.string().optional(),
  '@odata.deltaLink': z.string().optional(),
});

type Seen = { files: Map<string, FoundFile>; gone: Set<string> };

/**
 * Lists changes since `cursor`, the link of the next page. Most drives can list changes of a single folder, which is
 * undocumented. If a drive refuses, lists the changes of the whole drive and filters them.
 */
export async function lookAtDrive(
  graph: GraphClient,
  place: Place,
  cursor: string | null,
  signal: AbortSignal,
): Promise<LookResult> {
  const links = firstLinks(place);
  let seen: Seen = { files: new Map(), gone: new Set() };
  let link = cursor ?? links.folder;
  let isWhole = cursor === null;
  let restarts = 0;
  const asked = new Set<string>();
  for (let pages = 0; pages < pagesMax; pages += 1) {
    if (asked.has(link)) throw startOver('OneDrive’s list of changes repeats itself.');
    asked.add(link);
    const answer = await graph.call(link, { signal });
    if (link === links.folder && [400, 501].includes(answer.status)) {
      link = links.drive;
      continue;
    }
    // A 410 asks for a restart from the address that it names. Graph may also refuse an old cursor with 400.
    if (answer.status === 410 || (answer.status === 400 && link === cursor)) {
      restarts += 1;
      if (restarts > 1) throw startOver('OneDrive doesn’t accept its own list of changes.');
      link = answer.headers.get('location') ?? links.folder;
      isWhole = true;
      seen = { files: new Map(), gone: new Set() };
      continue;
    }
    if (answer.status !== 200) throw toFolderUnreadable(answer, place.path);
    const page = pageOf(answer);
    for (const item of page.value) note(item, place, seen);
    if (page['@odata.deltaLink'] !== undefined) {
      return { ...lists(seen), isWhole, cursor: page['@odata.deltaLink'], more: false };
    }
    link = page['@odata.nextLink'] ?? '';
  }
  return { ...lists(seen), isWhole: false, cursor: link, more: true };
}

function firstLinks(place: Place): { folder: string; drive: string } {
  const { driveId } = DriveFolderIds.parse(place.detail);
  const query = `delta?$top=${pageItems}&$select=${itemFields}`;
  return {
    folder: `${folderAddress(place)}/${query}`,
    drive: `/drives/${encodeURIComponent(driveId)}/root/${query}`,
  };
}

const startOver = (sentence: string) =>
  new FolderUnreadable('start over', `${sentence} The whole folder is listed again.`);

function pageOf(answer: GraphAnswer): z.infer<typeof Page> {
  const page = Page.safeParse(answer.body);
  const isPage =
    page.success && (page.data['@odata.nextLink'] ?? page.data['@odata.deltaLink']) !== undefined;
  if (!isPage) throw startOver('OneDrive answered with something that is no list of changes.');
  return page.data;
}

function note(value: unknown, place: Place, { files, gone }: Seen): void {
  const { itemId } = DriveFolderIds.parse(place.detail);
  const item = itemOf(value);
  if (item === null) return;
  if (item.id === itemId) {
    if (item.deleted)
      throw new FolderUnreadable('not found', `The folder ${place.path} isn’t there any more.`);
    return;
  }
  const file = toFoundFile(item, itemId);
  if (file === null) {
    files.delete(item.id);
    gone.add(item.id);
  } else {
    gone.delete(item.id);
    files.set(item.id, file);
  }
}

/** The part of an item that is read if the item cannot be parsed. */
const Identified = DriveItem.pick({ id: true, name: true }).extend({
  parentReference: DriveItem.shape.parentReference.catch(undefined),
});

function itemOf(value: unknown): DriveItem | null {
  const item = DriveItem.safeParse(value);
  if (item.success) return item.data;
  const identified = Identified.safeParse(value).data;
  return identified === undefined ? null : { ...identified, file: {} };
}

const lists = ({ files, gone }: Seen) => ({ files: [...files.values()], gone: [...gone], unseen: [] });
