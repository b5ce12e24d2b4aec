import { readdir, readFile } from 'node:fs/promises';
import {
  appPathSegments,
  type EnvReader,
  envVariables,
  formatDefault,
  isInner,
  listVariablesReadBy,
  type VariableName,
} from '@draftshelf/runtime/env-catalog';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ownServices } from './compose-files.ts';
import { configurationCells, configurationPage } from './configuration.ts';

const read = (name: string) => readFile(new URL(`../${name}`, import.meta.url), 'utf8');
const [readme, configuration, example, composeText] = await Promise.all(
  ['README.md', 'docs/CONFIGURATION.md', '.env.example', 'docker-compose.yml'].map(read),
);
const Compose = z.object({
  services: z.record(z.string(), z.object({ environment: z.record(z.string(), z.unknown()).optional() })),
});
const { services } = Compose.parse(parse(composeText ?? '', { merge: true }));

const ofOperators = envVariables.filter(([name]) => !isInner(name));
const catalogue = new Map<string, (typeof envVariables)[number][1]>(envVariables);
/** Variables of compose, of the images of others, and what docker-compose.yml sets unless another file takes it. */
const ofCompose = [
  ...['POSTGRES_PASSWORD', 'APP_DATABASE_PASSWORD', 'REDIS_PASSWORD', 'GARAGE_RPC_SECRET'],
  ...['POSTGRES_MEMORY', 'POSTGRES_CPUS', 'DRAFTSHELF_IMAGE', 'DRAFTSHELF_VERSION', 'DOMAIN'],
  ...['COMPOSE_FILE', 'COMPOSE_PROFILES', 'DEMO_STORE_PORT', 'WATCH_FOLDER_HOST', 'BACKUP_DIR_HOST', 'TZ'],
  ...['PARSE_CONCURRENCY', 'ENRICH_CONCURRENCY', 'PUSH_CONCURRENCY'],
  ...['SEALING_KEY_STORE', 'SEALING_KEY_LOOKUPS', 'SEALING_KEY_FOLDERS'],
  ...['DATABASE_URL', 'APP_DATABASE_URL', 'REDIS_URL', 'S3_ENDPOINT', 'S3_ACCESS_KEY'],
];
const inExample = ofOperators
  .filter(([, { isFixedInCompose }]) => !isFixedInCompose)
  .map(([name]): string => name);

test('each variable of an operator has a default or a sentence for being unset, and not both', () => {
  const wrong = ofOperators.filter(
    ([, one]) => (formatDefault(one) === undefined) === (one.unset === undefined),
  );
  expect(wrong.map(([name]) => name)).toEqual([]);
});

test('docs/CONFIGURATION.md is the page that node infra/configuration-main.ts writes', () => {
  expect(configuration).toBe(configurationPage());
});

test('README.md has ten of its lines', () => {
  const [, table = ''] =
    /\| Variable \| Default \| Meaning \|\n\|---\|---\|---\|\n((?:\|.*\n)*)/.exec(readme ?? '') ?? [];
  const rows = configurationCells.map(({ name, preset, meaning }) => `| ${name} | ${preset} | ${meaning} |`);
  const shown = table.trimEnd().split('\n');
  expect(shown.filter((line) => !rows.includes(line))).toEqual([]);
  expect(shown).toHaveLength(10);
});

test('no bucket may have the name of a page or file of the web app', async () => {
  const router = await read('apps/web/src/app/router.tsx');
  const pages = [...router.matchAll(/path: '\/([^/'*]+)/g)].map(([, name = '']) => name);
  const files = await readdir(new URL('../apps/web/public', import.meta.url));
  expect(pages).toContain('scanner');
  expect([...pages, ...files].filter((name) => !appPathSegments.includes(name))).toEqual([]);
});

describe('.env.example', () => {
  /** The lines of comments directly above each variable. */
  const comments = new Map<string, string>();
  let above: string[] = [];
  for (const line of (example ?? '').split('\n')) {
    const name = /^([A-Z\d_]+)=/.exec(line)?.[1];
    if (name !== undefined) comments.set(name, above.join(' '));
    above = line.startsWith('#') ? [...above, line.slice(2)] : [];
  }

  test('has each variable that the compose files take from it, and no other', () => {
    expect([...comments.keys()].toSorted()).toEqual([...inExample, ...ofCompose].toSorted());
  });

  test.each(inExample)('says the default of %s', (name) => {
    const one = catalogue.get(name);
    const value = one && formatDefault(one);
    const named = /\bDefault: (.*?)(?: \(.*\))?$/.exec(comments.get(name) ?? '')?.[1];
    if (value !== undefined || named !== undefined) {
      expect(named).toBe(value ?? one?.unset?.replaceAll('`', ''));
    }
  });
});

describe('docker-compose.yml', () => {
  const askedIn = (text: string) =>
    [...text.matchAll(/(?<!\$)\$\{([A-Z\d_]+)(?::([-?])([^}$]*))?/g)].map(
      ([, name = '', kind, fallback = '']) => ({ name, fallback: kind === '-' ? fallback : '' }),
    );
  const asked = askedIn(composeText ?? '');

  test('takes, with the files for variants, each variable of .env.example, and no other', async () => {
    const names = new Set(asked.map(({ name }) => name));
    for (const file of await readdir(new URL('.', import.meta.url))) {
      if (!/^compose\..*\.yml$/.test(file)) continue;
      for (const { name } of askedIn(await read(`infra/${file}`))) names.add(name);
    }
    for (const name of ['COMPOSE_FILE', 'COMPOSE_PROFILES']) names.add(name); // used by compose itself
    expect([...names].toSorted()).toEqual([...inExample, ...ofCompose].toSorted());
  });

  test('names no other default than the catalog', () => {
    for (const { name, fallback } of asked) {
      const one = ofCompose.includes(name) ? undefined : catalogue.get(name);
      if (one && fallback !== '') expect([name, fallback]).toEqual([name, formatDefault(one)]);
    }
  });

  const passedTo = (service: EnvReader) => Object.keys(services[service]?.environment ?? {});
  const isRequired = (name: VariableName) =>
    catalogue.get(name)?.schema.safeParse(undefined).success === false;

  test.each<EnvReader>([...ownServices, 'store-simulator'])(
    'passes to %s what an operator may set for it, and what it requires',
    (service) => {
      const expected = listVariablesReadBy(service).filter(
        (name) => inExample.includes(name) || isRequired(name),
      );
      // The image sets it.
      expect(passedTo(service)).toEqual(
        expect.arrayContaining(expected.filter((name) => name !== 'WEB_DIR')),
      );
    },
  );

  test.each<EnvReader>(ownServices)('passes nothing to %s that it does not read', (service) => {
    const names: string[] = listVariablesReadBy(service);
    // Node reads TZ.
    expect(passedTo(service).filter((name) => !names.includes(name) && name !== 'TZ')).toEqual([]);
  });
});
