import { createGuardedStream, type GuardOptions } from '@draftshelf/runtime/guarded-fetch';
import type { FileSource } from '../file-source.ts';
import { type Cloud, placeOf } from './clouds.ts';
import { createGraphClient } from './graph-client.ts';
import { appTokens, codeTokens, SignInFailed, signInByCode } from './microsoft-login.ts';
import { createOneDriveSource } from './one-drive-source.ts';
import { accountOf, canWrite, type EnteredApp, type SavedSignIn, scopesFor } from './saved-sign-in.ts';

export type DriveEnv = { cloud: Cloud; tenant: string; clientId: string | null; simulatorUrl: string | null };

const simulatedClientId = 'simulated';
/** Addresses of contents carry a signature of one to two thousand characters. */
const urlCharsMax = 8_192;

/** `save`: see `codeTokens`. */
export function openDrive(
  env: DriveEnv,
  signIn: SavedSignIn,
  options: { folder: () => Promise<string>; save: (changed: SavedSignIn) => Promise<boolean> },
): FileSource {
  const place = placeOf(signIn.cloud, env.simulatorUrl);
  const app = { place, tenant: signIn.tenant, clientId: signIn.clientId };
  const readToken =
    signIn.way === 'app'
      ? appTokens(app, signIn)
      : codeTokens(app, signIn, (cache) => options.save({ ...signIn, cache }));
  return createOneDriveSource({
    graph: createGraphClient(place.graph, readToken),
    stream: createGuardedStream({ ...guardOf(env), urlCharsMax }),
    owner: signIn.way === 'app' ? signIn.drive : 'me',
    folder: options.folder,
    account: accountOf(signIn),
    canWrite: canWrite(signIn),
  });
}

/** The simulator serves contents on this machine, also under the machine's other name. */
function guardOf({ simulatorUrl }: DriveEnv): Pick<GuardOptions, 'allowedOrigins' | 'hosts'> {
  if (simulatorUrl === null) return { allowedOrigins: [], hosts: [] };
  const { origin, protocol, port } = new URL(simulatorUrl);
  return { allowedOrigins: [origin, `${protocol}//localhost:${port}`], hosts: [] };
}

/** Throws SignInFailed. */
export async function signInWithCode(
  env: DriveEnv,
  options: { canWrite: boolean; onCode: Parameters<typeof signInByCode>[1]['onCode']; signal: AbortSignal },
): Promise<SavedSignIn> {
  const place = placeOf(env.cloud, env.simulatorUrl);
  const clientId = env.clientId ?? (place.simulated ? simulatedClientId : null);
  if (clientId === null) {
    throw new SignInFailed('Set ONEDRIVE_CLIENT_ID of the folder worker first, or use an app registration.');
  }
  const { cloud, tenant } = env;
  const scopes = scopesFor(cloud, place.resource, options.canWrite);
  const result = await signInByCode({ place, tenant, clientId }, { ...options, scopes });
  return { way: 'code', simulated: place.simulated, cloud, tenant, clientId, ...result };
}

/** Tests an app registration by getting a token. Throws FolderUnreadable. */
export async function signInWithApp(
  env: DriveEnv,
  entered: EnteredApp,
  signal: AbortSignal,
): Promise<SavedSignIn> {
  const { cloud } = env;
  const place = placeOf(cloud, env.simulatorUrl);
  const { tenant, clientId } = entered;
  await appTokens({ place, tenant, clientId }, entered)({ renew: false, signal });
  return { way: 'app', simulated: place.simulated, cloud, ...entered };
}
