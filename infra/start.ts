import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type EnvSource, readSecretFiles } from '@draftshelf/runtime/env';
import { envCatalog, type VariableName } from '@draftshelf/runtime/env-catalog';
import { compileApps } from './compile-apps.ts';
import {
  type HeldDirectory,
  keptAccessKey,
  keptPort,
  keptSecret,
  openDataDirectory,
} from './data-directory.ts';
import {
  backupsDir,
  credentialsKeyFile,
  objectsDir,
  objectsKeys,
  objectsPortFile,
  postgresDir,
} from './data-layout.ts';
import { type DevMode, openDevMode } from './dev/dev-mode.ts';
import { checkPostgres, startPostgres } from './embedded-postgres.ts';
import { isPortFree } from './free-port.ts';
import { openLogFile } from './log-file.ts';
import { copyBeforeMigration, migrateDatabase, noteMigrations } from './migrate-database.ts';
import { type Connections, createPrograms, type Keys } from './programs.ts';
import { readStartConfig, type StartConfig } from './start-config.ts';
import { explained, StartError } from './start-error.ts';
import { type ProcessObserver, type Program, type Supervised, stopInOrder, supervise } from './supervisor.ts';
import { openWatchFolder, type WatchFolder } from './watch-folder.ts';
import { buildWeb } from './web-build.ts';

/** The running product. `stop` ends it in order and may be called at any time, also during the start. */
export type Product = { started: Promise<Started>; stop: () => Promise<void> };

/** What the operator is shown once everything is ready. */
export type Started = {
  config: StartConfig;
  dataDir: string;
  keys: Keys;
  storeUrl: string;
  watched: WatchFolder;
};

type StartOptions = {
  root: string;
  source: EnvSource;
  report: (text: string) => void;
  /** `npm run dev`: sources are watched, and Vite serves the web app. */
  isDev: boolean;
};

/**
 * Starts everything on this machine: services that are not configured, the schema, the web app, the api, the workers.
 * `started` rejects with a ConfigurationError, a StartError or a ProgramError, whose messages explain the problem.
 */
export function startProduct(options: StartOptions): Product {
  // Stopped in this order: the apps, then the services they use, then the database.
  const groups = { apps: [] as Supervised[], services: [] as Supervised[], database: [] as Supervised[] };
  const held: Start['held'] = {};
  const stopping = new AbortController();
  const started = startAll({ ...options, groups, held, stopping: stopping.signal });
  return {
    started,
    stop: async () => {
      stopping.abort(new StartError('The start was stopped.'));
      held.dev?.close();
      await held.directory?.markStopping();
      await stopInOrder([groups.apps, groups.services, groups.database]);
      await held.directory?.release();
    },
  };
}

type Start = StartOptions & {
  groups: { apps: Supervised[]; services: Supervised[]; database: Supervised[] };
  held: { directory?: HeldDirectory; dev?: DevMode };
  stopping: AbortSignal;
};

async function startAll(options: Start): Promise<Started> {
  // Programs get the contents of files as variables.
  const start = { ...options, source: readSecretFiles(options.source, Object.keys(envCatalog)) };
  const config = readStartConfig(start.source);
  const dataDir = path.resolve(start.root, config.DATA_DIR);
  const held = await openDataDirectory(dataDir, start.report);
  start.held.directory = held;
  try {
    await checkPort(config);
    if (config.DATABASE_URL === undefined) await checkPostgres(postgresDir(dataDir));
    await mkdir(path.join(dataDir, 'logs'), { recursive: true });
    start.stopping.throwIfAborted();
    if (start.isDev) start.held.dev = await openDevMode({ ...start, config });
    return await startPrograms(start, config, dataDir);
  } catch (error) {
    throw explained(error, dataDir);
  }
}

