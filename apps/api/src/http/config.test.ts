import { ConfigurationError } from '@draftshelf/runtime/env';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const env = {
  DATABASE_URL: 'postgresql://u:p@localhost:5432/d',
  S3_ENDPOINT: 'http://127.0.0.1:9000',
  S3_ACCESS_KEY: 'a',
  S3_SECRET_KEY: 'b',
  S3_BUCKET: 'files',
  ACCESS_KEY: 'k',
  SESSION_SECRET: 'sixteen letters.',
  WEB_DIR: '/srv/web',
  SHOPIFY_STORE_URL: 'https://x.myshopify.com',
  SHOPIFY_ACCESS_TOKEN: 'shpat_1',
};

function problemsOf(source: Record<string, string>): readonly string[] {
  try {
    readConfig(source);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

test('variables that are not set have defaults', () => {
  expect(readConfig(env)).toMatchObject({
    PORT: 3000,
    HOST: '127.0.0.1',
    PUBLIC_URL: 'http://localhost:3000',
    CSV_BYTES_MAX: 52_428_800,
    RECORD_BYTES_MAX: 1_048_576,
    COLUMNS_MAX: 2000,
    ROWS_MAX: 10_000_000,
    store: { url: 'https://x.myshopify.com', apiVersion: '2026-10', credentials: { accessToken: 'shpat_1' } },
  });
  expect(readConfig({ ...env, PORT: '8080' }).PUBLIC_URL).toBe('http://localhost:8080');
});

test('a store may be configured by client id and secret', () => {
  const { SHOPIFY_ACCESS_TOKEN: _token, ...without } = env;
  const source = { ...without, SHOPIFY_CLIENT_ID: 'i', SHOPIFY_CLIENT_SECRET: 's' };
  expect(readConfig(source).store?.credentials).toEqual({ clientId: 'i', clientSecret: 's' });
  expect(problemsOf({ ...without, SHOPIFY_CLIENT_ID: 'i' })).toEqual([
    expect.stringContaining('The store is incomplete'),
  ]);
});

test('a store is set completely or not at all', () => {
  const { SHOPIFY_ACCESS_TOKEN: _token, SHOPIFY_STORE_URL: _url, ...none } = env;
  expect(readConfig(none).store).toBeNull();
  expect(problemsOf({ ...none, SHOPIFY_ACCESS_TOKEN: 'shpat_1' })).toEqual([
    expect.stringContaining('The store is incomplete'),
  ]);
});

test('an unset access key is an error; an empty one needs a loopback address', () => {
  const { ACCESS_KEY: _key, ...without } = env;
  expect(problemsOf(without)).toEqual([expect.stringContaining('ACCESS_KEY is not set')]);
  expect(readConfig({ ...env, ACCESS_KEY: '' }).ACCESS_KEY).toBe('');
  expect(problemsOf({ ...env, ACCESS_KEY: '', HOST: '0.0.0.0' })).toEqual([
    expect.stringContaining('loopback'),
  ]);
});

test('a short access key needs a loopback address, and is not repeated', () => {
  const problems = problemsOf({ ...env, ACCESS_KEY: 'short-key', HOST: '0.0.0.0' });
  expect(problems).toEqual([expect.stringContaining('ACCESS_KEY has fewer than 12 characters')]);
  expect(problems.join()).not.toContain('short-key');
  expect(problemsOf({ ...env, ACCESS_KEY: 'long-enough-key', HOST: '0.0.0.0' })).toEqual([]);
});

test('a bucket has no name that is an address of the app', () => {
  expect(problemsOf({ ...env, S3_BUCKET: 'scanner' })).toEqual([
    expect.stringContaining('S3_BUCKET is invalid: expected a name that is no address of the app'),
  ]);
});

test('a bucket has a name that S3 takes', () => {
  for (const name of ['../x', 'UPPER', 'ab', 'a..b', '-ab', '192.168.0.1', 'x'.repeat(64)]) {
    expect(problemsOf({ ...env, S3_BUCKET: name })).toEqual([
      expect.stringContaining('S3_BUCKET is invalid: expected a bucket name, 3 to 63 lowercase letters'),
    ]);
  }
  expect(problemsOf({ ...env, S3_BUCKET: 'my-files.2026' })).toEqual([]);
});

test('a session secret has at least 16 characters, and is not repeated', () => {
  for (const secret of ['a', 'fifteen letters', ' '.repeat(20)]) {
    const problems = problemsOf({ ...env, SESSION_SECRET: secret });
    expect(problems).toEqual([
      expect.stringContaining('SESSION_SECRET is invalid: expected at least 16 characters'),
    ]);
    expect(problems.join()).not.toContain(secret === 'a' ? 'SECRET=a' : secret);
  }
});

test('a network of trusted proxies is not the whole internet', () => {
  for (const network of ['0.0.0.0/0', '::/0', '10.0.0.7, 0.0.0.0/0']) {
    expect(problemsOf({ ...env, TRUSTED_PROXIES: network })).toEqual([
      expect.stringContaining('TRUSTED_PROXIES is invalid: a network of /0 would trust everybody'),
    ]);
  }
  expect(readConfig({ ...env, TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8' }).TRUSTED_PROXIES).toHaveLength(2);
});

test('all problems are listed at once, without values', () => {
  const problems = problemsOf({
    S3_BUCKET: '',
    S3_SECRET_KEY: 'very secret',
    PORT: 'http',
    CREDENTIALS_KEY: 'ab',
  });
  for (const name of ['DATABASE_URL', 'S3_BUCKET', 'PORT', 'ACCESS_KEY', 'WEB_DIR', 'CREDENTIALS_KEY']) {
    expect(problems.some((problem) => problem.includes(name))).toBe(true);
  }
  expect(problems.join()).not.toContain('very secret');
});
