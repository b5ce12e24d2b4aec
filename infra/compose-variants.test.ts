import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readEnv } from '@draftshelf/runtime/env';
import { createEnvSchema } from '@draftshelf/runtime/env-catalog';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ComposeService, mergeComposeFiles, ownServices } from './compose-files.ts';

const bundled = ['postgres', 'redis', 'minio'];
const hex = (digit: string) => digit.repeat(64);

/** What docs/OPERATIONS.md tells an operator to set. The bundled services' secrets are required, if only as a word. */
const secrets = {
  POSTGRES_PASSWORD: 'secretowner',
  APP_DATABASE_PASSWORD: 'secretapp',
  REDIS_PASSWORD: 'secretredis',
  S3_SECRET_KEY: 'secrets3',
  ACCESS_KEY: 'a secret access key',
  SESSION_SECRET: 'secretsessioncookies',
};
const ownPostgres = {
  DATABASE_URL: 'postgresql://owner:secretown@db.example.com/shelf',
  APP_DATABASE_URL: 'postgresql://app:secretownapp@db.example.com/shelf',
};
const ownRedis = { REDIS_URL: 'rediss://:secretown@redis.example.com:6379' };
const ownS3 = { S3_ENDPOINT: 'https://s3.example.com', S3_ACCESS_KEY: 'AKIA', S3_REGION: 'eu-central-1' };
const garage = { S3_ACCESS_KEY: 'GK0123', GARAGE_RPC_SECRET: hex('a') };
const proxy = { DOMAIN: 'shelf.example.com' };

const variants: { files: string[]; env: Record<string, string>; without?: string[] }[] = [
  { files: [], env: {} },
  { files: ['build'], env: {} },
  { files: ['own-postgres'], env: ownPostgres, without: ['postgres'] },
  { files: ['own-redis'], env: ownRedis, without: ['redis'] },
  { files: ['own-s3'], env: ownS3, without: ['minio'] },
  {
    files: ['own-postgres', 'own-redis', 'own-s3', 'proxy'],
    env: { ...ownPostgres, ...ownRedis, ...ownS3, ...proxy },
    without: bundled,
  },
  { files: ['garage'], env: garage, without: ['minio'] },
  { files: ['proxy'], env: proxy },
  { files: ['secrets'], env: {} },
  { files: ['proxy', 'secrets'], env: proxy },
];

const merge = (files: readonly string[], env: Record<string, string>, profile?: string) =>
  mergeComposeFiles(
    ['../docker-compose.yml', ...files.map((name) => `compose.${name}.yml`)].map(
      (name) => new URL(name, import.meta.url),
    ),
    { ...secrets, ...env },
    profile,
  );