async function startPrograms(start: Start, config: StartConfig, dataDir: string): Promise<Started> {
  const { root, source, report } = start;
  const { dev } = start.held;
  const programs = createPrograms(root, config, source);
  const keys = await findKeys(config, dataDir);
  const compiled = dev ? Promise.resolve() : compileApps(root);
  const [{ ownerUrl, databaseUrl }, s3, store, sourcesUrl, graphUrl, aiUrl, webDir, watched] =
    await Promise.all([
      startDatabase(start, config, { dataDir, keys }),
      startObjectStorage(start, programs, config, dataDir),
      compiled.then(() => startStore(start, programs, config, dataDir)),
      compiled.then(() => startSources(start, programs, dataDir)),
      compiled.then(() => startGraph(start, programs, dataDir)),
      compiled.then(() => startAi(start, programs, dataDir)),
      dev?.publicDir ?? (source.WEB_DIR || buildWeb(root, report)),
      openWatchFolder(root, config, dataDir),
      compiled,
    ]);
  const { ready: storeReady, url: storeUrl, demoStore } = store;
  const watchFolder = watched.folder;
  const simulated = { sourcesUrl, graphUrl, aiUrl, demoStore };
  const connections: Connections = { databaseUrl, s3, ...simulated, watchFolder };
  const apps = [programs.api(connections, keys, webDir), ...programs.workers(connections, keys)];
  const backupDir = backupDirOf(root, config, dataDir);
  if (backupDir !== null) apps.push(programs.keeper(connections, keys, { ownerUrl, backupDir }));
  const ready = apps.map((app) => keep(start, dataDir, 'apps', app).ready);
  if (dev) ready.push(keep(start, dataDir, 'apps', dev.web).ready);
  await Promise.all([...ready, storeReady]);
  return { config, dataDir, keys, storeUrl, watched };
}

/** Supervises a program as part of a group, with its own log file. */
function keep(start: Start, dataDir: string, group: keyof Start['groups'], program: Program): Supervised {
  start.stopping.throwIfAborted();
  const observer = observerOf(start, dataDir, program.name);
  const supervised = (start.held.dev?.supervise ?? supervise)(program, observer);
  start.groups[group].push(supervised);
  return supervised;
}

function observerOf(start: Start, dataDir: string, name: string): ProcessObserver {
  return { log: openLogFile(path.join(dataDir, 'logs', `${name}.log`)), report: start.report };
}

/** The database with the schema of this version, as the apps reach it: with a role that owns no table. */
async function startDatabase(
  start: Start,
  config: StartConfig,
  { dataDir, keys }: { dataDir: string; keys: Keys },
): Promise<{ databaseUrl: string; ownerUrl: string }> {
  const isEmbedded = config.DATABASE_URL === undefined;
  const owner = config.DATABASE_URL ?? (await startEmbeddedPostgres(start, dataDir));
  const app = isEmbedded ? await embeddedAppUrl(owner, dataDir) : config.APP_DATABASE_URL;
  if (isEmbedded) await copyBeforeMigration(start, { url: owner, dataDir });
  const { CREDENTIALS_KEY_OLD } = config;
  const rootKeys = { CREDENTIALS_KEY: keys.credentialsKey, CREDENTIALS_KEY_OLD };
  await migrateDatabase(start, { owner, app, keys: rootKeys });
  if (isEmbedded) await noteMigrations(start.root, dataDir);
  return { databaseUrl: app ?? owner, ownerUrl: owner };
}

/** Where backups are kept; null: none are made. */
function backupDirOf(root: string, { BACKUP_DIR }: StartConfig, dataDir: string): string | null {
  if (BACKUP_DIR === undefined) return backupsDir(dataDir);
  return BACKUP_DIR === 'never' ? null : path.resolve(root, BACKUP_DIR);
}

async function embeddedAppUrl(owner: string, dataDir: string): Promise<string> {
  const url = new URL(owner);
  url.username = 'draftshelf_app';
  url.password = await keptSecret(path.join(dataDir, 'secrets/database-password'));
  return url.href;
}

async function startEmbeddedPostgres(start: Start, dataDir: string): Promise<string> {
  const postgres = await startPostgres({
    dir: postgresDir(dataDir),
    observer: observerOf(start, dataDir, 'postgres'),
    keep: (supervised) => {
      start.groups.database.push(supervised);
      if (start.stopping.aborted) void supervised.stop();
    },
  });
  return postgres.url;
}

async function startObjectStorage(
  start: Start,
  programs: ReturnType<typeof createPrograms>,
  config: StartConfig,
  dataDir: string,
): Promise<Connections['s3']> {
  const { S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } = config;
  if (endpoint !== undefined && accessKey !== undefined && secretKey !== undefined) {
    return { endpoint, accessKey, secretKey };
  }
  const port = await keptPort(objectsPortFile(dataDir));
  const keys = await objectsKeys(dataDir);
  const program = programs.objectStorage(port, objectsDir(dataDir), keys);
  await keep(start, dataDir, 'services', program).ready;
  return { endpoint: `http://127.0.0.1:${port}`, ...keys };
}

