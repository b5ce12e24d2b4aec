import { availableParallelism } from 'node:os';
import path from 'node:path';
import { type CredentialPurpose, deriveSealingKey, purposesByWorker } from '@draftshelf/core/access/sealing';
import type { EnvSource } from '@draftshelf/runtime/env';
import { type EnvReader, isInner, listVariablesReadBy } from '@draftshelf/runtime/env-catalog';
import { type AppName, appMains, appProgram } from './app-mains.ts';
import { appNodeArgs, appNodeEnv, launchNode } from './launch.ts';
import type { StartConfig } from './start-config.ts';
import type { Program } from './supervisor.ts';
import { systemEnv } from './system-env.ts';

/** The connections to all services, embedded or configured. */
export type Connections = {
  databaseUrl: string;
  s3: { endpoint: string; accessKey: string; secretKey: string };
  /** The demo store, which the api saves as credentials; null: a store is configured. */
  demoStore: { url: string; accessToken: string } | null;
  /** The simulated sources of product data; undefined: real ones, or none. */
  sourcesUrl: string | undefined;
  /** The simulated OneDrive; undefined: an app registration at Microsoft is configured. */
  graphUrl: string | undefined;
  /** The simulated AI service; undefined: a real one is configured. */
  aiUrl: string | undefined;
  /** The folder whose files become imports. */
  watchFolder: string;
};

/** Generated or configured keys. */
export type Keys = { accessKey: string; sessionSecret: string; credentialsKey: string };

/** An api or worker finishes its current chunks or requests. */
const appStopMsMax = 40_000;
const serviceStopMsMax = 10_000;
/** Beside other work on two slow cores a worker has taken over a minute. */
const readyMsMax = 300_000;

type Env = Record<string, string | undefined>;

/** All programs, each with the part of the configuration that it reads. */
export function createPrograms(root: string, config: StartConfig, source: EnvSource) {
  const shared: Env = { ...appNodeEnv, ...systemEnv(source) };

  const program = (name: string, script: string, env: Env, stopMsMax: number): Program => ({
    name,
    launch: launchNode(path.join(root, script), [], appNodeArgs),
    env: { ...shared, ...env },
    readyWhen: 'message',
    readyMsMax,
    firstStartsMax: 1,
    stopSignal: 'SIGTERM',
    stopMsMax,
  });
  const app = (name: AppName, env: Env, stopMsMax = appStopMsMax): Program => ({
    ...program(name, appProgram(name), env, stopMsMax),
    folder: path.dirname(path.dirname(appMains[name])),
  });

  return {
    objectStorage: (port: number, dir: string, keys: { accessKey: string; secretKey: string }): Program => {
      const { accessKey: S3_ACCESS_KEY, secretKey: S3_SECRET_KEY } = keys;
      const env = {
        PORT: String(port),
        DATA_DIR: dir,
        S3_ACCESS_KEY,
        S3_SECRET_KEY,
        S3_REGION: config.S3_REGION,
      };
      return { ...program('object-storage', 'infra/s3/s3-main.ts', env, serviceStopMsMax), givesWay: true };
    },
    storeSimulator: (port: number, dir: string, accessToken: string): Program => {
      const at = { HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` };
      const env = { ...envOf('store-simulator', source), ...at, DATA_DIR: dir, ACCESS_TOKEN: accessToken };
      return app('store-simulator', env, serviceStopMsMax);
    },
    sourceSimulator: (port: number): Program => {
      const env = { ...envOf('source-simulator', source), PORT: String(port) };
      return app('source-simulator', env, serviceStopMsMax);
    },
    graphSimulator: (port: number): Program => {
      const env = { ...envOf('graph-simulator', source), PORT: String(port) };
      return app('graph-simulator', env, serviceStopMsMax);
    },
    aiSimulator: (port: number): Program => {
      const env = { ...envOf('ai-simulator', source), PORT: String(port) };
      return app('ai-simulator', env, serviceStopMsMax);
    },
    api: (connections: Connections, keys: Keys, webDir: string): Program =>
      app(
        'api',
        envOf('api', source, {
          ...madeBy(root, config, connections, keys),
          WEB_DIR: webDir,
          METRICS_PORT: metricsPort(source, 0),
        }),
      ),
    /** One of each kind, and a second one that parses where there is a core for it: a large file is read by both. */
    workers: (connections: Connections, keys: Keys, cores = availableParallelism()): Program[] => {
      const made = madeBy(root, config, connections, keys);
      const worker = (name: EnvReader & AppName, place: number): Program => {
        const purpose = purposes[name];
        const env = envOf(name, source, {
          ...made,
          METRICS_PORT: metricsPort(source, place),
          SEALING_KEY: purpose && deriveSealingKey(keys.credentialsKey, purpose),
        });
        return { ...app(name, env), givesWay: true };
      };
      const names = ['parse-worker', 'enrich-worker', 'push-worker', 'folder-worker'] as const;
      const each = names.map((name, at) => worker(name, at + 1));
      return cores > 1 ? [...each, { ...worker('parse-worker', 6), name: 'parse-worker-2' }] : each;
    },
    /** `ownerUrl`: the database with the role that owns the tables. */
    keeper: (connections: Connections, keys: Keys, own: { ownerUrl: string; backupDir: string }): Program => {
      const made = { ...madeBy(root, config, connections, keys), DATABASE_URL: own.ownerUrl };
      const env = { ...made, METRICS_PORT: metricsPort(source, 5), BACKUP_DIR: own.backupDir };
      return { ...app('keeper', envOf('keeper', source, env)), givesWay: true };
    },
  };
}

const purposes: Partial<Record<EnvReader, CredentialPurpose>> = purposesByWorker;

/** The variables that a program reads: those that the start has made, and the others as the operator has set them. */
function envOf(name: EnvReader, source: EnvSource, made: Env = {}): Env {
  return Object.fromEntries(
    listVariablesReadBy(name).map((variable) => {
      const ofOperator = isInner(variable) ? undefined : source[variable];
      return [variable, variable in made ? made[variable] : ofOperator];
    }),
  );
}

/** The processes of one machine have a port for metrics each. */
function metricsPort({ METRICS_PORT: first }: EnvSource, place: number): string | undefined {
  return first === undefined || first === '' || first === '0' ? first : String(Number(first) + place);
}

/** The values that the start makes, or has a default for. */
function madeBy(
  root: string,
  config: StartConfig,
  { databaseUrl, s3, demoStore, sourcesUrl, graphUrl, aiUrl, watchFolder }: Connections,
  keys: Keys,
): Env {
  return {
    PUBLIC_URL: config.PUBLIC_URL,
    ACCESS_KEY: keys.accessKey,
    SESSION_SECRET: keys.sessionSecret,
    CREDENTIALS_KEY: keys.credentialsKey,
    DATABASE_URL: databaseUrl,
    S3_ENDPOINT: s3.endpoint,
    S3_ACCESS_KEY: s3.accessKey,
    S3_SECRET_KEY: s3.secretKey,
    S3_BUCKET: config.S3_BUCKET,
    DEMO_STORE_URL: demoStore?.url,
    DEMO_STORE_TOKEN: demoStore?.accessToken,
    DEMO_SOURCES_URL: sourcesUrl,
    DEMO_GRAPH_URL: graphUrl,
    DEMO_AI_URL: aiUrl,
    WATCH_FOLDER: watchFolder,
    DISK_DIR: path.resolve(root, config.DATA_DIR),
  };
}
