import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { EnvSource } from '@draftshelf/runtime/env';
import { isHeld, keptPort, openDataDirectory } from './data-directory.ts';
import { credentialsKeyFile, objectsDir, objectsKeys, objectsPortFile, postgresDir } from './data-layout.ts';
import { readIfThere } from './durable-file.ts';
import { checkPostgres, findPostgres, hasCluster, startPostgres } from './embedded-postgres.ts';
import { openLogFile } from './log-file.ts';
import { createPrograms } from './programs.ts';
import { readStartConfig, type StartConfig } from './start-config.ts';
import { StartError } from './start-error.ts';
import { type Supervised, stopInOrder, supervise } from './supervisor.ts';
import { systemEnv } from './system-env.ts';

type Env = Record<string, string | undefined>;
type Options = {
  root: string;
  source: EnvSource;
  report: (text: string) => void;
  /** A restore fills an empty data directory; a backup needs one that has data, and may share it with npm start. */
  command: 'backup' | 'restore';
};
type Services = { env: Env; stop: () => Promise<void> };

/**
 * Database, object storage and sealing key for a backup or restore, as variables of the environment: those that are
 * configured, else the embedded ones of the data directory. A running npm start lends its own; else they are started,
 * and `stop` ends them.
 *
 * @throws ConfigurationError, StartError or ProgramError, whose messages explain the problem
 */
export async function openDataServices(options: Options): Promise<Services> {
  const config = readStartConfig(options.source);
  const dataDir = path.resolve(options.root, config.DATA_DIR);
  const credentialsKey = config.CREDENTIALS_KEY ?? (await readIfThere(credentialsKeyFile(dataDir)))?.trim();
  const configured: Env = {
    ...systemEnv(options.source),
    DATABASE_URL: config.DATABASE_URL,
    S3_ENDPOINT: config.S3_ENDPOINT,
    S3_ACCESS_KEY: config.S3_ACCESS_KEY,
    S3_SECRET_KEY: config.S3_SECRET_KEY,
    S3_BUCKET: config.S3_BUCKET,
    S3_REGION: config.S3_REGION,
    CREDENTIALS_KEY: credentialsKey,
    CREDENTIALS_KEY_OLD: config.CREDENTIALS_KEY_OLD,
  };
  if (config.DATABASE_URL && config.S3_ENDPOINT) return { env: configured, stop: async () => {} };
  const isShared = options.command === 'backup' && (await isHeld(dataDir));
  const services = isShared
    ? await findServices(config, dataDir)
    : await startServices(options, config, dataDir);
  return { ...services, env: { ...configured, ...services.env } };
}

async function findServices(config: StartConfig, dataDir: string): Promise<Services> {
  const DATABASE_URL = config.DATABASE_URL ?? (await findPostgres(postgresDir(dataDir)));
  const port = (await readIfThere(objectsPortFile(dataDir)))?.trim();
  if (DATABASE_URL === undefined || (config.S3_ENDPOINT === undefined && port === undefined)) {
    throw new StartError('Draftshelf is starting or stopping. Try again when it is ready.');
  }
  return { env: { DATABASE_URL, ...(await storageEnv(config, dataDir, port)) }, stop: async () => {} };
}

async function startServices(options: Options, config: StartConfig, dataDir: string): Promise<Services> {
  const { root, source, report, command } = options;
  const needsData = command === 'backup' && config.DATABASE_URL === undefined;
  if (needsData && !(await hasCluster(postgresDir(dataDir)))) {
    throw new StartError(`${dataDir} has no database, so there is nothing to back up. Set DATA_DIR.`);
  }
  const held = await openDataDirectory(dataDir, report);
  const [services, database] = [[] as Supervised[], [] as Supervised[]];
  const stop = async () => {
    await stopInOrder([services, database]);
    await held.release();
  };
  try {
    await mkdir(path.join(dataDir, 'logs'), { recursive: true });
    const observerOf = (name: string) => ({
      log: openLogFile(path.join(dataDir, 'logs', `${name}.log`)),
      report,
    });
    const env: Env = {};
    if (config.DATABASE_URL === undefined) {
      await checkPostgres(postgresDir(dataDir));
      const keep = (supervised: Supervised) => void database.push(supervised);
      const postgres = await startPostgres({
        dir: postgresDir(dataDir),
        observer: observerOf('postgres'),
        keep,
      });
      env.DATABASE_URL = postgres.url;
    }
    const port = String(await keptPort(objectsPortFile(dataDir)));
    if (config.S3_ENDPOINT === undefined) {
      const program = createPrograms(root, config, source).objectStorage(
        Number(port),
        objectsDir(dataDir),
        await objectsKeys(dataDir),
      );
      services.push(supervise(program, observerOf(program.name)));
      await services[0]?.ready;
    }
    return { env: { ...env, ...(await storageEnv(config, dataDir, port)) }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function storageEnv(config: StartConfig, dataDir: string, port: string | undefined): Promise<Env> {
  if (config.S3_ENDPOINT !== undefined) return {};
  const { accessKey, secretKey } = await objectsKeys(dataDir);
  return {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_ACCESS_KEY: accessKey,
    S3_SECRET_KEY: secretKey,
  };
}
