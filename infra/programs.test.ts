import { type EnvReader, envVariables } from '@draftshelf/runtime/env-catalog';
import { expect, test } from 'vitest';
import { createPrograms } from './programs.ts';
import { readStartConfig } from './start-config.ts';

test('programs get their own part of the configuration and nothing else of the shell', () => {
  const secrets = { ACCESS_KEY: 'key-of-the-operator', CLOUD_TOKEN: 'other-secret', GITHUB_TOKEN: 'another' };
  const source = { PATH: '/bin', TZ: 'UTC', HTTPS_PROXY: 'http://proxy:1', CONCURRENCY: '3', ...secrets };
  const programs = createPrograms('/project', readStartConfig(source), source);
  const s3 = { endpoint: 'http://127.0.0.1:1', accessKey: 'a', secretKey: 's3-secret' };
  const connections = {
    ...{ databaseUrl: 'postgresql://u:database-secret@h/d', s3, sourcesUrl: undefined },
    ...{ graphUrl: undefined, aiUrl: undefined, watchFolder: '/w' },
    ...{ demoStore: { url: 'http://127.0.0.1:2', accessToken: 'demo' } },
  };
  const credentialsKey = 'c'.repeat(64);
  const keys = { accessKey: secrets.ACCESS_KEY, sessionSecret: 'session-secret', credentialsKey };
  const workers = programs.workers(connections, keys, 2);
  const simulators = [
    programs.storeSimulator(3, '/data', 'demo'),
    programs.sourceSimulator(4),
    programs.graphSimulator(5),
    programs.aiSimulator(6),
  ];
  const own = { ownerUrl: 'postgresql://o:database-secret@h/d', backupDir: '/b' };
  const keeper = programs.keeper(connections, keys, own);
  const all = [...workers, ...simulators, keeper, programs.api(connections, keys, '/web')];
  for (const { name, env } of all) {
    expect([name, env.PATH, env.TZ, env.HTTPS_PROXY]).toEqual([name, '/bin', 'UTC', 'http://proxy:1']);
    const values = JSON.stringify(env);
    expect(values).not.toContain('other-secret');
    expect(values).not.toContain('another');
    expect(values.includes(secrets.ACCESS_KEY)).toBe(name === 'api');
    expect(values.includes(credentialsKey)).toBe(name === 'api');
    const withFiles = ['api', 'parse-worker', 'push-worker', 'folder-worker', 'keeper'];
    expect(values.includes('s3-secret')).toBe(withFiles.includes(name.replace('-2', '')));
    expect(values.includes('database-secret')).toBe(!/simulator/.test(name));
  }
  const sealing = workers.map(({ env }) => env.SEALING_KEY).filter((key) => key !== undefined);
  expect(new Set(sealing).size).toBe(3);
  const behind = [...workers, keeper, programs.objectStorage(1, '/data', s3)].map(({ name }) => name);
  const giveWay = [...all, programs.objectStorage(1, '/data', s3)].filter(({ givesWay }) => givesWay);
  expect(giveWay.map(({ name }) => name)).toEqual(behind);
  expect(workers.map(({ env }) => env.CONCURRENCY)).toEqual(['3', '3', '3', undefined, '3']);
  expect(programs.workers(connections, keys, 1).map(({ name }) => name)).not.toContain('parse-worker-2');
});

test('each program gets every variable of the catalog that it reads, and no other', () => {
  const set = Object.fromEntries(envVariables.map(([name]) => [name, `value of ${name}`]));
  const programs = createPrograms('/project', readStartConfig({}), set);
  const s3 = { endpoint: 'e', accessKey: 'a', secretKey: 's' };
  const demoStore = { url: 'u', accessToken: 't' };
  const connections = {
    databaseUrl: 'd',
    s3,
    demoStore,
    sourcesUrl: 'http://127.0.0.1:3',
    graphUrl: 'http://127.0.0.1:4',
    aiUrl: 'http://127.0.0.1:5/v1',
    watchFolder: '/w',
  };
  const keys = { accessKey: 'k', sessionSecret: 's', credentialsKey: 'c'.repeat(64) };
  const keeper = programs.keeper(connections, keys, { ownerUrl: 'd', backupDir: '/b' });
  const all = [programs.api(connections, keys, '/web'), ...programs.workers(connections, keys, 1), keeper];
  for (const { name, env } of all) {
    const got = envVariables.map(([variable]) => variable).filter((variable) => env[variable] !== undefined);
    const read = envVariables.filter(([, { readBy }]) => readBy.includes(name as EnvReader));
    // Those of development, containers and tests stay unset, whatever the shell has.
    const unset = ['CHECK_REPLIES', 'HEALTH_FILE', 'RETRY_BASE_MS', 'FOLDER_SETTLE_MS'];
    expect([name, got]).toEqual([
      name,
      read.map(([variable]) => variable).filter((variable) => !unset.includes(variable)),
    ]);
    expect(env.DATABASE_URL).toBe('d');
  }
  const { env } = programs.storeSimulator(3, '/data', 'demo');
  expect([env.PLAN, env.SECOND_SHOP_PORT, env.PORT]).toEqual([
    'value of PLAN',
    'value of SECOND_SHOP_PORT',
    '3',
  ]);
});