async function startStore(
  start: Start,
  programs: ReturnType<typeof createPrograms>,
  config: StartConfig,
  dataDir: string,
): Promise<Pick<Connections, 'demoStore'> & { url: string; ready: Promise<void> }> {
  if (config.SHOPIFY_STORE_URL !== undefined) {
    return { demoStore: null, url: config.SHOPIFY_STORE_URL, ready: Promise.resolve() };
  }
  // The port stays the same between starts, so that links to earlier products still work.
  const port = await keptPort(path.join(dataDir, 'store-port'));
  const accessToken = await keptSecret(path.join(dataDir, 'secrets/store-access-token'));
  const program = programs.storeSimulator(port, path.join(dataDir, 'store'), accessToken);
  // Not awaited here: it loads a large schema and is not needed before the first push.
  const { ready } = keep(start, dataDir, 'services', program);
  const url = `http://127.0.0.1:${port}`;
  return { demoStore: { url, accessToken }, url, ready };
}

/** While one of these is set, and not empty, the simulated sources do not run. */
const realSources: readonly VariableName[] = [
  'SHOPIFY_STORE_URL',
  'UPCITEMDB_URL',
  'UPCITEMDB_KEY',
  'OPEN_PRODUCTS_FACTS_URL',
  'BARCODE_LOOKUP_URL',
  'BARCODE_LOOKUP_KEY',
];

/** The simulated sources, at an address that stays the same: pictures that products have got must still be there. */
async function startSources(
  start: Start,
  programs: ReturnType<typeof createPrograms>,
  dataDir: string,
): Promise<string | undefined> {
  // The configuration has defaults for addresses, so the environment itself says what is set.
  if (realSources.some((name) => start.source[name])) return undefined;
  const port = await keptPort(path.join(dataDir, 'sources-port'));
  await keep(start, dataDir, 'services', programs.sourceSimulator(port)).ready;
  return `http://127.0.0.1:${port}`;
}

/** The simulated OneDrive, at an address that stays the same: a panel that shows it may be open. */
async function startGraph(
  start: Start,
  programs: ReturnType<typeof createPrograms>,
  dataDir: string,
): Promise<string | undefined> {
  if (start.source.ONEDRIVE_CLIENT_ID) return undefined;
  const port = await keptPort(path.join(dataDir, 'graph-port'));
  await keep(start, dataDir, 'services', programs.graphSimulator(port)).ready;
  return `http://127.0.0.1:${port}`;
}

/** The simulated AI service, at an address that stays the same: its answers are kept by it. */
async function startAi(
  start: Start,
  programs: ReturnType<typeof createPrograms>,
  dataDir: string,
): Promise<string | undefined> {
  if (start.source.AI_BASE_URL || start.source.SHOPIFY_STORE_URL) return undefined;
  const port = await keptPort(path.join(dataDir, 'ai-port'));
  await keep(start, dataDir, 'services', programs.aiSimulator(port)).ready;
  return `http://127.0.0.1:${port}/v1`;
}

async function findKeys(config: StartConfig, dataDir: string): Promise<Keys> {
  return {
    accessKey: config.ACCESS_KEY ?? (await keptAccessKey(accessKeyFile(dataDir))),
    sessionSecret: config.SESSION_SECRET ?? (await keptSecret(path.join(dataDir, 'secrets/session-secret'))),
    credentialsKey: config.CREDENTIALS_KEY ?? (await keptSecret(credentialsKeyFile(dataDir))),
  };
}

/** The file of a generated access key. */
export function accessKeyFile(dataDir: string): string {
  return path.join(dataDir, 'access-key');
}

async function checkPort(config: StartConfig): Promise<void> {
  const at = `port ${config.PORT} of ${config.HOST}`;
  const free = await isPortFree(config.HOST, config.PORT).catch((error) => {
    throw new StartError(`The api cannot listen on ${at}: ${error.message}. Set PORT or HOST.`, {
      cause: error,
    });
  });
  if (!free) {
    throw new StartError(
      `Another program listens on ${at}. Stop it, or choose another port: PORT=3001 npm start`,
    );
  }
}
