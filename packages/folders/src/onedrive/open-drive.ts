import { createGuardedStream, type GuardOptions } from '@draftshelf/runtime/guarded-fetch';
import { z } from 'zod';
import { type FileSource, FolderUnreadable, type Place } from '../file-source.ts';
import { type Cloud, hostsOfCloud } from './clouds.ts';
import { downloadFile } from './download.ts';
import { toFolderUnreadable } from './drive-item.ts';
import { archiveDriveItem, deleteDriveItem, recheckFile } from './file-disposal.ts';
import { answerDetail, createGraphClient, type GraphClient } from './graph-client.ts';
import { lookAtDrive } from './look-at-drive.ts';
import {
  createAppTokenReader,
  createCodeTokenReader,
  runCodeSignIn,
  SignInFailed,
} from './microsoft-login.ts';
import { canWrite, type EnteredApp, listScopes, type SavedSignIn, toShownAccount } from './saved-sign-in.ts';

export type DriveEnv = { cloud: Cloud; tenant: string; clientId: string | null; simulatorUrl: string | null };

const simulatedClientId = 'simulated';
/** Addresses of content have a signature of 1,000 to 2,000 characters. */
const urlCharsMax = 8_192;

/** Opens a drive with a saved sign-in. `save` is the same as in `createCodeTokenReader`. */
export function openDrive(
  env: DriveEnv,
  signIn: SavedSignIn,
  options: { folder: () => Promise<string>; save: (changed: SavedSignIn) => Promise<boolean> },
): FileSource {
  const place = hostsOfCloud(signIn.cloud, env.simulatorUrl);
  const app = { place, tenant: signIn.tenant, clientId: signIn.clientId };
  const readToken =
    signIn.way === 'app'
      ? createAppTokenReader(app, signIn)
      : createCodeTokenReader(app, signIn, (cache) => options.save({ ...signIn, cache }));
  const graph = createGraphClient(place.graph, readToken);
  const stream = createGuardedStream({ ...guardOf(env), urlCharsMax });
  return {
    async resolve(known, signal) {
      const names = namesIn(await options.folder());
      const path = `/${names.join('/')}`;
      if (known?.path === path && known.account === toShownAccount(signIn))
        return { ...known, canWrite: canWrite(signIn) };
      return resolveFolder(graph, signIn, { names, path }, signal);
    },
    look: (place, cursor, signal) => lookAtDrive(graph, place, cursor, signal),
    read: (place, file, signal) => downloadFile({ graph, stream }, place, file, signal),
    recheck: (place, file, signal) => recheckFile(graph, place, file, signal),
    archive: (place, file, name, signal) => archiveDriveItem(graph, place, { file, name }, signal),
    remove: (place, file, signal) => deleteDriveItem(graph, place, file, signal),
    // Graph moves and deletes in a single step, so no file is moved aside.
    restore: async () => {},
  };
}

/** Allows downloads from the simulator, which runs on this machine, also under the name localhost. */
function guardOf({ simulatorUrl }: DriveEnv): Pick<GuardOptions, 'allowedOrigins' | 'hosts'> {
  if (simulatorUrl === null) return { allowedOrigins: [], hosts: [] };
  const { origin, protocol, port } = new URL(simulatorUrl);
  return { allowedOrigins: [origin, `${protocol}//localhost:${port}`], hosts: [] };
}

/** Signs in with a code. Throws SignInFailed. */
export async function signInWithCode(
  env: DriveEnv,
  options: { canWrite: boolean; onCode: Parameters<typeof runCodeSignIn>[1]['onCode']; signal: AbortSignal },
): Promise<SavedSignIn> {
  const place = hostsOfCloud(env.cloud, env.simulatorUrl);
  const clientId = env.clientId ?? (place.simulated ? simulatedClientId : null);
  if (clientId === null) {
    throw new SignInFailed('Set ONEDRIVE_CLIENT_ID of the folder worker first, or use an app registration.');
  }
  const { cloud, tenant } = env;
  const scopes = listScopes(cloud, place.resource, options.canWrite);
  const result = await runCodeSignIn({ place, tenant, clientId }, { ...options, scopes });
  return { way: 'code', simulated: place.simulated, cloud, tenant, clientId, ...result };
}

/** Tests an app registration by requesting a token. Throws FolderUnreadable. */
export async function signInWithApp(
  env: DriveEnv,
  entered: EnteredApp,
  signal: AbortSignal,
): Promise<SavedSignIn> {
  const { cloud } = env;
  const place = hostsOfCloud(cloud, env.simulatorUrl);
  const { tenant, clientId } = entered;
  await createAppTokenReader({ place, tenant, clientId }, entered)({ renew: false, signal });
  return { way: 'app', simulated: place.simulated, cloud, ...entered };
}

const ResolvedFolder = z.object({
  id: z.string().min(1),
  folder: z.object({}).nullish(),
  remoteItem: z.object({}).nullish(),
  parentReference: z.object({ driveId: z.string().min(1) }),
});
const Site = z.object({ id: z.string().min(1) });

/** Characters that OneDrive forbids in names (support.microsoft.com, restrictions in OneDrive). */
const impossible = /["*:<>?|\\]/;

async function resolveFolder(
  graph: GraphClient,
  signIn: SavedSignIn,
  { names, path }: { names: string[]; path: string },
  signal: AbortSignal,
): Promise<Place> {
  const drive = await driveAddress(graph, signIn, signal);
  const address = `${drive}/root:/${names.map(encodeURIComponent).join('/')}`;
  const answer = await graph.call(`${address}?$select=id,name,folder,parentReference,remoteItem`, { signal });
  if (answer.status === 404) {
    const sentence = `The folder ${path} wasn’t found in this OneDrive.`;
    throw new FolderUnreadable('not found', sentence, { detail: answerDetail(answer) });
  }
  if (answer.status !== 200) throw toFolderUnreadable(answer, path);
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
    account: toShownAccount(signIn),
    canWrite: canWrite(signIn),
    // OneDrive shows a file only when its upload is complete.
    settleMs: 0,
    detail: { driveId, itemId: item.id },
  };
}

/** Splits a path into names. Throws FolderUnreadable if there are no names, or if OneDrive forbids one of them. */
function namesIn(folder: string): string[] {
  const names = folder.split('/').filter((name) => name !== '');
  if (names.length === 0) throw new FolderUnreadable('setup', 'Enter the folder to watch.');
  const wrong = names.find((name) => impossible.test(name) || /[. ]$|^ /.test(name));
  if (wrong === undefined) return names;
  throw new FolderUnreadable('not found', `OneDrive has no folder named “${wrong}”: check the spelling.`);
}

async function driveAddress(graph: GraphClient, signIn: SavedSignIn, signal: AbortSignal): Promise<string> {
  if (signIn.way === 'code') return '/me/drive';
  const { drive } = signIn;
  if ('user' in drive) return `/users/${encodeURIComponent(drive.user)}/drive`;
  const url = URL.parse(drive.site);
  if (url === null) throw noSite(drive.site, null);
  const answer = await graph.call(`/sites/${url.hostname}:${url.pathname.replace(/\/$/, '')}?$select=id`, {
    signal,
  });
  if (answer.status === 403) throw toFolderUnreadable(answer, drive.site);
  const site = Site.safeParse(answer.body);
  if (answer.status !== 200 || !site.success) throw noSite(drive.site, answerDetail(answer));
  return `/sites/${encodeURIComponent(site.data.id)}/drive`;
}

const noSite = (site: string, detail: string | null) =>
  new FolderUnreadable('not found', `The site ${site} wasn’t found.`, { detail });
