import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { deriveSealingKey } from '@draftshelf/core/access/sealing';
import { readEnv } from '@draftshelf/runtime/env';
import { createEnvSchema } from '@draftshelf/runtime/env-catalog';
import { expect, onTestFinished, test } from 'vitest';
import { mergeComposeFiles, ownServices } from './compose-files.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

function generate(file: string, env: Record<string, string> = {}) {
  const args = [path.join(root, 'packages/backup/src/env-main.ts'), file];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    ...{ env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' },
  });
  return { status, output: stdout + stderr };
}

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'draftshelf-env-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

const valuesOf = (file: string) =>
  Object.fromEntries(
    [...readFileSync(file, 'utf8').matchAll(/^([A-Z\d_]+)=(.+)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );

test('a generated .env passes compose, its secrets are its own, and only its owner reads it', async () => {
  const dir = folder();
  const files = ['one', 'two'].map((name) => path.join(dir, name));
  const runs = files.map((file) => generate(file));
  expect(runs.map(({ status }) => status)).toEqual([0, 0]);
  for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600);
  const [one = {}, two = {}] = files.map(valuesOf);
  const secrets = Object.keys(one).filter((name) => one[name] !== two[name]);
  expect(secrets).toHaveLength(10);
  // No password is the same as another one, and none is printed.
  expect(new Set(secrets.map((name) => one[name])).size).toBe(10);
  for (const name of secrets) expect(runs[0]?.output).not.toContain(one[name]);
  expect(one.SEALING_KEY_STORE).toBe(deriveSealingKey(one.CREDENTIALS_KEY ?? '', 'store'));

  const names = (one.COMPOSE_FILE ?? '').split(':');
  expect(names).toContain('infra/compose.build.yml');
  const services = await mergeComposeFiles(
    names.map((name) => new URL(`../${name}`, import.meta.url)),
    one,
  );
  for (const name of ownServices) {
    readEnv(createEnvSchema(name), { ...services[name]?.environment, WEB_DIR: 'set by the image' });
  }
});

test('an image that is published is pulled under its name', () => {
  const file = path.join(folder(), '.env');
  generate(file, { DRAFTSHELF_IMAGE: 'ghcr.io/someone/draftshelf' });
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  expect(valuesOf(file)).toMatchObject({
    DRAFTSHELF_IMAGE: 'ghcr.io/someone/draftshelf',
    DRAFTSHELF_VERSION: version,
    COMPOSE_FILE: 'docker-compose.yml',
  });
});

test('a file or link that is there is never changed', () => {
  const dir = folder();
  const file = path.join(dir, '.env');
  writeFileSync(file, 'CREDENTIALS_KEY=in use\n');
  symlinkSync('nowhere', path.join(dir, 'link'));
  for (const name of ['.env', 'link']) {
    const { status, output } = generate(path.join(dir, name));
    expect(status).toBe(1);
    expect(output).toContain('exists, and was not changed.');
  }
  expect(readFileSync(file, 'utf8')).toBe('CREDENTIALS_KEY=in use\n');
  expect(generate(path.join(dir, 'none/.env')).output).toContain('could not be written');
});
