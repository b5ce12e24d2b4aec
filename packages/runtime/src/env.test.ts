import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import {
  Addresses,
  Bytes,
  ConfigurationError,
  Count,
  DatabaseUrl,
  HttpUrl,
  oneOf,
  Port,
  readEnv,
  Secret,
} from './env.ts';

const Config = z.object({
  DATABASE_URL: DatabaseUrl,
  PORT: Port.default(3000),
  ACCESS_KEY: z.string({ error: 'expected a key, or nothing for no key' }),
  SHOPIFY_ACCESS_TOKEN: Secret.optional(),
  CSV_BYTES_MAX: Bytes.default(52_428_800),
  LOG_LEVEL: oneOf(['debug', 'info', 'warn']).prefault('info'),
});

const good = { DATABASE_URL: 'postgresql://u:p@localhost:5432/d', ACCESS_KEY: 'k' };

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

test('defaults fill what is not set, and other variables are left out', () => {
  expect(readEnv(Config, { ...good, HOME: '/home/me' })).toEqual({
    ...good,
    PORT: 3000,
    CSV_BYTES_MAX: 52_428_800,
    LOG_LEVEL: 'info',
  });
});

test('set but empty is unset, unless empty has a meaning', () => {
  const config = readEnv(Config, { ...good, PORT: '', SHOPIFY_ACCESS_TOKEN: '', ACCESS_KEY: '' });
  expect(config.PORT).toBe(3000);
  expect(config.SHOPIFY_ACCESS_TOKEN).toBeUndefined();
  expect(config.ACCESS_KEY).toBe('');
});

test('all problems are reported together, without values', () => {
  const source = {
    DATABASE_URL: 'mysql://root:hunter2@db',
    PORT: '70000',
    CSV_BYTES_MAX: '50MB',
    LOG_LEVEL: 'loud',
  };
  const problems = problemsOf(() => readEnv(Config, source));
  expect(problems).toEqual([
    'DATABASE_URL is invalid: expected an address like postgresql://user:password@host:5432/database',
    'PORT is invalid: expected a port, a whole number from 0 to 65535',
    'ACCESS_KEY is not set: expected a key, or nothing for no key',
    'CSV_BYTES_MAX is invalid: expected a number of bytes, digits only, at least 1',
    'LOG_LEVEL is invalid: expected one of debug, info, warn',
  ]);
  expect(problems.join()).not.toContain('hunter2');
});

test('a rule over several variables is reported with the others', () => {
  const Pair = z
    .object({ A: Count, B: Count.optional() })
    .refine((pair) => pair.B !== undefined, 'B goes with A');
  expect(problemsOf(() => readEnv(Pair, { A: '1' }))).toEqual(['B goes with A']);
});

test.each([
  [Port, '0x10'],
  [Port, '-1'],
  [Port, '1e3'],
  [Port, ' 80'],
  [Count, '0'],
  [HttpUrl, 'ftp://example.com'],
  [HttpUrl, 'example.com'],
])('%# refuses %s', (piece, value) => {
  expect(z.safeParse(piece, value).success).toBe(false);
});

test('addresses and networks are accepted, names are not', () => {
  expect(Addresses.parse('10.0.0.7,172.16.0.0/12, fd00::/8')).toEqual([
    '10.0.0.7',
    '172.16.0.0/12',
    'fd00::/8',
  ]);
  for (const text of ['', 'proxy', '10.0.0.7,', '10.0.0.0/33', '10.0.0']) {
    expect(Addresses.safeParse(text).success, text).toBe(false);
  }
});

test('a variable may be given as a file', () => {
  const dir = mkdtempSync(join(tmpdir(), 'draftshelf-env-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const at = (name: string, content: string) => {
    writeFileSync(join(dir, name), content);
    return join(dir, name);
  };
  const { ACCESS_KEY: _key, ...others } = good;
  const files = { ...others, ACCESS_KEY: '', ACCESS_KEY_FILE: at('key', ' a key\n'), PORT_FILE: '' };
  const config = readEnv(Config, { ...files, SHOPIFY_ACCESS_TOKEN_FILE: at('token', 'shpat\r\n') });
  expect(config).toMatchObject({ ACCESS_KEY: ' a key', SHOPIFY_ACCESS_TOKEN: 'shpat', PORT: 3000 });
  const missing = join(dir, 'missing');
  expect(
    problemsOf(() => readEnv(Config, { ...files, ACCESS_KEY: 'k', SHOPIFY_ACCESS_TOKEN_FILE: missing })),
  ).toEqual([
    'ACCESS_KEY and ACCESS_KEY_FILE are both set: set one of them',
    `SHOPIFY_ACCESS_TOKEN_FILE cannot be read: ENOENT for ${missing}`,
  ]);
});