describe.each(variants)('docker-compose.yml with $files', ({ files, env, without = [] }) => {
  test('drops the services of others and what waits for them', async () => {
    const services = await merge(files, env);
    const names = Object.keys(services);
    expect(names).toEqual(expect.arrayContaining([...ownServices]));
    expect(bundled.filter((name) => !names.includes(name))).toEqual(without);
    for (const [name, { depends_on }] of Object.entries(services)) {
      const waits = Object.entries(depends_on).filter(([, { required }]) => required);
      expect(
        waits.map(([other]) => other).filter((other) => !names.includes(other)),
        name,
      ).toEqual([]);
    }
  });

  test('limits every service, and gives it no rights that it does not need', async () => {
    for (const [name, service] of Object.entries(await merge(files, env))) {
      expect(service, name).toMatchObject({
        read_only: true,
        init: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges'],
        pids_limit: expect.any(Number),
        mem_limit: expect.stringMatching(/^\d+[mg]$/),
        cpus: expect.anything(),
        // Browsers wait for these two.
        cpu_shares: ['api', 'caddy'].includes(name) ? 4096 : 1024,
        logging: { options: { 'max-size': '10m' } },
      });
      const added: Record<string, string[]> = {
        caddy: ['NET_BIND_SERVICE'],
        owner: ['CHOWN', 'DAC_READ_SEARCH'],
      };
      expect(service.cap_add ?? [], name).toEqual(added[name] ?? []);
    }
  });

  test('runs no image as root, and gives the volumes of those without a user to theirs', async () => {
    const services = await merge(files, env);
    const own = /^\$\{|^draftshelf/;
    const foreign = Object.entries(services).filter(([, { image }]) => !own.test(image));
    const users = { postgres: 'postgres', redis: 'redis' };
    const mounted: string[] = [];
    for (const [name, service] of foreign) {
      const { user, volumes = [] } = service as { user?: string; volumes?: string[] };
      expect(user, name).toBe(name in users ? users[name as keyof typeof users] : '1000:1000');
      if (name in users) continue;
      expect(service.depends_on.owner, name).toMatchObject({ condition: 'service_completed_successfully' });
      const named = volumes.filter((one) => !one.startsWith('.'));
      mounted.push(...named.map((one) => one.split(':')[0] ?? ''));
      // An empty volume would get the owner of the image's directory.
      expect(
        named.map((one) => one.split(':')[2]),
        name,
      ).toEqual(named.map(() => 'nocopy'));
    }
    const { volumes } = services.owner as unknown as { volumes: string[] };
    expect(volumes).toEqual(expect.arrayContaining(mounted.map((one) => `${one}:/volumes/${one}`)));
    const asRoot = Object.keys(services).filter((name) =>
      /^(0|root)/.test(String(services[name]?.user ?? '')),
    );
    expect(asRoot).toEqual(['owner']);
    expect(services.owner).toMatchObject({ network_mode: 'none', restart: 'no', environment: {} });
  });

  test('gives every process a configuration that it accepts, and the services that it names', async () => {
    const services = await merge(files, env);
    const dir = await secretsDirectory();
    for (const name of ownServices) {
      const { environment, networks } = services[name] as ComposeService;
      const given = Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [key, value.replace('/run/secrets', dir)]),
      );
      const read: Record<string, unknown> = readEnv(createEnvSchema(name), {
        ...given,
        WEB_DIR: 'set by the image',
      });
      for (const key of ['DATABASE_URL', 'REDIS_URL', 'S3_ENDPOINT']) {
        if (typeof read[key] !== 'string') continue;
        const { hostname } = new URL(read[key]);
        const reached = services[hostname];
        const isShared = reached?.networks.some((one) => networks.includes(one)) ?? /\./.test(hostname);
        expect(isShared, `${name} reaches ${hostname}`).toBe(true);
      }
      // The others own no tables.
      const owners = ['migrate', 'keeper'];
      if (!owners.includes(name)) expect(read.DATABASE_URL).not.toContain('owner');
    }
  });

  test('restores as the owner of the tables, with the storage and the sealing key of the api', async () => {
    const services = await merge(files, { ...env, CREDENTIALS_KEY: hex('b') }, 'restore');
    const { migrate, restore, api } = Object.fromEntries(
      Object.entries(services).map(([name, service]) => [name, service.environment]),
    );
    const of = (given: Record<string, string> | undefined, names: RegExp) =>
      Object.fromEntries(Object.entries(given ?? {}).filter(([name]) => names.test(name)));
    expect(of(restore, /^DATABASE_URL/)).toEqual(of(migrate, /^DATABASE_URL/));
    const shared = /^(S3|CREDENTIALS)_/;
    expect(of(restore, shared)).toEqual(of(api, shared));
    expect(Object.keys(of(restore, shared))).toContain('CREDENTIALS_KEY');
    const withRootKey = Object.keys(services).filter((name) =>
      JSON.stringify(services[name]).includes(hex('b')),
    );
    expect(withRootKey.toSorted()).toEqual(files.includes('secrets') ? [] : ['api', 'migrate', 'restore']);
    const mounted = Object.values(restore ?? {}).filter((value) => value.startsWith('/run/secrets/'));
    expect(services.restore?.secrets.toSorted()).toEqual(
      mounted.map((file) => path.basename(file)).toSorted(),
    );
  });
});

test('with the proxy, two apis are reachable through Caddy only', async () => {
  const services = await merge(['proxy'], proxy);
  expect(services.api).toMatchObject({
    scale: 2,
    ports: [],
    environment: {
      PUBLIC_URL: 'https://shelf.example.com',
      TRUSTED_PROXIES: expect.stringContaining('172.16'),
    },
  });
  const published = Object.keys(services).filter((name) => services[name]?.ports.length !== 0);
  expect(published).toEqual(['caddy']);
  expect(services.caddy?.networks).toEqual(['front']);
  const caddyfile = await readFile(new URL('Caddyfile', import.meta.url), 'utf8');
  for (const name of caddyfile.matchAll(/\{\$(\w+)\}/g)) {
    expect(Object.keys(services.caddy?.environment ?? {})).toContain(name[1]);
  }
});

test('with secrets in files, no environment and no command contains one', async () => {
  const services = await merge(['secrets'], { CREDENTIALS_KEY: hex('b') });
  expect(JSON.stringify(services)).not.toMatch(
    /secret(owner|app|redis|s3|session)|a secret access key|b{64}/,
  );
  for (const [name, { environment, secrets: mounted }] of Object.entries(services)) {
    const files = Object.values(environment).filter((value) => value.startsWith('/run/secrets/'));
    expect(files.map((file) => path.basename(file)).toSorted(), name).toEqual(mounted.toSorted());
  }
});

test('an empty required variable is reported', async () => {
  await expect(merge([], { ACCESS_KEY: '' })).rejects.toThrow('ACCESS_KEY: set it in .env');
});

/** The files that docs/OPERATIONS.md describes. */
async function secretsDirectory(): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'draftshelf-secrets-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const files = {
    'owner-database-url': 'postgresql://draftshelf:secret@postgres:5432/draftshelf',
    'database-url': 'postgresql://draftshelf_app:secret@postgres:5432/draftshelf',
    'redis-url': 'redis://:secret@redis:6379',
    's3-secret-key': 'a secret',
    'access-key': 'a secret access key',
    'session-secret': 'a secret of the sessions',
    'credentials-key': hex('c'),
    'sealing-key-store': hex('d'),
    'sealing-key-lookups': hex('e'),
    'sealing-key-folders': hex('f'),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(dir, name), `${content}\n`);
  return dir;
}
