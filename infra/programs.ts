import path from 'node:path';
import type { EnvSource } from '@draftshelf/runtime/env';
import { appMains } from './app-mains.ts';
import { appNodeArgs, appNodeEnv, launchNode } from './launch.ts';
import type { StartConfig } from './start-config.ts';
import type { Program } from './supervisor.ts';
import { systemEnv } from './system-env.ts';

/** The connections to all services, embedded or configured. */
export type Connections = {
  databaseUrl: string;
  s3: { endpoint: string; accessKey: string; secretKey: string };
  /** The configured store; null: the demo store, which the api saves as credentials. */
  store: { url: string; accessToken?: string; clientId?: string; clientSecret?: string } | null;
  demoStore: { url: string; accessToken: string } | null;
  /** The simulated sources of product data; undefined: real ones, or none. */
  sourcesUrl: string | undefined;
};

/** Generated or configured keys. */
export type Keys = { accessKey: string; sessionSecret: string; credentialsKey: string };

/** An api or worker finishes its current chunks or requests. */
const appStopMsMax = 40_000;
const serviceStopMsMax = 10_000;
const readyMsMax = 60_000;

type Env = Record<string, string | undefined>;

/** All programs, each with the part of the configuration that it reads. */
export function createPrograms(root: string, config: StartConfig, source: EnvSource) {
  const shared: Env = { ...appNodeEnv, ...systemEnv(source), LOG_LEVEL: config.LOG_LEVEL };

  const program = (name: string, script: string, env: Env, stopMsMax: number): Program => ({
    name,
    launch: launchNode(path.join(root, script), [], appNodeArgs),
    ...(script.endsWith('/src/main.ts') ? { folder: path.dirname(path.dirname(script)) } : {}),
    env: { ...shared, ...env },
    readyWhen: 'message',
    readyMsMax,
    firstStartsMax: 1,
    stopSignal: 'SIGTERM',
    stopMsMax,
  });
  const app = (name: keyof typeof appMains, env: Env, stopMsMax = appStopMsMax) =>
    program(name, appMains[name], env, stopMsMax);

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
      return program('object-storage', 'infra/s3/s3-main.ts', env, serviceStopMsMax);
    },
    storeSimulator: (port: number, dir: string, accessToken: string): Program => {
      const at = { HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` };
      const { PLAN, SECOND_SHOP_PORT } = source;
      const env = { ...at, DATA_DIR: dir, ACCESS_TOKEN: accessToken, PLAN, SECOND_SHOP_PORT };
      return app('store-simulator', env, serviceStopMsMax);
    },
    sourceSimulator: (port: number): Program =>
      app('source-simulator', { PORT: String(port) }, serviceStopMsMax),
    api: (connections: Connections, keys: Keys, webDir: string): Program =>
      app('api', {
        ...database(config, connections),
        ...storage(config, connections),
        ...store(config, connections),
        ...sealing(config, keys),
        DEMO_STORE_URL: connections.demoStore?.url,
        DEMO_STORE_TOKEN: connections.demoStore?.accessToken,
        LOCAL_STORES: source.LOCAL_STORES,
        ...limits(source),
        ...sources(source, connections),
        HOST: config.HOST,
        PORT: String(config.PORT),
        PUBLIC_URL: config.PUBLIC_URL,
        TRUSTED_PROXIES: config.TRUSTED_PROXIES?.join(','),
        ACCESS_KEY: keys.accessKey,
        SESSION_SECRET: keys.sessionSecret,
        WEB_DIR: webDir,
      }),
    workers: (connections: Connections, keys: Keys): Program[] => {
      const env = { ...database(config, connections), CONCURRENCY: source.CONCURRENCY };
      return [
        app('parse-worker', { ...env, ...storage(config, connections), ...limits(source) }),
        app('enrich-worker', { ...env, ...sources(source, connections), ...sealing(config, keys) }),
        app('push-worker', {
          ...env,
          ...store(config, connections),
          ...sealing(config, keys),
          IMAGE_HOSTS: source.IMAGE_HOSTS,
        }),
      ];
    },
  };
}

function database(config: StartConfig, connections: Connections): Env {
  return { DATABASE_URL: connections.databaseUrl, REDIS_URL: config.REDIS_URL };
}

function storage(config: StartConfig, { s3 }: Connections): Env {
  return {
    S3_ENDPOINT: s3.endpoint,
    S3_ACCESS_KEY: s3.accessKey,
    S3_SECRET_KEY: s3.secretKey,
    S3_BUCKET: config.S3_BUCKET,
    S3_REGION: config.S3_REGION,
  };
}

function store(config: StartConfig, { store }: Connections): Env {
  return {
    SHOPIFY_STORE_URL: store?.url,
    SHOPIFY_ACCESS_TOKEN: store?.accessToken,
    SHOPIFY_CLIENT_ID: store?.clientId,
    SHOPIFY_CLIENT_SECRET: store?.clientSecret,
    SHOPIFY_API_VERSION: config.SHOPIFY_API_VERSION,
  };
}

function sealing(config: StartConfig, { credentialsKey }: Keys): Env {
  return { CREDENTIALS_KEY: credentialsKey, CREDENTIALS_KEY_OLD: config.CREDENTIALS_KEY_OLD };
}

/** While nothing real is configured, the simulated sources are asked, and nothing but their pictures is fetched. */
function sources(source: EnvSource, { sourcesUrl }: Connections): Env {
  const { UPCITEMDB_URL, UPCITEMDB_KEY, OPEN_PRODUCTS_FACTS_URL, BARCODE_LOOKUP_URL, BARCODE_LOOKUP_KEY } =
    source;
  const { SOURCES_ON, SOURCES_CONTACT, FETCH_ALLOW, FETCH_PUBLIC, IMAGE_HOSTS } = source;
  const real = {
    UPCITEMDB_URL,
    UPCITEMDB_KEY,
    OPEN_PRODUCTS_FACTS_URL,
    BARCODE_LOOKUP_URL,
    BARCODE_LOOKUP_KEY,
  };
  const fetched = { FETCH_ALLOW, FETCH_PUBLIC, IMAGE_HOSTS };
  return { ...real, DEMO_SOURCES_URL: sourcesUrl, SOURCES_ON, SOURCES_CONTACT, ...fetched };
}

function limits(source: EnvSource): Env {
  const { CSV_BYTES_MAX, RECORD_BYTES_MAX, CELL_BYTES_MAX, COLUMNS_MAX, ROWS_MAX } = source;
  return { CSV_BYTES_MAX, RECORD_BYTES_MAX, CELL_BYTES_MAX, COLUMNS_MAX, ROWS_MAX };
}
