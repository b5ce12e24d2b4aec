import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer, Wait } from 'testcontainers';
import { readImages } from '../containers/container-images.ts';
import type { RunningServices } from './services.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const user = 'draftshelf';
const healthEvery = { interval: 500, timeout: 5_000, retries: 120, startPeriod: 0 };

/**
 * Postgres, MinIO and Redis in containers with the compose file's images, if there is an engine; else prints that there
 * is none and returns undefined. Tests get Redis as `REDIS_URL`, like a Redis of the machine.
 */
export async function startContainerServices(): Promise<RunningServices | undefined> {
  try {
    await getContainerRuntimeClient();
  } catch {
    console.warn(
      'NOT TESTED: the services in containers (no container engine answers here); embedded ones run',
    );
    return undefined;
  }
  const images = await readImages(root);
  const secret = randomBytes(24).toString('hex');
  const started: StartedTestContainer[] = [];
  const start = async (container: GenericContainer, port: number): Promise<string> => {
    const running = await container.withExposedPorts(port).withWaitStrategy(Wait.forHealthCheck()).start();
    started.push(running);
    return `${running.getHost()}:${running.getMappedPort(port)}`;
  };
  const stop = async () => {
    await Promise.all(started.map((container) => container.stop()));
  };
  try {
    const [postgres, minio, redis] = await Promise.all([
      start(postgresContainer(images.postgres, secret), 5432),
      start(minioContainer(images.minio, secret), 9000),
      start(redisContainer(images.redis), 6379),
    ]);
    process.env.REDIS_URL = `redis://${redis}`;
    return {
      postgresUrl: `postgresql://${user}:${secret}@${postgres}/${user}`,
      s3: { endpoint: `http://${minio}`, accessKey: user, secretKey: secret, region: 'us-east-1' },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function postgresContainer(image: string, password: string): GenericContainer {
  return new GenericContainer(image)
    .withEnvironment({ POSTGRES_USER: user, POSTGRES_PASSWORD: password, POSTGRES_DB: user })
    .withCommand(['postgres', '-c', 'max_connections=200'])
    .withHealthCheck({
      test: ['CMD', 'pg_isready', '--quiet', '--host=127.0.0.1', `--username=${user}`, `--dbname=${user}`],
      ...healthEvery,
    });
}

function minioContainer(image: string, password: string): GenericContainer {
  return new GenericContainer(image)
    .withEnvironment({ MINIO_ROOT_USER: user, MINIO_ROOT_PASSWORD: password })
    .withCommand(['server', '/data'])
    .withHealthCheck({ test: ['CMD', 'mc', 'ready', 'local'], ...healthEvery });
}

function redisContainer(image: string): GenericContainer {
  return new GenericContainer(image).withHealthCheck({ test: ['CMD', 'redis-cli', 'ping'], ...healthEvery });
}
