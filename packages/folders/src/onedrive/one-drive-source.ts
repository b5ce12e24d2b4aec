import type { GuardedStream } from '@draftshelf/runtime/guarded-fetch';
import { z } from 'zod';
import { type FileSource, FolderUnreadable, type Place } from '../file-source.ts';
import { download } from './download.ts';
import { refusalOf } from './drive-item.ts';
import { archiveDriveItem, recheckFile, removeFile } from './file-disposal.ts';
import { detailOf, type GraphClient } from './graph-client.ts';
import { lookAtDrive } from './look-at-drive.ts';

export type DriveOwner = 'me' | { user: string } | { site: string };

export type OneDriveOptions = {
  graph: GraphClient;
  stream: GuardedStream;
  owner: DriveOwner;
  folder(): Promise<string>;
  account: string;
  canWrite: boolean;
};

const ResolvedFolder = z.object({
  id: z.string().min(1),
  folder: z.object({}).nullish(),
  remoteItem: z.object({}).nullish(),
  parentReference: z.object({ driveId: z.string().min(1) }),
});
const Site = z.object({ id: z.string().min(1) });

/** Characters that OneDrive forbids in names (support.microsoft.com, restrictions in OneDrive). */
const impossible = /["*:<>?|\\]/;

export function createOneDriveSource(options: OneDriveOptions): FileSource {
  const { graph } = options;
  return {
    async resolve(known, signal) {
      const names = namesIn(await options.folder());
      const path = `/${names.join('/')}`;
      const { account, canWrite } = options;
      if (known?.path === path && known.account === account) return { ...known, canWrite };
      return resolveFolder(options, { names, path }, signal);
    },
    look: (place, cursor, signal) => lookAtDrive(graph, place, cursor, signal),
    read: (place, file, signal) => download(options, place, file, signal),
    recheck: (place, file, signal) => recheckFile(graph, place, file, signal),
    archive: (place, file, name, signal) => archiveDriveItem(graph, place, { file, name }, signal),
    remove: (place, file, signal) => removeFile(graph, place, file, signal),
    // Graph moves and deletes in one step, so no file is put aside.
    restore: async () => {},
  };
}

async function resolveFolder(
  { graph, owner, account, canWrite }: OneDriveOptions,
  { names, path }: { names: string[]; path: string },
  signal: AbortSignal,
): Promise<Place> {
  const drive = await driveAddress(graph, owner, signal);
  const address = `${drive}/root:/${names.map(encodeURIComponent).join('/')}`;
  const answer = await graph.call(`${address}?$select=id,name,folder,parentReference,remoteItem`, { signal });
  if (answer.status === 404) {
    const sentence = `The folder ${path} wasn’t found in this OneDrive.`;
    throw new FolderUnreadable('not found', sentence, { detail: detailOf(answer) });
  }
  if (answer.status !== 200) throw refusalOf(answer, path);
  const item = ResolvedFolder.parse(answer.body);
  if (item.remoteItem) {
    const sentence = `${path} is a shortcut to a folder of somebody else’s OneDrive. Watch a folder of this one.`;
    throw new FolderUnreadable('not found', sentence);
  }
  if (!item.folder) throw new FolderUnreadable('not found', `${path} is a file, not a folder.`);
  const { driveId } = item.parentReference;
  return {
    key: `${driveId}/${item.id}`,
    path,
    account,
    canWrite,
    // An upload is visible when it is complete.
    settleMs: 0,
    detail: { driveId, itemId: item.id },
  };
}

/** Throws FolderUnreadable for no name, and for one that cannot exist. */
function namesIn(folder: string): string[] {
  const names = folder.split('/').filter((name) => name !== '');
  if (names.length === 0) throw new FolderUnreadable('setup', 'Enter the folder to watch.');
  const wrong = names.find((name) => impossible.test(name) || /[. ]$|^ /.test(name));
  if (wrong === undefined) return names;
  throw new FolderUnreadable('not found', `OneDrive has no folder named “${wrong}”: check the spelling.`);
}

async function driveAddress(graph: GraphClient, owner: DriveOwner, signal: AbortSignal): Promise<string> {
  if (owner === 'me') return '/me/drive';
  if ('user' in owner) return `/users/${encodeURIComponent(owner.user)}/drive`;
  const url = URL.parse(owner.site);
  if (url === null) throw noSite(owner.site, null);
  const answer = await graph.call(`/sites/${url.hostname}:${url.pathname.replace(/\/$/, '')}?$select=id`, {
    signal,
  });
  if (answer.status === 403) throw refusalOf(answer, owner.site);
  const site = Site.safeParse(answer.body);
  if (answer.status !== 200 || !site.success) throw noSite(owner.site, detailOf(answer));
  return `/sites/${encodeURIComponent(site.data.id)}/drive`;
}

const noSite = (site: string, detail: string | null) =>
  new FolderUnreadable('not found', `The site ${site} wasn’t found.`, { detail });
